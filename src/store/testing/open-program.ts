// A process that opens a store, says that it could or why not, and ends: `node open-program.ts <path or URL>`.
import { openPostgresStore } from "../postgres.ts"
import { openSqliteStore } from "../sqlite.ts"

const [place = ""] = process.argv.slice(2)

try {
  const store = place.startsWith("postgres:") ? await openPostgresStore({ url: place }) : await openSqliteStore({ path: place })
  const scope = { tenant: "default", user: "local" }
  await store.tenants.ensure({ tenant: scope.tenant, id: scope.user, name: "Local", roles: ["admin"] })
  const user = await store.tenants.user(scope)
  await store.close()
  console.log(`opened by ${user?.name}`)
} catch (error) {
  console.log(String(error))
}
