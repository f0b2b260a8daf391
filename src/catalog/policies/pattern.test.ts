// Tests that the warning about a pattern tells its writer nothing of tools that are hidden from them.
import { afterAll, expect, test } from "vitest"
import { createAccess } from "../../identity/access.ts"
import { systemClock } from "../../io/clock.ts"
import { openTestStore } from "../../store/testing/open.ts"
import { connectionRow, integrationRow, newScope, roleRow, toolSet, userRow } from "../../store/testing/samples.ts"
import { createStaticTools } from "../static-tool.ts"
import { patternWarning } from "./pattern.ts"

const opened = await openTestStore()
afterAll(() => opened.close())
const { store } = opened

test("a reader of one integration cannot ask for the names of others", async () => {
  const scope = newScope("admin")
  await store.tenants.ensure({ tenant: scope.tenant, id: "admin", name: "Admin", roles: ["admin"] })
  await store.roles.put(scope.tenant, roleRow({ id: "reader", patterns: ["shop.**"] }))
  await store.users.put(userRow({ ...scope, user: "rita" }, { roles: [{ role: "reader", from: "given" }] }))
  for (const slug of ["shop", "secretcrm"]) {
    await store.toolSets.put(scope, toolSet(slug, ["orders.create"], {}))
    await store.integrations.put(scope, integrationRow(slug, { toolSetId: slug }))
    await store.connections.put(scope, connectionRow(slug, "org", "main", { toolSetId: slug }))
  }
  const parts = { store, staticTools: createStaticTools([]), access: createAccess(store, systemClock) }
  const warns = async (user: string, pattern: string) => (await patternWarning({ ...scope, user, tokenId: null }, pattern, parts)) !== null
  expect([await warns("admin", "s*crm.**"), await warns("admin", "q*crm.**")]).toEqual([false, true])
  expect([await warns("rita", "s*crm.**"), await warns("rita", "q*crm.**"), await warns("rita", "shop.**")]).toEqual([true, true, false])
})
