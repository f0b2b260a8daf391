// Tests that the first stage which stops somebody is named, with what would change it.
import { afterAll, expect, test } from "vitest"
import { createPolicy } from "../catalog/policies/edit.ts"
import type { Principal } from "../core/principal.ts"
import { newToken } from "../identity/token-create.ts"
import { roleRow, userRow } from "../store/testing/samples.ts"
import { explainAccess } from "./access-explain.ts"
import { openCluster } from "./testing/cluster.ts"
import { staticTool } from "./testing/samples.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

async function setUp() {
  const parts = cluster.node({ tools: [staticTool("shop.refund", "write", async () => ({ ok: true, data: 1 }))] })
  const alice = await cluster.human()
  const { tenant } = alice
  await cluster.store.roles.put(tenant, roleRow({ id: "reader", patterns: ["shop.list"] }))
  await cluster.store.users.put(userRow({ tenant, user: "rita" }, { roles: [{ role: "reader", from: "given" }] }))
  await cluster.store.users.put(userRow({ tenant, user: "gone" }, { status: "disabled" }))
  const admin: Principal = { ...alice, user: "root", roles: ["admin"], rights: ["admin"] }
  const why = (user: string, address = "shop.refund", who = admin) => explainAccess(who, { user, address }, parts)
  return { parts, alice, tenant, admin, why }
}

test("each stage is named where it stops the call", async () => {
  const { parts, admin, why } = await setUp()
  expect(await why("gone")).toMatchObject({ outcome: "refused", stop: "principal" })
  expect(await why("rita")).toMatchObject({
    stop: "role",
    steps: [
      {
        message: "No pattern of the roles 'reader' matches 'shop.refund'",
        change: expect.stringContaining("'shop.refund'"),
        about: { kind: "user", id: "rita" },
      },
    ],
  })
  expect(await why("alice", "shop.none")).toMatchObject({ stop: "lifecycle", outcome: "refused" })
  expect(await why("alice")).toMatchObject({ stop: null, outcome: "needs_approval" })
  await createPolicy(admin, { owner: "org", pattern: "shop.**", action: "require_approval", by: { role: "reader" } }, parts)
  expect(await why("alice")).toMatchObject({ outcome: "needs_approval", by: [{ role: "reader" }] })
  const { id } = await createPolicy(admin, { owner: "org", pattern: "shop.refund", action: "block", role: "member" }, parts)
  expect(await why("alice")).toMatchObject({
    stop: "policy",
    steps: [
      { outcome: "passes", about: { kind: "role" } },
      { about: { kind: "tool", id: "shop.refund" } },
      { change: `Change or remove the rule ${id}`, about: { kind: "rule", id } },
    ],
  })
})

test("a token sees what its patterns and its user's roles name", async () => {
  const { parts, admin, alice, tenant } = await setUp()
  const { row } = newToken({ tenant, user: "alice" }, { name: "narrow", kind: "agent" }, cluster.clock)
  await cluster.store.tokens.put({ ...row, patterns: '["github.**"]' })
  const input = { token: row.id, address: "shop.refund" }
  for (const who of [admin, alice])
    expect(await explainAccess(who, input, parts)).toMatchObject({
      user: "alice",
      stop: "role",
      steps: [{ message: expect.stringContaining("the token") }],
    })
})

test("it is for admins, and for everybody about themselves", async () => {
  const { parts, alice, why } = await setUp()
  expect(await why("alice", "shop.refund", alice)).toMatchObject({ outcome: "needs_approval" })
  await expect(why("rita", "shop.refund", alice)).rejects.toMatchObject({ code: "forbidden" })
  await expect(why("nobody")).rejects.toMatchObject({ code: "not_found" })
  await expect(why("alice", "shop.refund", { ...alice, kind: "agent" })).rejects.toMatchObject({ code: "forbidden" })
  await expect(explainAccess(alice, { token: "tok_x", address: "shop.refund" }, parts)).rejects.toMatchObject({ code: "forbidden" })
  await expect(explainAccess(alice, { address: "shop.refund" }, parts)).rejects.toMatchObject({ code: "invalid_request" })
})
