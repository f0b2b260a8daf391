// Tests what all registry tools have in common, and the types that hand a call to another part of the product.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { AgentBinding } from "../../core/agents/agent.ts"
import type { CodeProgram } from "../../core/call/program.ts"
import type { CallNotice } from "../../core/call/notice.ts"
import { defaultLimits } from "../../core/limits.ts"
import { succeed } from "../../core/result.ts"
import type { BuiltinSettings } from "./ports.ts"
import type { RegistryCaller } from "./testing/caller.ts"
import { bindingOf, secret, startRegistryCaller } from "./testing/caller.ts"

const ledger: unknown[] = []
const clerk: AgentBinding = {
  agentId: "agent_1",
  slug: "clerk",
  version: "1.0.0",
  definition: {
    name: "Clerk",
    description: "",
    instructions: "Help.",
    model: { provider: "local", name: "scripted" },
    tools: [],
    executionMode: "sequential",
    limits: {},
    inputSchema: null,
    outputSchema: null,
  },
  writtenBy: "local",
  publishedBy: "local",
}
let caller: RegistryCaller
beforeAll(async () => {
  caller = await startRegistryCaller({
    functions: {
      find: (name) => (name === "reader" ? { reads: true } : name === "writer" ? { reads: false } : null),
      call: async (name, args, { timeoutMs, who }) => {
        ledger.push({ name, args, timeoutMs, who })
        return succeed(1)
      },
    },
    builtins: {
      effectOf: (key) => (key === "http_request" ? ({ method }) => (method === "DELETE" ? "destroy" : "write") : null),
      call(key, { args, scope }, settings: BuiltinSettings) {
        if (key !== "web_search") return null
        ledger.push({ key, args, user: scope.user, settings })
        return Promise.resolve(succeed(2))
      },
    },
    pipelines: {
      async query(_scope, { pipelineId, query, topK }) {
        if (pipelineId !== "docs") return null
        ledger.push({ query, topK })
        return Promise.resolve(succeed(3))
      },
    },
    agents: { findPublished: async (_scope, ref) => (ref === "clerk" ? clerk : null) },
    tenantCredentials: {
      open: async (_scope, id) => (id === "cred_1" ? { values: { api_key: "planted-key" }, endpoint: "https://api.example.com" } : null),
    },
  })
})
afterAll(() => caller.close())

function runs(answer: unknown = "ran"): {
  readonly programs: CodeProgram[]
  readonly request: { runCode: (program: CodeProgram) => Promise<ReturnType<typeof succeed>> }
} {
  const programs: CodeProgram[] = []
  return {
    programs,
    request: {
      async runCode(program) {
        programs.push(program)
        return succeed(answer)
      },
    },
  }
}

it("reads the implementation type first, and falls back to what the config says", async () => {
  ledger.length = 0
  expect(await caller.call("function", { function_name: "f", type: "http" }, { a: 1 })).toEqual({ ok: true, data: 1 })
  expect(await caller.call("", { function_name: "g", type: "function" })).toEqual({ ok: true, data: 1 })
  expect(ledger).toMatchObject([
    { name: "f", args: { a: 1 }, who: "default/local/" },
    { name: "g", args: {} },
  ])
})

it.each(["", "soap", "toString", "__proto__", "constructor"])("answers the unknown type '%s' with an error", async (type) => {
  const answer = await caller.call(type, {})
  expect(answer).toMatchObject({ ok: false, error: { code: "unknown_implementation_type", message: expect.stringContaining("http, rag") } })
})

it("cannot be added, listed or detected", async () => {
  const { adapter } = caller
  expect(() => adapter.parseConfig({})).toThrow(/POST \/tools/)
  await expect(adapter.listTools({} as Parameters<typeof adapter.listTools>[0])).rejects.toThrow(/nothing to refresh/) // it looks at nothing
})

