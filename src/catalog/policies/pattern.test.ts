// Tests that patterns tell nobody of tools that are hidden from them, and that many are looked up at the cost of one.
import { afterAll, expect, test } from "vitest"
import { createAccess } from "../../identity/access.ts"
import { systemClock } from "../../io/clock.ts"
import { openTestStore } from "../../store/testing/open.ts"
import { connectionRow, integrationRow, newScope, roleRow, toolSet, userRow } from "../../store/testing/samples.ts"
import { createStaticTools } from "../static-tool.ts"
import { patternWarning, thoseThatFit } from "./pattern.ts"

const opened = await openTestStore()
afterAll(() => opened.close())
const { store } = opened

/** An admin, and Rita, who sees `shop` and not `secretcrm`. */
async function setUp() {
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
  return { scope, parts }
}

test("a reader of one integration cannot ask for the names of others", async () => {
  const { scope, parts } = await setUp()
  const warns = async (user: string, pattern: string) => (await patternWarning({ ...scope, user, tokenId: null }, pattern, parts)) !== null
  expect([await warns("admin", "s*crm.**"), await warns("admin", "q*crm.**")]).toEqual([false, true])
  expect([await warns("rita", "s*crm.**"), await warns("rita", "q*crm.**"), await warns("rita", "shop.**")]).toEqual([true, true, false])
})

test("many patterns are compared with all tools in one pass, and each finds what it would alone", async () => {
  const { scope, parts } = await setUp()
  let reads = 0
  const tools = { ...store.tools, list: (...input: Parameters<typeof store.tools.list>) => ((reads += 1), store.tools.list(...input)) }
  const counting = { ...parts, store: { ...store, tools } }
  const rita = { ...scope, user: "rita", tokenId: null }
  const readsFor = async (patterns: readonly string[]): Promise<number> => {
    reads = 0
    await thoseThatFit(rita, patterns, counting)
    return reads
  }
  const absent = Array.from({ length: 100 }, (_, at) => `**.absent${at}`)
  expect(await readsFor(absent)).toBe(await readsFor(absent.slice(0, 1)))
  const patterns = ["shop.**", "shop.*.*.orders.create", "*.org.**", "secretcrm.**", "s*crm.**", "shop.user.**", "**.orders.remove"]
  const alone: string[] = []
  for (const pattern of patterns) alone.push(...(await thoseThatFit(rita, [pattern], parts)))
  expect(alone).toEqual(patterns.slice(0, 3))
  expect([...(await thoseThatFit(rita, [...patterns, ...absent], parts))].toSorted()).toEqual(alone.toSorted())
})
