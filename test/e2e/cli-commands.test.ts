// Every command once for people and once for machines, against a real server.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startOrdersApi } from "../../examples/openapi-quickstart/orders-api.ts"
import type { OrdersApi } from "../../examples/openapi-quickstart/orders-api.ts"
import { openCli } from "./cli-run.ts"
import type { Cli, CliRun } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let api: OrdersApi
let cli: Cli

beforeAll(async () => {
  api = await startOrdersApi("demo")
  product = await startProduct({ env: { ORDERS_TOKEN: "demo" } })
  cli = openCli(product.dataDir)
  await product.client.integrations.add({ slug: "orders", kind: "openapi", config: { spec: `${api.url}/openapi.json` } })
  await product.client.connections.create({ integration: "orders", auth: { template: "bearer", values: { token: "demo" } } })
})
afterAll(async () => {
  await product.stop()
  await api.close()
})

const file = (name: string, content: string): string => {
  const path = join(product.dataDir, name)
  writeFileSync(path, content)
  return path
}
const pausedCall = async (): Promise<{ executionId: string; approvalId: string }> => {
  const reply = await product.client.run(`return await tools["orders.orders.create"]({"item":"x","quantity":1})`)
  const { structured } = reply
  const approvalId = structured.status === "waiting_for_interaction" ? (structured.interactions[0]?.approvalId ?? "") : ""
  return { executionId: reply.executionId, approvalId }
}

describe("call", () => {
  test.each([
    ["JSON", ['{"item":"tea"}'], undefined],
    ["key=value", ["item=tea"], undefined],
    ["--arg", ["--arg", "item=tea"], undefined],
    ["stdin", ["-"], '{"item":"tea"}'],
  ])("arguments as %s", async (_name, args, stdin) => {
    const run = await cli.run(["call", "orders.orders.list", ...args], stdin === undefined ? {} : { stdin })
    expect(run.code).toBe(0)
    expect(JSON.parse(run.stdout)).toMatchObject([{ item: "tea" }])
  })

  test("arguments from files, the data into a file", async () => {
    const args = file("args.json", '{"item":"nothing like it"}')
    expect((await cli.run(["call", "orders.orders.list", `@${args}`])).stdout).toBe("[]\n")
    expect((await cli.run(["call", "orders.orders.list", "--file", args, "item=tea"])).stdout).toContain("tea")
    const output = join(product.dataDir, "out.json")
    expect(await cli.run(["call", "orders.orders.list", "--output", output])).toMatchObject({ code: 0, stdout: "" })
    expect((await cli.type(`cat '${output}'`)).stdout).toContain('"item": "tea"')
  })

  test("--json is the API's reply, --yes approves", async () => {
    expect(await cli.json(["call", "orders.orders.create", "item=mate", "quantity=3", "--yes"])).toMatchObject({
      executionId: expect.stringMatching(/^exe_/),
      status: "completed",
      structured: { result: { ok: true, data: { item: "mate", quantity: 3 }, http: { status: 201 } } },
    })
    const paused = await cli.run(["call", "orders.orders.create", "item=mate", "quantity=3", "--json"])
    expect(paused.code).toBe(3)
    expect(JSON.parse(paused.stdout)).toMatchObject({ status: "paused", structured: { status: "waiting_for_interaction" } })
    expect(paused.stderr).toContain("executor resume exe_")
  })

  test("built-ins answer as they are", async () => {
    expect(JSON.parse((await cli.run(["call", "search", "query=order"])).stdout)).toMatchObject({
      items: expect.any(Array),
      hasMore: false,
    })
  })
})

test("run, with logs beside the result and large results whole", async () => {
  const code = `console.log("working"); emit({ step: 1 }); return (await tools.orders.orders.list({})).data.length > 0`
  const run = await cli.run(["run", file("code.ts", code)])
  expect(run).toMatchObject({ code: 0, stdout: "true\n" })
  expect(run.stderr).toContain("working\n")
  expect(run.stderr).toContain('"step": 1')
  expect(await cli.json(["run", "-"], { stdin: code })).toMatchObject({ status: "completed", structured: { result: true } })
  const large = await cli.run(["run", "-"], { stdin: `return "x".repeat(2_000_000)` })
  expect(large.stdout.length).toBe(2_000_001)
  const raw = await cli.run(["run", "--results", "raw", "--yes", "--timeout", "30s", "-"], {
    stdin: `return (await tools.orders.orders.create({ item: "raw", quantity: 1 })).item`,
  })
  expect(raw).toMatchObject({ code: 0, stdout: "raw\n" })
  const failed = await cli.run(["run", "-"], { stdin: "\nthrow new TypeError('no')" })
  expect(failed).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("executor: TypeError: no (line 2)\n") })
})

