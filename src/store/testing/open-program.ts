// A process that opens the stores named on its input, one a line, and says for each that it could or why not.
import { createInterface } from "node:readline"
import { openPostgresStore } from "../postgres.ts"
import { openSqliteStore } from "../sqlite.ts"

for await (const place of createInterface(process.stdin)) console.log(await openOnce(place))

async function openOnce(place: string): Promise<string> {
  try {
    const store = place.startsWith("postgres:") ? await openPostgresStore({ url: place }) : await openSqliteStore({ path: place })
    const scope = { tenant: "default", user: "local" }
    await store.tenants.ensure({ tenant: scope.tenant, id: scope.user, name: "Local", roles: ["admin"] })
    const user = await store.users.get(scope)
    await store.close()
    return `opened by ${user?.name}`
  } catch (error) {
    return String(error)
  }
}
