// The catalog as tools of an agent: a scripted model calls tools of a real server, one by one and by code, and a human is asked.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { CatalogExecutor, CatalogOptions, ToolsConfig } from "../../src/agent-tools/index.ts"
import { ToolRouter, catalogTools } from "../../src/agent-tools/index.ts"
import type { ExecutorApi } from "../../src/core/executor-api.ts"
import { createExecutor } from "../../src/index.ts"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Ledger } from "../servers/ledger.ts"
import { startLedger } from "../servers/ledger.ts"
import type { ModelRequest, ModelServer } from "../servers/model.ts"
import { startModelServer } from "../servers/model.ts"
import { converse } from "./agent-loop.ts"
import { startProduct } from "./product.ts"

/** An executor as an agent has it, and the human who answers what it asks. */
type Place = { readonly agent: CatalogExecutor; readonly human: ExecutorApi; close(): Promise<void> }

const places: Readonly<Record<string, () => Promise<Place>>> = {
  async "a server, with an agent's token"() {
    const product = await startProduct()
    const { token } = await product.client.tokens.create({ name: "helper", kind: "agent" })
    return {
      agent: createClient({ origin: `${product.url}/api`, token }),
      human: product.client,
      close: () => product.stop(),
    }
  },
  async "this process"() {
    const dataDir = mkdtempSync(join(tmpdir(), "executor-agent-catalog-"))
    const executor = await createExecutor({ dataDir })
    return {
      agent: executor,
      human: executor,
      async close() {
        await executor.close()
        rmSync(dataDir, { recursive: true, force: true })
      },
    }
  },
}

const manyOperations = {
  openapi: "3.1.0",
  info: { title: "Many", version: "1" },
  paths: Object.fromEntries(
    Array.from({ length: 130 }, (_, at) => [`/things${at}`, { get: { operationId: `things${at}/list`, responses: {} } }]),
  ),
}

const json = (schema: object) => ({ content: { "application/json": { schema } } })
const nestedSchemas = {
  openapi: "3.1.0",
  info: { title: "Nested", version: "1" },
  paths: {
    "/parcels": {
      post: {
        operationId: "parcels/create",
        requestBody: json({ type: "object", properties: { to: { $ref: "#/components/schemas/Address" } }, required: ["to"] }),
        responses: { 200: { description: "Sent", ...json({ $ref: "#/components/schemas/Parcel" }) } },
      },
    },
  },
  components: {
    schemas: {
      Address: { type: "object", properties: { street: { type: "string" }, country: { $ref: "#/components/schemas/Country" } } },
      Country: { type: "object", properties: { code: { type: "string" } } },
      Parcel: {
        type: "object",
        properties: { id: { type: "string" }, events: { type: "array", items: { $ref: "#/components/schemas/Event" } } },
      },
      Event: { type: "object", properties: { at: { type: "string" } } },
    },
  },
}

let ledger: Ledger
let model: ModelServer
beforeAll(async () => {
  ledger = await startLedger()
  model = await startModelServer()
})
afterAll(async () => {
  await model.close()
  await ledger.close()
})