describe("lists and views", () => {
  test.each([
    [["tools", "search", "list orders"], /^orders\.org\.main\.orders\.list/m, { items: expect.any(Array), total: expect.any(Number) }],
    [
      ["tools", "describe", "orders.orders.list"],
      /^orders\.org\.main\.orders\.list {2}runs at once/,
      { path: "orders.org.main.orders.list" },
    ],
    [["tools", "sources", "ord"], /^orders +openapi +2/m, { items: [{ slug: "orders", toolCount: 2 }] }],
    [["tools", "list", "-i", "orders"], /^orders\.org\.main\.orders\.create +asks/m, { items: [{}, {}], nextCursor: null }],
    [["tools", "list", "--limit", "1"], /^PATH/, { items: [{}], nextCursor: expect.any(String) }],
    [["integrations", "list"], /^orders +openapi +2 +Orders/m, { items: [{ slug: "orders" }], nextCursor: null }],
    [["integrations", "show", "orders"], /^Auth +token \(bearer\)$/m, { slug: "orders", facts: { toolCount: 2 } }],
    [["connections", "list"], /^orders\.org\.main +ready +bearer +2/m, { items: [{ status: "ready" }] }],
    [["connections", "refresh", "orders"], /^orders\.org\.main: ready, 2 tools$/m, { status: "ready" }],
    [["policies", "list"], /^$/, { items: [], nextCursor: null }],
    [["policies", "explain", "orders.orders.create"], /^asks/, { verdict: "require_approval" }],
    [["tokens", "list"], /^tok_\w+ +local +local +human/m, { items: [{ kind: "human" }] }],
    [["executions", "list"], /^exe_\w+ +(completed|failed|paused)/m, { items: expect.any(Array) }],
    [["audit", "list", "--action", "call", "--outcome", "no_such"], /^$/, { items: [] }],
    [["audit", "list", "--limit", "5"], /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +local /m, { items: expect.any(Array) }],
    [["call", "--help", "orders"], /^orders\.org\.main\.orders\.list +List Orders/m, { items: [{ isTool: true }, { isTool: true }] }],
    [["doctor"], /^✓ connection orders\.org\.main: 2 tools$/m, { ok: true, checks: expect.any(Array) }],
  ])("%j", async (args, shown, answered) => {
    const [people, machines] = await Promise.all([cli.run(args), cli.json(args)])
    expect(people).toMatchObject({ code: 0, stdout: expect.stringMatching(shown) })
    expect(machines).toMatchObject(answered)
  })
})

test("integrations from a file, and without credentials connected at once", async () => {
  const document = {
    openapi: "3.1.0",
    info: { title: "Open Clock", version: "1" },
    servers: [{ url: api.url }],
    paths: { "/time": { get: { operationId: "getTime", responses: { 200: { description: "Now" } } } } },
  }
  const added = await cli.run(["integrations", "add", file("clock.json", JSON.stringify(document))])
  expect(added).toMatchObject({ code: 0, stdout: "Added clock (openapi): 1 tool\nConnected clock.org.main: 1 tool\n" })
  const again = await cli.json(["integrations", "add", "-", "--slug", "watch", "--name", "A watch", "--no-connect"], {
    stdin: JSON.stringify(document),
  })
  expect(again).toMatchObject({ slug: "watch", name: "A watch", connection: null })
  expect(await cli.run(["integrations", "remove", "clock"])).toMatchObject({ code: 0, stdout: "Removed clock\n" })
  expect(await cli.json(["integrations", "remove", "watch"])).toEqual({ removed: "watch" })
  expect((await cli.run(["integrations", "add", "--kind", "openapi", "--slug", "x", "--config", '{"spec":"nonsense"}'])).code).toBe(2)
})

