// A catalog's declarations in use: what an editor accepts of `tools`, and what it refuses.
import path from "node:path"
import { expect, it } from "vitest"
import type { CatalogIntegration, CatalogTypesOptions } from "./catalog-types.ts"
import { printCatalogTypes } from "./catalog-types.ts"
import type { CatalogTool, CatalogToolSet } from "./catalog-tool-set.ts"
import { compileErrors } from "./testing/compiler.ts"

const string = { type: "string" }
const issue = { type: "object", properties: { title: string, parent: { $ref: "#/$defs/issue" } }, required: ["title"] }

const tool = (name: string, input: unknown = { type: "object", additionalProperties: false }, output: unknown = null): CatalogTool => ({
  name,
  summary: "",
  description: `Does ${name}. */ More.`,
  deprecated: name === "old",
  inputSchema: JSON.stringify(input),
  outputSchema: output === null ? null : JSON.stringify(output),
})

const issueTools: CatalogToolSet = {
  connections: [{ owner: "org", connection: "main" }],
  tools: [
    tool("issues.create", { type: "object", properties: { title: string, body: string }, required: ["title"] }, { $ref: "#/$defs/issue" }),
    tool("issues.list", { type: "object", properties: { page: { type: "integer" } } }, { type: "array", items: { $ref: "#/$defs/issue" } }),
    tool("issues", undefined, string),
    tool("user.get", undefined, string),
    tool("old"),
    tool("new"),
    tool("constructor.prototype.__proto__"),
  ],
  definitions: new Map([["issue", JSON.stringify(issue)]]),
}
const one: CatalogIntegration = { slug: "github", name: "GitHub */", toolSets: [issueTools] }

async function printed(integrations: readonly CatalogIntegration[], options: CatalogTypesOptions = {}): Promise<string> {
  let text = ""
  for await (const piece of printCatalogTypes(integrations, options)) text += piece
  return text
}

/** What the compiler says against the code; and each line of `wrong` that it lets pass. */
async function errorsOf(declarations: string, code: string, wrong: readonly string[] = []): Promise<string[]> {
  const files = new Map([
    ["tools.d.ts", declarations],
    ["code.ts", `export {}\n${code}`],
    ["wrong.ts", `export {}\n${wrong.join("\n")}`],
  ])
  const errors = await compileErrors(files)
  const isOf = (line: number) => (error: string) => error.includes(`wrong.ts(${line},`)
  const passed = wrong.filter((_line, index) => !errors.some(isOf(index + 2)))
  return [...errors.filter((error) => error.includes(".ts(") && !error.includes("wrong.ts(")), ...passed]
}

it("types full and short paths, arguments, results and discovery", async () => {
  const code = `
    const created = await tools.github.org.main.issues.create({ title: "a" })
    if (created.ok) { const title: string = created.data.title; const status: number | undefined = created.http?.status }
    else { const code: string = created.error.code }
    const issue = await tools.github.issues.create({ title: "a", body: "b" }).unwrap()
    const grandparent: string | undefined = issue.parent?.parent?.title
    const all = await tools.github.issues.list().unwrap()
    const first: string | undefined = all[0]?.title
    const called: string = await tools.github.issues().unwrap()
    const login: string = await tools.github.user.get({}).unwrap()
    await tools.github.new()
    await tools.github.constructor.prototype.__proto__()
    const found = await tools.search({ query: "issues" })
    const path: string | undefined = found.items[0]?.path
    const sources = await tools.executor.sources.list()
  `
  const wrong = [
    'await tools.github.issues.create({ body: "b" })',
    "await tools.github.issues.create({ title: 5 })",
    'await tools.github.issues.create({ title: "a", titel: "b" })',
    "await tools.github.issues.create()",
    "await tools.github.issues.remove()",
    "await tools.github.org.other.issues.list()",
    'const data: { title: string } = await tools.github.issues.create({ title: "a" })',
  ]
  expect(await errorsOf(await printed([one]), code, wrong)).toEqual([])
})