it("says how many of its calls may run at once, and for how long", () => {
  const binding = JSON.stringify(bindingOf("http", {}, { execution: { max_concurrency: 3, concurrency_group: "crm", timeout_s: 2 } }))
  expect(caller.adapter.executionOf?.({ binding })).toMatchObject({ maxConcurrency: 3, concurrencyGroup: "crm", timeoutMs: 2000 })
  expect(caller.adapter.executionOf?.({ binding: JSON.stringify(bindingOf("http", {})) })).toMatchObject({ maxConcurrency: 1 })
})

it("assumes the worst of MCP tools without a hint alone", () => {
  const assumes = (type: string, annotations?: unknown): boolean | undefined =>
    caller.adapter.assumesEffect?.({ binding: JSON.stringify(bindingOf(type, { annotations })) })
  expect([assumes("mcp"), assumes("mcp", { readOnlyHint: false }), assumes("http")]).toEqual([true, false, false])
})

describe("a deprecated tool", () => {
  it("still runs, and its answer carries a notice beside the data", async () => {
    const notices: CallNotice[] = []
    const deprecation = { code: "deprecated", message: "Use registry.other instead", replacedBy: "registry.other" } as const
    const given = { binding: { deprecation }, request: { notify: (notice: CallNotice) => void notices.push(notice) } }
    expect(await caller.call("function", { function_name: "f" }, {}, given)).toEqual({
      ok: true,
      data: 1,
      notice: deprecation,
    })
    expect(await caller.call("soap", {}, {}, given)).toMatchObject({ ok: false, notice: { code: "deprecated" } })
    expect(notices).toEqual([{ type: "log", level: "warn", text: deprecation.message }, expect.anything()])
  })
})

describe("an artifact", () => {
  const inputs = [
    { name: "city", type: "string", required: true },
    { name: "days", type: "integer", required: false, default: 3 },
    { name: "note", type: "any", required: false },
  ]
  const artifact = { code: "return input", inputs }

  it("gets its arguments by name, with defaults, and nothing else", async () => {
    const { programs, request } = runs()
    const answer = await caller.call("artifact", {}, { city: "{{ days }} ${env:KEY}", other: 1 }, { binding: { artifact }, request })
    expect(answer).toEqual({ ok: true, data: "ran" })
    expect(programs).toMatchObject([{ code: "return input", input: { city: "{{ days }} ${env:KEY}", days: 3 }, reach: null }])
    expect(programs[0]?.input).not.toHaveProperty("other")
  })

  it("fails before anything runs when a required input is missing", async () => {
    const { programs, request } = runs()
    const answer = await caller.call("artifact", {}, { days: 1 }, { binding: { artifact }, request })
    expect(answer).toMatchObject({ ok: false, error: { code: "invalid_arguments", message: expect.stringContaining("'city'") } })
    expect(programs).toEqual([])
  })

  it.each([{ city: 1 }, { city: null }, { city: "a", days: 1.5 }, { city: "a", days: "1" }])("refuses %j", async (args) => {
    const { programs, request } = runs()
    expect(await caller.call("artifact", {}, args, { binding: { artifact }, request })).toMatchObject({
      ok: false,
      error: { code: "invalid_arguments", message: expect.stringContaining("must be of the type") },
    })
    expect(programs).toEqual([])
  })

  it("may stand in the config, where it gets all arguments if it declares none", async () => {
    const { programs, request } = runs()
    await caller.call("artifact", { code: "return 1", timeout_s: 2 }, { a: 1 }, { request })
    expect(programs).toEqual([{ code: "return 1", input: { a: 1 }, reach: null, timeoutMs: 2000 }])
    expect(await caller.call("artifact", {})).toMatchObject({ ok: false, error: { code: "invalid_request" } })
  })

  it("does not take an input from a prototype", async () => {
    const proto = { code: "", inputs: [{ name: "constructor", type: "any", required: true }] }
    expect(await caller.call("artifact", {}, {}, { binding: { artifact: proto } })).toMatchObject({ error: { code: "invalid_arguments" } })
  })
})

