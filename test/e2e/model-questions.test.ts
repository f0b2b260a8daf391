// What a model is shown over MCP of an execution that waits for its human: within bounds, and an answer means that and no more.
import type { Client } from "@modelcontextprotocol/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { callTool, connectMcp, textOf } from "./mcp-client.ts"
import { startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"

let server: McpTestServer
let model: Client
let browser: Client
beforeAll(async () => {
  server = await startMcpServer({ limits: { mcpAnswerWaitMs: 500 } })
  model = await connectMcp(`${server.mcpUrl}?elicitation_mode=model`, { era: "modern", token: await server.agent("model") })
  browser = await connectMcp(server.mcpUrl, { era: "modern", token: server.tokens.agent })
})
afterAll(async () => {
  await Promise.all([model.close(), browser.close()])
  await server.close()
})

type Shown = Awaited<ReturnType<typeof callTool>>
const namesIn = ({ structured }: Shown): string[] =>
  ((structured["interactions"] ?? []) as { args: { name: string } }[]).map((one) => one.args.name) // each asks to create an item
const made = (prefix: string): string[] => server.ledger.entries.map((one) => one.name).filter((name) => name.startsWith(prefix))
const create = (count: number, name: string): string =>
  `return (await Promise.all(Array.from({ length: ${count} }, (_, i) => tools.ledger.items.create({ name: ${name} })))).filter((one) => one.ok).length`

describe("a pause", () => {
  test.each([20, 60])("with %i questions and long arguments is cut like a result", async (count) => {
    const paused = await callTool(browser, "execute", { code: create(count, `"q" + i + "y".repeat(2000)`) })
    const text = textOf(paused)
    expect(text.length).toBeLessThan(15_000)
    expect(JSON.stringify(paused.structuredContent).length).toBeLessThanOrEqual(30_000)
    expect(text.match(/^- /gm)).toHaveLength(1)
    expect(text).toContain("×20\n")
    expect(text.match(/^ {2}\{"name":"q\d+y+… \(20\d\d characters\)$/gm)).toHaveLength(20)
    expect(text).toContain(`What ends with "…" is cut; all of it is shown at ${String(paused.structured["approvalUrl"])}.`)
    expect(paused.structured["interactions"]).toHaveLength(20)
    await callTool(browser, "resume", { executionId: paused.structured.executionId, action: "cancel" })
  })

  test("that fits is shown whole", async () => {
    const paused = await callTool(browser, "execute", { code: create(2, `"whole" + i`) })
    expect(namesIn(paused)).toEqual(["whole0", "whole1"])
    expect(textOf(paused)).not.toMatch(/is cut|follow/)
    await callTool(browser, "resume", { executionId: paused.structured.executionId, action: "cancel" })
  })
})

describe("an answer", () => {
  test("means the questions that were shown; then come the next ones", async () => {
    const first = await callTool(model, "execute", { code: create(50, `"some" + i`) })
    const { executionId = "" } = first.structured
    const accept = () => callTool(model, "resume", { executionId, action: "accept" })
    expect([namesIn(first).length, first.structured["more"]]).toEqual([20, 30])
    expect(textOf(first)).toContain("30 more questions follow once these are answered.")
    expect(textOf(first).match(/"some\d+"/g)).toHaveLength(20)
    const second = await accept()
    expect(made("some").toSorted()).toEqual(namesIn(first).toSorted())
    expect([namesIn(second).length, second.structured["more"]]).toEqual([20, 10])
    expect(namesIn(second).filter((name) => namesIn(first).includes(name))).toEqual([])
    const third = await accept()
    expect(made("some").toSorted()).toEqual([...namesIn(first), ...namesIn(second)].toSorted())
    expect([namesIn(third).length, third.structured["more"]]).toEqual([10, undefined])
    expect((await accept()).structured).toMatchObject({ status: "completed", result: 50 })
    expect(made("some")).toHaveLength(50)
  })

  test("that no declines those that were shown alone", async () => {
    const first = await callTool(model, "execute", { code: create(25, `"few" + i`) })
    const { executionId = "" } = first.structured
    const second = await callTool(model, "resume", { executionId, action: "decline" })
    expect(namesIn(second)).toHaveLength(5)
    expect((await callTool(model, "resume", { executionId, action: "accept" })).structured).toMatchObject({ result: 5 })
    expect(made("few").toSorted()).toEqual(namesIn(second).toSorted())
  })

  test("does not mean what takes the place of a question that was answered elsewhere", async () => {
    const first = await callTool(model, "execute", { code: create(25, `"else" + i`) })
    const { executionId = "" } = first.structured
    const [one] = first.structured["interactions"] as { approvalId: string }[] // as asserted above
    await server.call("POST", `/api/approvals/${one?.approvalId ?? ""}`, { body: { action: "accept" } })
    const second = await callTool(model, "resume", { executionId, action: "accept" })
    expect(made("else").toSorted()).toEqual(namesIn(first).toSorted())
    expect(namesIn(second)).toHaveLength(5)
    await callTool(model, "resume", { executionId, action: "cancel" })
  })
})

test("a resume that nobody answered says so, and not everything again", async () => {
  const paused = await callTool(browser, "execute", { code: create(3, `"late" + i`) })
  const { executionId = "" } = paused.structured
  const again = await callTool(browser, "resume", { executionId, action: "accept" })
  expect(again.structured).toMatchObject({ status: "waiting_for_interaction", interactions: [{}, {}, {}] })
  expect(textOf(again)).toMatch(/^Not answered yet: the execution still waits for the user with the same 3 questions\. /)
  expect(textOf(again)).toContain(`at ${String(paused.structured["approvalUrl"])}, then call resume({ "executionId": "${executionId}"`)
  expect(textOf(again)).not.toContain("late0")
  expect(textOf(again)).toContain("Should the link not answer")
  expect(textOf(paused)).not.toContain("Should the link")
  // Once in the link, and once in the call.
  expect(textOf(paused).split(executionId)).toHaveLength(3)
  await server.approve(executionId)
  await expect
    .poll(async () => (await callTool(browser, "resume", { executionId, action: "accept" })).structured)
    .toMatchObject({ result: 3 })
})