it("gives a short path only to tools of a single connection", async () => {
  const shared: CatalogToolSet = {
    ...issueTools,
    connections: [
      { owner: "org", connection: "main" },
      { owner: "user", connection: "mine" },
    ],
  }
  const other: CatalogToolSet = {
    connections: [{ owner: "org", connection: "other" }],
    tools: [tool("issues.list"), tool("issues.only.here", undefined, string)],
    definitions: () => undefined,
  }
  const twice: CatalogToolSet = {
    ...issueTools,
    connections: [
      { owner: "org", connection: "a" },
      { owner: "org", connection: "b" },
    ],
  }
  const code = `
    await tools.github.user.mine.issues.list({ page: 1 })
    await tools.github.org.other.issues.list({})
    const text: string = await tools.github.issues.only.here().unwrap()
    await tools.twice.org.b.issues.list()
  `
  const text = await printed([
    { slug: "github", name: "", toolSets: [shared, other] },
    { slug: "twice", name: "", toolSets: [twice] },
  ])
  const wrong = ["await tools.github.issues.list()", "await tools.twice.issues.list()"]
  expect(await errorsOf(text, code, wrong)).toEqual([])
})

it("places static tools behind their slug, beside the built-ins of the same name", async () => {
  const core: CatalogToolSet = {
    connections: [],
    tools: [tool("coreTools.connections.list", undefined, { type: "array", items: string })],
    definitions: new Map(),
  }
  const code = `
    const names: string[] = await tools.executor.coreTools.connections.list().unwrap()
    await tools.executor.results.read({ executionId: "1" })
    await tools.class.items.list()
  `
  const text = await printed([
    { slug: "executor", name: "", toolSets: [core] },
    { slug: "class", name: "", toolSets: [{ ...core, tools: [tool("items.list")] }] },
  ])
  expect(await errorsOf(text, code)).toEqual([])
})

it("types raw results", async () => {
  const code = `const title: string = (await tools.github.issues.create({ title: "a" })).title`
  expect(await errorsOf(await printed([one], { results: "raw" }), code)).toEqual([])
})

it("prints definitions once and comments that stay comments", async () => {
  const text = await printed([one])
  expect(text.match(/type Issue = /g)).toHaveLength(1)
  expect(text).toContain("/** GitHub *\\/ */\nexport namespace Github {")
  expect(text).toContain("    /** @deprecated Does old. */\n    old(args?: Record<string, never>): ToolCall<unknown>;")
})

it("types discovery as the product answers it", async () => {
  const code = `
    import type { BriefSearchItem, SearchPage, SourcePage, ToolDefinitions, ToolDescription } from ${JSON.stringify(path.join(import.meta.dirname, "../core/discovery.ts"))}
    const found: SearchPage<BriefSearchItem> = await tools.search({ query: "a", namespace: "github", limit: 5, offset: 0 })
    const verbose: SearchPage = await tools.search({ query: "a", verbose: true })
    const named: ToolDefinitions | { error: { code: string } } = await tools.describe.tool({ path: "a", definitions: ["Pet"] })
    const sources: SourcePage = await tools.executor.sources.list({ query: "a" })
    const described: ToolDescription | { error: { code: "tool_not_found" | "tool_blocked"; suggestions: string[] } } = await tools.describe.tool({ path: "a" })
  `
  expect(await errorsOf(await printed([]), code)).toEqual([])
})

it("is an empty catalog without integrations", async () => {
  expect(await errorsOf(await printed([]), "await tools.catalog.namespaces()")).toEqual([])
})

it("comes in pieces while integrations are still being read", async () => {
  let read = 0
  async function* integrations(): AsyncGenerator<CatalogIntegration> {
    const tools = Array.from({ length: 2000 }, (_, index) => tool(`group${index % 50}.tool${index}`))
    for (; read < 5; read++) yield await Promise.resolve({ ...one, slug: `s${read}`, toolSets: [{ ...issueTools, tools }] })
  }
  const pieces = printCatalogTypes(integrations())
  await pieces.next()
  expect(read).toBe(0)
  for await (const piece of pieces) expect(piece).not.toBe("")
  expect(read).toBe(5)
})
