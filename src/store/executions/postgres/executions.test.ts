// The conformance suite on PostgreSQL.
import { sharedPostgres } from "../../../../test/servers/postgres.ts"
import { openPostgresStores } from "../../postgres.ts"
import { testExecutions } from "../testing/suite.ts"

testExecutions("executions in PostgreSQL", async () => {
  const postgres = await sharedPostgres()
  const url = await postgres.createDatabase()
  const stores = await openPostgresStores({ url })
  const other = await openPostgresStores({ url })
  return {
    stores,
    other,
    close: async () => {
      await Promise.all([stores.store.close(), other.store.close()])
      await postgres.stop()
    },
  }
})