test("connections, with the secret in a variable", async () => {
  expect(await cli.json(["connections", "add", "orders.user.work", "--env", "ORDERS_TOKEN"])).toMatchObject({
    owner: "user",
    name: "work",
    auth: { template: "bearer", bound: ["token"] },
    status: "ready",
  })
  expect((await cli.run(["call", "orders.user.work.orders.list"])).code).toBe(0)
  const ambiguous = await cli.run(["call", "orders.orders.list"])
  expect(ambiguous).toMatchObject({ code: 2, stderr: expect.stringContaining("Possible matches:\n  orders.org.main.orders.list") })
  expect((await cli.run(["tools", "describe", "orders.orders.list"])).stderr).toContain("orders.user.work.orders.list")
  expect(await cli.run(["connections", "remove", "orders.user.work"])).toMatchObject({ code: 0, stdout: "Removed orders.user.work\n" })
  await cli.run(["connections", "add", "orders", "--name", "second", "--secret-stdin"], { stdin: "demo\n" })
  expect(await cli.json(["connections", "remove", "orders", "--name", "second"])).toEqual({ removed: "orders.org.second" })
})

test("policies", async () => {
  const added = await cli.run(["policies", "add", "orders.*", "block", "--when", "quantity gte 100"])
  expect(added.stdout).toMatch(/^Added pol_\w+: block orders\.\*\* when quantity gte 100\n$/)
  const explained = await cli.run(["policies", "explain", "orders.orders.create", "item=x", "quantity=100"])
  expect(explained.stdout).toMatch(/^blocked: /)
  const blocked = await cli.run(["call", "orders.orders.create", "item=x", "quantity=100"])
  expect(blocked.code).toBe(5)
  const rule = (await cli.json(["policies", "add", "orders.**", "allow", "--owner", "user"])) as { id: string }
  expect((await cli.run(["policies", "list"])).stdout).toContain(rule.id)
  expect(await cli.json(["policies", "remove", rule.id])).toEqual({ removed: rule.id })
  for (const { id } of await product.client.policies.list())
    expect(await cli.run(["policies", "remove", id])).toMatchObject({ code: 0, stdout: `Removed ${id}\n` })
})

test("tokens: an agent calls, and neither approves nor administers", async () => {
  const made = await cli.run(["tokens", "create", "--agent", "--name", "robot"])
  expect(made.stdout).toMatch(/^exa_\S+\n$/)
  const env = { EXECUTOR_TOKEN: made.stdout.trim() }
  expect((await cli.run(["call", "orders.orders.list"], { env })).code).toBe(0)
  const paused = await cli.run(["call", "orders.orders.create", "item=x", "quantity=1"], { env })
  expect(paused.code).toBe(3)
  const id = /resume (exe_\w+)/.exec(paused.stderr)?.[1] ?? ""
  expect((await cli.run(["resume", "--execution-id", id, "--action", "accept"], { env })).code).toBe(5)
  expect((await cli.run(["call", "orders.orders.create", "item=x", "quantity=1", "--yes"], { env })).code).toBe(5)
  expect((await cli.run(["policies", "add", "**", "allow"], { env })).code).toBe(5)
  expect((await cli.run(["tokens", "create", "--human"], { env })).code).toBe(5)
  const other = (await cli.json(["tokens", "create", "--human", "--elicitation", "browser,native"])) as { id: string; token: string }
  expect((await cli.run(["tokens", "list"])).stdout).toContain("browser, native")
  expect(await cli.run(["tokens", "revoke", other.id])).toMatchObject({ code: 0, stdout: `Revoked ${other.id}\n` })
  expect((await cli.run(["tools", "list"], { env: { EXECUTOR_TOKEN: other.token } })).code).toBe(5)
})

