// A human's "no" to a call wins over every rule that was made while it waited, whichever way the human says it.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let ledger: Ledger
let server: Product

beforeAll(async () => {
  ledger = await startLedger()
  server = await startProduct()
  await server.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await server.client.connections.create({ integration: "ledger" })
})
afterEach(async () => {
  ledger.entries.length = 0
  for (const { id } of await server.client.policies.list()) await server.client.policies.remove(id)
})
afterAll(async () => {
  await server.stop()
  await ledger.close()
})

type Reply = {
  readonly executionId: string
  readonly status: string
  readonly structured: { readonly result?: unknown; readonly interactions?: readonly { readonly approvalId: string }[] }
}

const post = async (path: string, body: unknown): Promise<Reply> => (await server.request("POST", path, body)).body as Reply // the API's answer
const create = (name: string): string =>
  `const { ok, error } = await tools.ledger.items.create({ name: "${name}" }); return ok || error.code`
const approvalOf = ({ structured }: Reply): string => structured.interactions?.[0]?.approvalId ?? "none"
const allow = () => post("/policies", { owner: "org", pattern: "ledger.*.*.items.create", action: "allow" })

test.each([
  ["decline", "approval_declined"],
  ["cancel", "approval_cancelled"],
])("to %s refuses a call that a rule allows by now, and the history says so", async (action, code) => {
  for (const answer of [
    (paused: Reply) => post(`/executions/${paused.executionId}/resume`, { action }),
    (paused: Reply) => post(`/approvals/${approvalOf(paused)}`, { action }),
  ]) {
    const paused = await post("/executions", { code: create(action) })
    const rule = (await allow()) as unknown as { id: string } // the API's answer to a new rule
    expect(await answer(paused)).toMatchObject({ status: "completed", structured: { result: code } })
    const { body } = await server.request("GET", `/executions/${paused.executionId}`)
    expect(body).toMatchObject({
      calls: [{ status: "done", decision: "allow", rule: rule.id, error: { code }, approval: { answer: action } }],
    })
    await server.client.policies.remove(rule.id)
  }
  expect(ledger.entries).toEqual([])
})

test("a call that waits beside one whose tool is always allowed from now on can still be declined", async () => {
  const [accepted, declined] = [await post("/executions", { code: create("yes") }), await post("/executions", { code: create("no") })]
  await post(`/approvals/${approvalOf(accepted)}`, { action: "accept", remember: "always" })
  expect(await post(`/approvals/${approvalOf(declined)}`, { action: "decline" })).toMatchObject({
    structured: { result: "approval_declined" },
  })
  expect(ledger.entries.map(({ name }) => name)).toEqual(["yes"])
})

test("a call that could not wait is told of the no once, and then follows the rule", async () => {
  const run = async () => (await post("/executions", { code: create("thrown"), approval: "throw" })).structured.result
  expect(await run()).toBe("approval_required")
  await allow()
  const [waiting] = (await server.client.approvals.list()).items
  await post(`/approvals/${waiting?.approvalId}`, { action: "decline" })
  expect(await run()).toBe("approval_declined")
  expect(ledger.entries).toEqual([])
  expect(await run()).toBe(true)
})
