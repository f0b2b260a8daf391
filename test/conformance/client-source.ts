// The client for the suite's other scenarios: our MCP source, doing what each of them asks for.
//
// The suite starts it with the URL of its mock server as the last argument, and says in the environment which scenario
// it plays. Everything goes through the adapter, as calls of the product do: the same sessions, network and limits.
import { localHuman } from "../../src/core/principal.ts"
import { ConnectionName, IntegrationSlug } from "../../src/core/address.ts"
import type { Elicit } from "../../src/core/call/elicit.ts"
import { defaultLimits } from "../../src/core/limits.ts"
import type { ToolResult } from "../../src/core/result.ts"
import type { JsonSchema } from "../../src/core/tool.ts"
import { openAnswerTurn } from "../../src/io/answer-turn.ts"
import { createNetwork } from "../../src/io/network/guarded-fetch.ts"
import { createLog } from "../../src/io/log.ts"
import { createMcpAdapter } from "../../src/sources/mcp/adapter.ts"
import type { ListedTool } from "../../src/sources/source-adapter.ts"

const url = process.argv.at(-1) ?? ""
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? ""
const revision = process.env["MCP_CONFORMANCE_PROTOCOL_VERSION"] ?? ""
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Context // what the suite documents

type Context = { readonly toolCalls?: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[] }

/** Mocks that cannot be asked what they are: a client would know it from an earlier conversation. */
const speechless = ["sep-2322-client-request-state", "http-standard-headers", "http-custom-headers", "http-invalid-tool-headers"]
const capabilities = { tools: {}, resources: {}, prompts: {} }

const limits = { ...defaultLimits, callTimeoutMs: 20_000 }
const log = createLog("error")
const network = createNetwork({ allowPrivateHosts: ["localhost", "127.0.0.1"], trustLiteralUrls: true, limits, log })
const source = createMcpAdapter({
  limits,
  version: "1.0.0",
  allowsStdio: false,
  redactor: () => (text) => text,
  onToolsChanged: () => Promise.resolve(),
  knownVerdict: () =>
    speechless.includes(scenario) && revision === "2026-07-28"
      ? {
          wire: "streamable",
          prior: { kind: "modern", discover: { supportedVersions: [revision], capabilities, ttlMs: 0, cacheScope: "private" } },
        }
      : null,
})

const { config } = await source.adapter.parseConfig({ transport: "http", url })
const request = {
  config,
  connection: {
    scope: localHuman,
    ref: { integration: IntegrationSlug.make("suite"), owner: "org", connection: ConnectionName.make("main") },
  },
  credential: { placements: [], origins: [new URL(url).origin], secrets: [] },
  outbound: network.outbound({ literalUrls: [url] }),
  limits,
  signal: AbortSignal.timeout(60_000),
  log,
} as const

/** A human who accepts, and fills in what has no default. */
const human: Elicit = (asked) =>
  Promise.resolve({ action: "accept", content: asked.kind === "form" ? fill(asked.requestedSchema, "required") : {} })

function call(tool: ListedTool, args: Record<string, unknown>): Promise<ToolResult> {
  const { name, binding } = tool
  return source.adapter.callTool({
    ...request,
    tool: { name, binding, inputSchema: "{}" },
    args,
    definitions: () => Promise.resolve(new Map()),
    elicit: human,
    answerTurn: openAnswerTurn("nobody", request.limits),
    runCode: () => Promise.reject(new Error("Nothing here is made of code")),
    notify: () => {},
  })
}

/** Some value for each property that is required, or for each one. */
function fill(schema: JsonSchema, which: "required" | "all"): Record<string, unknown> {
  const properties = (schema["properties"] ?? {}) as Record<string, JsonSchema> // a JSON Schema's own
  const required = (schema["required"] ?? []) as string[] // as above
  const names = which === "all" ? Object.keys(properties) : Object.keys(properties).filter((name) => required.includes(name))
  return Object.fromEntries(names.map((name) => [name, sample(properties[name] ?? {})]))
}

function sample(schema: JsonSchema): unknown {
  if (Array.isArray(schema["enum"])) return schema["enum"][0] as unknown
  switch (schema["type"]) {
    case "number":
    case "integer":
      return 2
    case "boolean":
      return true
    case "array":
      return []
    case "object":
      return {}
    default:
      return "text"
  }
}

/** Resources and prompts are called by what their lists name. */
async function callMethods(byName: ReadonlyMap<string, ListedTool>): Promise<void> {
  const [resources, read] = [byName.get("resources.list"), byName.get("resources.read")]
  const listed = resources && (await call(resources, {}))
  const [resource] = listed?.ok === true ? (listed.data as { resources: { uri: string }[] }).resources : []
  if (read && resource) await call(read, { uri: resource.uri })
  const [prompts, get] = [byName.get("prompts.list"), byName.get("prompts.get")]
  const named = prompts && (await call(prompts, {}))
  const [prompt] = named?.ok === true ? (named.data as { prompts: { name: string; arguments?: { name: string }[] }[] }).prompts : []
  const args = Object.fromEntries((prompt?.arguments ?? []).map(({ name }) => [name, "text"]))
  if (get && prompt) await call(get, { name: prompt.name, arguments: args })
}

async function play(): Promise<void> {
  const { tools } = await source.adapter.listTools({ ...request, document: null })
  const byName = new Map(tools.map((tool) => [tool.name as string, tool]))
  const own = tools.filter((tool) => !/^(resources|prompts)\./.test(tool.name))
  if (context.toolCalls !== undefined) {
    for (const { name, arguments: args } of context.toolCalls) {
      const tool = byName.get(name)
      if (tool !== undefined) await call(tool, args)
    }
    return
  }
  const focal = byName.get("json_schema_2020_12_tool")
  const results = await Promise.all(
    own.map((tool) => {
      const schema = JSON.parse(tool.inputSchema) as JsonSchema // what the server sent
      const isEcho = focal !== undefined && tool !== focal
      return call(tool, isEcho ? { schema: JSON.parse(focal.inputSchema) as unknown } : fill(schema, "all"))
    }),
  )
  for (const [index, result] of results.entries())
    if (!result.ok) process.stderr.write(`${own[index]?.name ?? ""}: ${result.error.message}\n`)
  await callMethods(byName)
}

try {
  await play()
} finally {
  await source.close()
  await network.close()
}
