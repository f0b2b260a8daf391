// Tests which calls count for which version: by time, of the last 30 days, and among what somebody may see.
import { afterAll, expect, test } from "vitest"
import type { Principal } from "../core/principal.ts"
import { auditRow } from "../store/executions/testing/samples.ts"
import { connect, connectionRef, toolSet } from "../store/testing/samples.ts"
import { openCluster } from "./testing/cluster.ts"
import { staticTool } from "./testing/samples.ts"
import { toolVersions } from "./tool-versions.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

const dayMs = 24 * 3600 * 1000
const daysAgo = (days: number): string => new Date(cluster.clock.now().getTime() - days * dayMs).toISOString()

async function setUp(owner: "org" | "user") {
  const parts = cluster.node({ tools: [staticTool("shop.refund", "read", async () => ({ ok: true, data: 1 }))] })
  const human = await cluster.human()
  const admin: Principal = { ...human, rights: ["admin"] }
  await connect(cluster.store, human, "github", owner, toolSet(`set-${human.tenant}`, ["repos.get"]))
  const ref = connectionRef("github", owner, "main")
  const subject = `tools.github.${owner}.main.repos.get`
  const call = (days: number, user = human.user, of = subject) => ({
    kind: "audit" as const,
    row: auditRow({ tenant: human.tenant, user }, daysAgo(days), { action: "call", subject: of, decision: "allow", outcome: "ok" }),
  })
  const counts = async (who: Principal, of = subject) =>
    (await toolVersions(who, of, {}, parts)).items.map(({ version, callsLast30Days }) => [version, callsLast30Days])
  return { parts, human, admin, ref, subject, call, counts }
}

test("calls before the last 30 days are not counted, and each counts once", async () => {
  const { human, admin, ref, call, counts, parts } = await setUp("org")
  const changed = (days: number) => ({ tool: "repos.get", at: daysAgo(days), change: "changed", diff: null }) as const
  for (const days of [40, 10]) await parts.store.toolChanges.add(human, ref, [changed(days)], { versionsMax: 9, removedToolsMax: 9 })
  await parts.executions.journal.append([call(50), call(35), call(20), call(11), call(10), call(9, "bob")], "now")
  expect(await counts(admin)).toEqual([
    ["3", 2],
    ["2", 2],
    ["1", 0],
  ])
  expect((await counts(human))[0]).toEqual(["3", 1])
})

test("another member's connection of the same address is another tool", async () => {
  const { admin, call, counts, parts } = await setUp("user")
  await parts.executions.journal.append([call(1), call(1, "bob")], "now")
  expect(await counts(admin)).toEqual([["1", 1]])
})

test("a static tool has one version", async () => {
  const { human, admin, call, counts, parts } = await setUp("org")
  await parts.executions.journal.append([call(1, human.user, "shop.refund"), call(31, human.user, "shop.refund")], "now")
  expect(await counts(admin, "tools.shop.refund")).toEqual([["1", 1]])
})

test("history that was dropped is not made up", async () => {
  const { human, admin, ref, counts, parts } = await setUp("org")
  for (const days of [4, 3, 2]) {
    const change = { tool: "repos.get", at: daysAgo(days), change: "changed", diff: null } as const
    await parts.store.toolChanges.add(human, ref, [change], { versionsMax: 2, removedToolsMax: 9 })
  }
  expect(await counts(admin)).toEqual([
    ["4", 0],
    ["3", 0],
  ])
})