describe.each(Object.keys(places))("the catalog of %s", (name) => {
  let place: Place
  beforeAll(async () => {
    place = await places[name]!()
    await place.human.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
    await place.human.connections.create({ integration: "ledger" })
    await place.human.policies.create({ pattern: "ledger.items.remove", action: "block", owner: "org" })
  })
  afterAll(() => place.close())

  const withCatalog = async (options: Omit<CatalogOptions, "executor"> = {}): Promise<ToolsConfig> => ({
    parts: [await catalogTools({ executor: place.agent, ...options })],
  })
  const written = (item: string): number => ledger.entries.filter((entry) => entry.method === "POST" && entry.name === item).length
  const waitingIn = (request: ModelRequest): string => /exe_[a-z0-9]+/.exec(request.outputs.at(-1)?.text ?? "")?.[0] ?? "none"
  /** The model goes on once it was told to wait, and the human answers while it does. */
  const resumeWhile = (action: "accept" | "decline") => (request: ModelRequest) => {
    const executionId = waitingIn(request)
    human = answer(executionId, action)
    return { calls: [{ name: "resume", arguments: { executionId, action: "accept" } }] }
  }
  let human: Promise<void> = Promise.resolve()
  const answer = async (executionId: string, action: "accept" | "decline"): Promise<void> => {
    const { items } = await place.human.approvals.list({ executionId })
    for (const { approvalId } of items) await place.human.approvals.answer(approvalId, { action })
  }
  const id = name.includes("server") ? "remote" : "local"

  test("tools one by one: reads side by side, a write that a human approves", async () => {
    const config = await withCatalog({ tools: ["ledger.items.get", "ledger.org.main.items.create"] })
    const item = `single-${id}`
    model.script([
      (request) => {
        expect(request.tools).toEqual(["ledger_org_main_items_get", "ledger_org_main_items_create", "resume"])
        return {
          calls: ["one", "two", "three"].map((one) => ({
            name: "ledger_org_main_items_get",
            arguments: { name: `${one}-${id}`, delay: 60_000 },
          })),
        }
      },
      { calls: [{ name: "ledger_org_main_items_create", arguments: { name: item } }] },
      resumeWhile("accept"),
      (request) => ({ text: `It says ${request.outputs.at(-1)?.text}` }),
    ])
    const talk = converse("Create the item", config, model)
    // None of the reads is answered before all of them have arrived.
    const names = ["one", "two", "three"].map((one) => `${one}-${id}`)
    await expect.poll(() => names.every((one) => ledger.underWay().includes(one))).toBe(true)
    for (const one of names.toReversed()) ledger.release(one)
    const { outputs, text } = await talk
    await human
    expect(outputs.slice(0, 3).map(({ content }) => (JSON.parse(content) as { name: string }).name)).toEqual(names)
    expect(outputs[3]).toMatchObject({ success: undefined })
    expect(outputs[3]?.content).toMatch(/waits for the user/)
    expect(outputs[3]?.content).toContain(item)
    expect(outputs[3]?.content).toMatch(/resume\(\{ "executionId": "exe_\w+", "action": "accept" \}\).*Do not call the tool again/s)
    if (id === "remote") expect(outputs[3]?.content).toMatch(/http:\/\/\S+\/approve\/exe_/)
    expect(outputs[4]).toMatchObject({ success: true, content: JSON.stringify({ name: item, count: 1 }) })
    expect(text).toContain('"count":1')
    expect(written(item)).toBe(1)
  })

  test("code mode: the model is told what is there, and the code goes on after the human's yes", async () => {
    const config = await withCatalog()
    const item = `code-${id}`
    const code = `const { data } = await tools.ledger.items.create({ name: "${item}" }); emit(data.count); return { created: data.name }`
    model.script([
      (request) => {
        expect(request.tools).toEqual(["execute", "resume"])
        expect(JSON.stringify(request.body)).toContain("### ledger (2 tools)")
        return { calls: [{ name: "execute", arguments: { code } }] }
      },
      resumeWhile("accept"),
      { text: "Done" },
    ])
    const { outputs } = await converse("Create the item", config, model)
    await human
    expect(outputs[0]?.content).toContain("Do not run the code again")
    expect(outputs[1]).toMatchObject({ success: true })
    expect(outputs[1]?.content).toContain(`{"created":"${item}"}`)
    expect(outputs[1]?.content).toContain("Emitted: 1")
    expect(written(item)).toBe(1)
  })

  test("a no of the human, a no of the model, and nobody who answers", async () => {
    const config = await withCatalog({ tools: ["ledger.items.*"], resumeWaitMs: 50 })
    const create = (item: string) => ({ calls: [{ name: "ledger_org_main_items_create", arguments: { name: item } }] })
    const resume = (action: string) => (request: ModelRequest) => ({
      calls: [{ name: "resume", arguments: { executionId: waitingIn(request), action } }],
    })
    model.script([create("unanswered"), resume("accept"), resume("decline"), { text: "Sorry" }])
    const unanswered = await converse("Create it", config, model)
    expect(unanswered.outputs[1]?.content).toMatch(/^Not answered yet/)
    expect(unanswered.outputs[1]?.success).toBeUndefined()
    expect(unanswered.outputs[2]).toMatchObject({ success: false, content: expect.stringContaining("approval_declined") })
    const patient = await withCatalog({ tools: ["ledger.items.*"] })
    model.script([create("declined"), resumeWhile("decline"), { text: "Sorry" }])
    const declined = await converse("Create it", patient, model)
    await human
    expect(declined.outputs[1]).toMatchObject({ success: false, content: expect.stringContaining("approval_declined") })
    expect(written("unanswered") + written("declined")).toBe(0)
  })

  test("a model reads the definitions that arguments are made of, and none that only results need", async () => {
    await place.human.integrations.add({ slug: "nested", kind: "openapi", config: { spec: nestedSchemas, baseUrl: ledger.url } })
    await place.human.connections.create({ integration: "nested" })
    const [create] = ToolRouter.fromConfig(await withCatalog({ tools: ["nested.parcels.create"] })).specs
    const { $defs } = create?.type === "function" ? create.parameters : {}
    expect(Object.keys($defs ?? {}).toSorted()).toEqual(["Address", "Country"])
  })

  test("what a model gets wrong is said to it", async () => {
    const config = await withCatalog({ tools: ["ledger.**"] })
    const get = (text: string) => ({ name: "ledger_org_main_items_get", arguments: text })
    model.script([
      {
        calls: [
          get(""),
          get("{nothing"),
          get('{"name": 3}'),
          { name: "ledger_org_main_items_remove", arguments: { name: "x" } },
          { name: "resume", arguments: { executionId: "exe_unknown", action: "accept" } },
          { name: "resume", arguments: { action: "accept" } },
          { name: "resume", arguments: { executionId: "exe_unknown", action: "approve" } },
        ],
      },
      { text: "I see" },
    ])
    const { outputs } = await converse("Get it", config, model)
    expect(outputs.every(({ success }) => success === false)).toBe(true)
    expect(outputs.map(({ content }) => content)).toEqual([
      expect.stringContaining("Missing required parameter 'name'"),
      expect.stringContaining("failed to parse function arguments"),
      expect.stringContaining("invalid_arguments"),
      "unsupported call: ledger_org_main_items_remove",
      expect.stringContaining("not_found"),
      expect.stringContaining("'executionId' is missing"),
      expect.stringContaining("'action' must be one of accept, decline, cancel"),
    ])
    const code = await withCatalog()
    model.script([
      {
        calls: [
          { name: "execute", arguments: "" },
          { name: "execute", arguments: { code: "return 1", speed: 1 } },
          { name: "execute", arguments: { code: "return tools.ledger.items.remove({ name: 'x' })" } },
        ],
      },
      { text: "I see" },
    ])
    const wrong = await converse("Run it", code, model)
    expect(wrong.outputs.map(({ content }) => content)).toEqual([
      "invalid_arguments: 'code' must be a text with the code to run",
      "invalid_arguments: 'speed' is unknown; execute takes code and timeoutMs",
      expect.stringContaining("tool_blocked"),
    ])
  })

  test("a cancelled call stops its execution, also on a server", async () => {
    const item = `cancelled-${id}`
    const config = await withCatalog()
    const stop = new AbortController()
    model.script([
      { calls: [{ name: "execute", arguments: { code: `return await tools.ledger.items.get({ name: "${item}", delay: 600000 })` } }] },
      { text: "Stopped" },
    ])
    const talk = converse("Wait", config, model, stop.signal)
    await expect.poll(() => ledger.underWay()).toContain(item)
    stop.abort()
    const { outputs } = await talk
    expect(outputs[0]?.content).toMatch(/^aborted by user after \d+\.\ds$/)
    await expect.poll(() => ledger.underWay()).not.toContain(item)
    const find = async () => (await place.human.executions.list()).items.find(({ code }) => code.includes(item))
    await expect.poll(async () => (await find())?.status).toBe("cancelled")
  })

  test("patterns that match nothing, or that are none, are refused when the agent starts", async () => {
    await expect(withCatalog({ tools: ["ledger.orders.*"] })).rejects.toThrow("No tool that this agent can call matches 'ledger.orders.*'")
    await expect(withCatalog({ tools: ["ledger.items.remove"] })).rejects.toThrow("No tool that this agent can call")
    await expect(withCatalog({ tools: ["ledger.it ems"] })).rejects.toThrow("ledger.it ems")
    await place.human.integrations.add({ slug: "many", kind: "openapi", config: { spec: manyOperations, baseUrl: ledger.url } })
    await place.human.connections.create({ integration: "many" })
    await expect(withCatalog({ tools: ["many.**"] })).rejects.toThrow("The patterns match 130 tools, and a model can be given 128")
  })
})
