// One tool called through the client, against the real server: the answers are those of the in-process `execute`.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { asking } from "../../plugin/testing/asking.ts"
import type { ExecutionServer } from "../http/testing/executions.ts"
import { startExecutionServer } from "../http/testing/executions.ts"
import type { Client } from "./index.ts"
import { createClient } from "./index.ts"

let server: ExecutionServer
let client: Client
let agent: Client
beforeAll(async () => {
  server = await startExecutionServer({ plugins: [asking], limits: { resultStructuredBytesMax: 2000 } })
  client = createClient({ origin: `${server.url}/api`, token: server.tokens.human })
  agent = createClient({ origin: `${server.url}/api`, token: server.tokens.agent })
})
afterEach(() => void (server.ledger.entries.length = 0))
afterAll(() => server.close())

const create = "ledger.items.create"
const failure = (code: string, rest: object = {}) => ({ ok: false, error: expect.objectContaining({ code, ...rest }) })

test("a read answers its envelope, whatever its arguments are made of", async () => {
  const name = 'a"]); steal(); // \u2028 `${x}`'
  const result = await client.execute("tools.ledger.org.main.items.get", { name })
  expect(result).toMatchObject({ ok: true, data: { name, count: 1 }, http: { status: 200 } })
  const long = "x".repeat(3000)
  expect(await client.execute("ledger.items.get", { name: long })).toMatchObject({ ok: true, data: { name: long } })
})

test("what needs approval is refused with its id, and passes once a human has accepted", async () => {
  const refused = await agent.execute(create, { name: "a" })
  expect(refused).toEqual(failure("approval_required", { details: { approvalId: expect.any(String) } }))
  if (refused.ok) return
  const { approvalId } = refused.error.details as { approvalId: string } // checked above
  await client.approvals.answer(approvalId, { action: "accept" })
  expect(await agent.execute(create, { name: "a" })).toMatchObject({ ok: true, data: { name: "a" } })
  expect(server.writes()).toEqual(["a"])
})

test("a human approves with 'auto' or a function, an agent never", async () => {
  expect(await client.execute(create, { name: "auto" }, { approve: "auto" })).toMatchObject({ ok: true })
  const asked: unknown[] = []
  const approve = (request: { args: unknown }): boolean => asked.push(request.args) > 1
  expect(await client.execute(create, { name: "no" }, { approve })).toEqual(failure("approval_declined"))
  expect(await client.execute(create, { name: "yes" }, { approve })).toMatchObject({ ok: true })
  expect(asked).toEqual([{ name: "no" }, { name: "yes" }])
  await expect(agent.execute(create, { name: "x" }, { approve: "auto" })).rejects.toMatchObject({ code: "forbidden" })
  await expect(agent.execute(create, { name: "x" }, { approve: () => true })).rejects.toMatchObject({ code: "forbidden" })
  const broken = () => Promise.reject(new Error("no screen"))
  await expect(client.execute(create, { name: "x" }, { approve: broken })).rejects.toThrow("no screen")
  expect((await client.executions.list({ status: "paused" })).items).toEqual([])
  expect(server.writes()).toEqual(["auto", "yes"])
})

test("a tool that asks something is referred to run, and nothing stays paused", async () => {
  for (const options of [{}, { approve: () => true }]) {
    const refused = await client.execute("asking.color", {}, options)
    expect(refused).toEqual(failure("approval_required", { message: expect.stringContaining("'run'") }))
  }
  expect((await client.executions.list({ status: "paused" })).items).toEqual([])
})

test("bad input fails as in process", async () => {
  expect(await client.execute("ledger.items.nope")).toEqual(failure("tool_not_found"))
  for (const path of ["search", "then", "", "a b", "describe.tool"]) {
    expect(await client.execute(path)).toEqual(failure("tool_not_found"))
  }
  expect(await client.execute(create, {})).toEqual(failure("invalid_arguments", { message: "Missing required parameter 'name'" }))
  const circle: Record<string, unknown> = {}
  circle["self"] = circle
  for (const odd of [{ name: 1n }, { name: () => 1 }, { name: NaN }, circle])
    expect(await client.execute(create, odd)).toEqual(failure("invalid_arguments"))
  const loose = client.execute as (...given: readonly unknown[]) => Promise<unknown>
  await expect(loose(5)).rejects.toMatchObject({ code: "invalid_request" })
  await expect(loose(create, {}, { approve: "always" })).rejects.toMatchObject({ code: "invalid_request" })
  await expect(loose(create, {}, { timeout: 5 })).rejects.toMatchObject({ code: "invalid_request" })
  expect(server.ledger.entries).toEqual([])
})

test("a call ends at its timeout", async () => {
  expect(await client.execute("ledger.items.get", { name: "slow", delay: 20_000 }, { timeoutMs: 500 })).toEqual(
    failure("timeout", { retryable: true }),
  )
})
