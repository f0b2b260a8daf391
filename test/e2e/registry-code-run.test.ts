// What running code of registry tools tells: its logs, why a question is asked again, and why a tool is not there.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"
import { draftTool, makeTool } from "./registry-maker.ts"

let product: Product
let ledger: Ledger
beforeAll(async () => {
  ledger = await startLedger()
  product = await startProduct()
  await product.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await product.client.connections.create({ integration: "ledger", owner: "org" })
})
afterAll(async () => {
  await product.stop()
  await ledger.close()
})

const custom = (code: string) => ({ implementationType: "custom", implementationConfig: { code } })

describe("what a tool's code logs", () => {
  test("is in the answer of a test, also where the tool fails", async () => {
    const { client } = product
    const id = await draftTool(client, "chatty", custom("console.log('got', input.n); console.warn('careful'); return input.n"))
    expect(await client.registry.test(id, { n: 2 })).toMatchObject({
      ok: true,
      data: 2,
      logs: [
        { level: "log", text: "got 2", tool: "registry.chatty" },
        { level: "warn", text: "careful", tool: "registry.chatty" },
      ],
    })
    const failing = await draftTool(client, "failing", custom("console.log('before'); throw new Error('no')"))
    expect(await client.registry.test(failing, {})).toMatchObject({ ok: false, logs: [{ text: "before" }] })
  })

  test("stands among the lines of the execution, where it came, with the tool that logged it", async () => {
    await makeTool(product.client, "inner", custom("console.log('inner', input.n); return input.n"))
    await makeTool(product.client, "outer", custom("console.log('outer'); return (await tools.registry.inner({ n: 1 })).data"))
    const reply = await product.client.run("console.log('first'); await tools.registry.outer({}); console.log('last')")
    const expected = [
      { level: "log", text: "first" },
      { level: "log", text: "outer", tool: "registry.outer" },
      { level: "log", text: "inner 1", tool: "registry.inner" },
      { level: "log", text: "last" },
    ]
    expect(reply.structured.logs).toEqual(expected)
    expect((await product.client.executions.get(reply.executionId)).structured.logs).toEqual(expected)
  })

  test("is there once, when the tool waited for a human in between", async () => {
    await makeTool(
      product.client,
      "writer",
      custom("console.log('before'); await tools.ledger.items.create({ name: 'once' }).unwrap(); console.log('after')"),
    )
    const code = "await tools.registry.inner({ n: 7 }); console.log('own'); await tools.registry.writer({}).unwrap(); return 1"
    const paused = await product.client.run(code)
    expect(paused.structured.logs.map(({ text }) => text)).toEqual(["inner 7", "own", "before"])
    const ended = await product.client.resume(paused.executionId, { action: "accept" })
    expect(ended.structured.logs.map(({ text }) => text)).toEqual(["inner 7", "own", "before", "after"])
  })
})

describe("a question that is asked again", () => {
  test("says that the tool was published anew since, and as which version", async () => {
    const { client } = product
    const http = { implementationType: "http", implementationConfig: { method: "POST", url: `${ledger.url}/items` } }
    const id = await makeTool(client, "poster", http)
    const paused = await client.run("return await tools.registry.poster({ name: 'again' })")
    const [first] = "interactions" in paused.structured ? paused.structured.interactions : []
    expect(first?.reason).not.toContain("published anew")
    await client.registry.update(id, { description: "Posts items, in other words" })
    await client.registry.publish(id)
    const again = await client.resume(paused.executionId, { action: "accept" })
    const [second] = "interactions" in again.structured ? again.structured.interactions : []
    expect(second?.reason).toMatch(
      /^The tool was published anew, as version 1\.0\.1, since this was asked before, so that the earlier answer does not count\./,
    )
    expect((await client.resume(paused.executionId, { action: "accept" })).structured).toMatchObject({ status: "completed" })
  })
})

describe("a tool that production does not run", () => {
  const errorOf = async (client: Product["client"], path: string): Promise<{ code: string; message: string }> => {
    const { structured } = await client.run(`return (await tools.${path}({})).error`)
    return (structured as { result: { code: string; message: string } }).result
  }

  test("is named as a draft or disabled to whoever may edit it, also in the code of a tool", async () => {
    const { client } = product
    await draftTool(client, "unborn", custom("return 1"))
    const gone = await makeTool(client, "gone", custom("return 1"))
    await client.registry.update(gone, { status: "disabled" })
    await makeTool(client, "caller", custom("return (await tools.registry[input.slug]({})).error"))
    for (const [slug, message] of [
      ["unborn", /^'registry\.unborn' is a draft: publish it with '.*registry publish unborn'/],
      ["gone", /^'registry\.gone' is disabled: bring it back as a draft with '.*registry enable gone'/],
    ] as const) {
      expect(await errorOf(client, `registry.${slug}`)).toMatchObject({ code: "tool_not_found", message: expect.stringMatching(message) })
      const { structured } = await client.run(`return (await tools.registry.caller({ slug: "${slug}" })).data`)
      expect(structured).toMatchObject({ result: { code: "tool_not_found", message: expect.stringMatching(message) } })
    }
  })

  test("tells agents that what they could call is disabled, and nothing of drafts", async () => {
    const { token } = await product.client.tokens.create({ name: "agent", kind: "agent" })
    const agent = createClient({ origin: `${product.url}/api`, token })
    expect(await errorOf(agent, "registry.gone")).toMatchObject({
      code: "tool_not_found",
      message: expect.stringMatching(/^'registry\.gone' is disabled, so that nobody can call it/),
    })
    expect((await errorOf(agent, "registry.unborn")).message).not.toContain("draft")
  })
})

test("nested calls stand in the order of time under the call that made them", async () => {
  await makeTool(
    product.client,
    "ordered",
    custom("for (const name of ['d', 'a', 'c', 'b']) await tools.ledger.items.get({ name })\nreturn 1"),
  )
  const { executionId } = await product.client.run(
    "await tools.registry.ordered({}); await tools.ledger.items.get({ name: 'own' }); return 1",
  )
  const { calls } = await product.client.executions.get(executionId)
  expect(calls.map(({ args, depth = 0 }) => [depth, (args as { name?: string }).name])).toEqual([
    [0, undefined],
    [1, "d"],
    [1, "a"],
    [1, "c"],
    [1, "b"],
    [0, "own"],
  ])
})