describe("what waits", () => {
  const answerOf = (run: CliRun): unknown => (run.stdout === "" ? null : (JSON.parse(run.stdout) as unknown))

  test("approvals are listed, shown, approved and declined", async () => {
    const { executionId, approvalId } = await pausedCall()
    expect((await cli.run(["approvals", "list"])).stdout).toContain(approvalId)
    expect(await cli.json(["approvals", "list"])).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ approvalId })]),
    })
    expect(await cli.json(["approvals", "list", "--execution-id", executionId])).toMatchObject({ items: [{ approvalId }] })
    expect(await cli.json(["approvals", "list", "--execution-id", "exe_absent"])).toMatchObject({ items: [] })
    const shown = await cli.run(["approvals", "show", approvalId])
    expect(shown.stdout).toContain(`Code of ${executionId}`)
    expect(shown.stdout).toContain('orders.org.main.orders.create {"item":"x","quantity":1}')
    expect(await cli.json(["approvals", "show", approvalId])).toMatchObject({ approvalId, executionId })
    const approved = await cli.run(["approvals", "approve", approvalId, "--remember", "execution"])
    expect(approved.code).toBe(0)
    expect(answerOf(approved)).toMatchObject({ item: "x" })
    const second = await pausedCall()
    expect(await cli.run(["approvals", "decline", second.approvalId])).toMatchObject({ code: 0, stdout: "" })
    expect(await cli.run(["approvals", "approve", second.approvalId])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("declined"),
    })
    const third = await pausedCall()
    const cancelled = await cli.run(["approvals", "cancel", third.approvalId])
    expect(cancelled).toMatchObject({ code: 0, stdout: "", stderr: 'Cancelled orders.org.main.orders.create {"item":"x","quantity":1}\n' })
    const fourth = await pausedCall()
    expect((await cli.run(["approvals", "accept", fourth.approvalId])).code).toBe(0)
  })

  test("executions are shown, followed, cancelled and resumed", async () => {
    const { executionId } = await pausedCall()
    const shown = await cli.run(["executions", "show", executionId])
    expect(shown.stdout).toMatch(/^orders\.org\.main\.orders\.create +\{"item":"x","quantity":1\} +asks +waiting/m)
    expect(await cli.json(["executions", "show", executionId])).toMatchObject({ executionId, calls: [{ status: "waiting" }] })
    expect((await cli.run(["executions", "show", executionId, "--follow"])).code).toBe(3)
    expect(JSON.parse((await cli.run(["executions", "show", executionId, "--follow", "--json"])).stdout)).toMatchObject({ type: "pause" })
    expect(await cli.json(["executions", "list", "--status", "paused"])).toMatchObject({ items: expect.any(Array) })
    expect(await cli.run(["executions", "cancel", executionId])).toMatchObject({ code: 0, stdout: `${executionId}: cancelled\n` })
    const second = await pausedCall()
    expect(await cli.json(["executions", "cancel", second.executionId])).toMatchObject({ status: "cancelled" })
    const third = await pausedCall()
    expect(await cli.json(["resume", "--execution-id", third.executionId, "--action", "accept"])).toMatchObject({ status: "completed" })
    const fourth = await pausedCall()
    const declined = await cli.run(["resume", "--execution-id", fourth.executionId, "--action", "decline"])
    expect(declined).toMatchObject({ code: 0, stdout: "", stderr: 'Declined orders.org.main.orders.create {"item":"x","quantity":1}\n' })
  })
})

test("types are written, and search is measured", async () => {
  const output = join(product.dataDir, "tools.d.ts")
  expect(await cli.run(["tools", "types", "-o", output])).toMatchObject({ code: 0, stdout: `Wrote ${output}\n` })
  expect(readFileSync(output, "utf8")).toContain("quantity: number")
  expect((await cli.run(["tools", "types", "--integration", "orders", "--results", "raw"])).stdout).toContain("quantity: number")
  expect(await cli.json(["tools", "types"])).toMatchObject({ types: expect.stringContaining("orders") })
  const cases = file("cases.json", '[{"query":"make an order","tools":["orders.org.main.orders.create"]}]')
  expect((await cli.run(["tools", "eval", cases])).stdout).toMatch(/^search +\d\.\d{3}/m)
  expect(await cli.json(["tools", "eval", cases])).toMatchObject({ search: { queries: 1 }, misses: expect.any(Array) })
  expect((await cli.run(["tools", "eval", "-"], { stdin: "nonsense" })).code).toBe(2)
})

test("completion asks the running server for paths", async () => {
  expect((await cli.run(["complete-path", "ord"])).stdout).toBe("orders.\n")
  expect((await cli.run(["complete-path", "orders.org.main.orders.l"])).stdout).toBe("orders.org.main.orders.list\n")
  expect((await cli.run(["completion", "bash"])).stdout).toContain("complete -o default -F _executor executor")
})
