// The conformance suite on the store in memory, so that unit tests may rely on it.
import { openTestStore } from "../testing/open.ts"
import { createMemoryDatabase } from "./testing/memory.ts"
import { testExecutions } from "./testing/suite.ts"

testExecutions("executions in memory", async () => {
  const { store, close } = await openTestStore()
  const database = await createMemoryDatabase()
  return {
    stores: { store, executions: database.open() },
    other: { store, executions: database.open() },
    close: async () => {
      database.close()
      await close()
    },
  }
})