describe("a custom tool", () => {
  it.each([
    ["its own author", "local", {}, "all"],
    ["others", "somebody", {}, []],
    ["others, and names what it uses", "somebody", { uses: ["github.issues.*"] }, ["github.issues.*"]],
    ["others, with uses that are no list", "somebody", { uses: "all" }, []],
  ])("called by %s reaches %j", async (_who, writtenBy, more, own) => {
    const { programs, request } = runs()
    await caller.call("custom", { code: "return 1", ...more }, { a: 1 }, { binding: { writtenBy }, request })
    expect(programs).toMatchObject([{ code: "return 1", input: { a: 1 }, reach: { own } }])
  })
})

describe("a built-in with settings", () => {
  it("gets its key and its credential, which are redacted", async () => {
    ledger.length = 0
    const implementation = { builtin: "web_search", api_key: secret("own-key"), credentials_ref: "cred_1" }
    expect(await caller.call("internal", implementation, { query: "x" })).toEqual({ ok: true, data: 2 })
    const credential = { values: { api_key: "planted-key" }, endpoint: "https://api.example.com" }
    expect(ledger).toEqual([{ key: "web_search", args: { query: "x" }, user: "local", settings: { apiKey: "own-key", credential } }])
  })

  it("fails where its credential, or the built-in, is gone", async () => {
    const gone = await caller.call("internal", { builtin: "web_search", credentials_ref: "cred_2" })
    expect(gone).toMatchObject({ ok: false, error: { code: "auth_required", message: expect.stringContaining("cred_2") } })
    expect(await caller.call("internal", { builtin: "nothing" })).toMatchObject({ ok: false, error: { code: "invalid_request" } })
  })
})

it("queries a pipeline, and says when there is none", async () => {
  ledger.length = 0
  expect(await caller.call("rag_retrieval", { pipeline_id: "docs", top_k: 5 }, { query: "x" })).toEqual({ ok: true, data: 3 })
  expect(ledger).toEqual([{ query: "x", topK: 5 }])
  expect(await caller.call("rag_retrieval", { pipeline_id: "none" }, { query: "x" })).toMatchObject({
    ok: false,
    error: { code: "not_found" },
  })
})

it("says that no agent can be run yet", async () => {
  const answer = await caller.call("agent_call", { target_agent_slug: "helper" })
  expect(answer).toMatchObject({ ok: false, error: { code: "not_found", message: expect.stringContaining("'helper'") } })
})

it.each([
  [{ timeout_s: 3 }, {}, 3000],
  [{}, { timeout_s: 2 }, 2000],
  [{ timeout_s: 3 }, { timeout_s: 2 }, 2000],
  [{}, {}, defaultLimits.agentWallMs],
])("runs an agent as long as %j and %j allow", async (implementation, execution, timeoutMs) => {
  const { programs, request } = runs({ runId: "exe_1", output: "Done.", context: {} })
  const given = { binding: { execution }, request }
  await caller.call("agent_call", { target_agent_slug: "clerk", ...implementation }, { text: "Go." }, given)
  expect(programs).toMatchObject([{ kind: "agent", timeoutMs }])
})

describe("what a call does", () => {
  const effect = async (type: string, implementation: Record<string, unknown>, args = {}): Promise<unknown> => {
    const effectOf = caller.adapter.effectOf?.({ binding: JSON.stringify(bindingOf(type, implementation)) }, defaultLimits) ?? null
    return effectOf === null ? "as listed" : effectOf(args)
  }

  it("of a function is what the operator says now, not when the tool was published", async () => {
    expect(await effect("function", { function_name: "reader" })).toBe("read")
    expect(await effect("function", { function_name: "writer" })).toBe("write")
    expect(await effect("function", { function_name: "gone" })).toBe("read")
  })

  it("of a built-in follows from its arguments, where they say it", async () => {
    expect(await effect("internal", { builtin: "http_request" }, { method: "DELETE" })).toBe("destroy")
    expect(await effect("internal", { builtin: "http_request" }, { method: "GET" })).toBe("write")
    expect(await effect("internal", { builtin: "web_search" })).toBe("as listed")
  })

  it("of other types is what was listed", async () => {
    for (const type of ["http", "mcp", "custom", "artifact", "rag_retrieval", "agent_call"])
      expect(await effect(type, {})).toBe("as listed")
    expect(await effect("of another version", {})).toBe("read")
  })
})
