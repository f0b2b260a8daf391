// What search finds, how fast and at what cost, beside plain BM25 in the same run: on our golden set and, where they are present, on public ones.
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { evaluateQueries } from "../src/search/evaluation/measure.ts"
import type { FindPaths } from "../src/search/evaluation/measure.ts"
import type { Evaluation, EvaluationCase } from "../src/core/evaluation.ts"
import type { JsonSchema } from "../src/core/tool.ts"
import { parametersIn } from "../src/search/index/parameters.ts"
import type { IndexedTool, Mount } from "../src/search/indexed-tool.ts"
import { plainBm25 } from "../src/search/evaluation/plain-bm25.ts"
import { createSearchIndex } from "../src/search/search-index.ts"
import { systemClock } from "../src/io/clock.ts"
import { githubCatalog } from "../test/eval/github.ts"
import { goldenCases, goldenCatalog, httpCases, httpCatalog, mcpCases, mcpCatalog } from "../test/eval/golden-catalog.ts"
import { table } from "./measure.ts"

const largeCatalogTools = 100_000
const setsFolder = process.env["EXECUTOR_EVAL_SETS"] ?? join(import.meta.dirname, "../../shared/eval")
const publicSets = existsSync(setsFolder) ? globSync(join(setsFolder, "*.json")).toSorted() : []
const cases = goldenCases()
const golden = await goldenCatalog()
const github = githubCatalog()

// Before anything else is searched, because the first search of a process is what it measures as well.
const large = await largeRow()
const rows: string[][] = []
const addRows = async (name: string, ours: FindPaths, plain: FindPaths, asked: readonly EvaluationCase[]): Promise<void> => {
  await evaluateQueries(ours, asked, systemClock)
  rows.push([name, "executor", ...cells(await evaluateQueries(ours, asked, systemClock))])
  rows.push(["", "plain BM25", ...cells(await evaluateQueries(plain, asked, systemClock))])
}
const cells = (found: Evaluation): string[] => [
  String(found.queries),
  ...[found.ndcg5, found.recall5, found.hit1].map((value) => value.toFixed(3)),
  ...[found.p50Ms, found.p99Ms].map((value) => value.toFixed(2)),
]

await addRows(`golden (${golden.plainTools.length} tools)`, golden.find, await plainBm25(golden.plainTools), cases)
const http = await httpCatalog()
await addRows(`names by HTTP (${http.plainTools.length} tools)`, http.find, await plainBm25(http.plainTools), httpCases())
const mcp = await mcpCatalog()
await addRows(`MCP servers (${mcp.plainTools.length} tools)`, mcp.find, await plainBm25(mcp.plainTools), mcpCases())
for (const file of publicSets) await addPublicSet(file)
table(["set", "search", "queries", "nDCG@5", "recall@5", "hit@1", "p50 ms", "p99 ms"], rows)

process.stdout.write("\n")
table(
  [
    "build and size",
    "tools",
    "build CPU ms",
    "arrays MB",
    "texts MB",
    "process heap MB",
    "RSS MB",
    "first path ms",
    "search p50 ms",
    "p99 ms",
  ],
  [await githubRow(), large],
)

type PublicTool = {
  path: string
  description: string
  integration?: string
  name?: string
  category?: string
  parameters?: Record<string, string>
  schema?: JsonSchema
}
type PublicSet = { name: string; tools: PublicTool[]; queries: { query: string; tools: string[] }[] }

/** One mount for each integration of the set. Plain BM25 reads the same text: names, descriptions, categories and parameters. */
async function addPublicSet(file: string): Promise<void> {
  const set = JSON.parse(readFileSync(file, "utf8")) as PublicSet // its README says so
  const index = createSearchIndex()
  const mounts: Mount[] = []
  const pathOf = new Map<string, string>()
  for (const [integrationName, tools] of Map.groupBy(set.tools, (tool) => tool.integration ?? "")) {
    const integration = integrationName.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_")
    const prefix = integration === "" ? "" : `${integration}.org.main`
    mounts.push({ toolSet: integrationName, prefix, integration, integrationName })
    await index.put(
      integrationName,
      tools.map((tool, number) => {
        const name = integration === "" ? tool.path : `${(tool.name ?? "").replaceAll(/\W+/g, "_")}_${number}`
        pathOf.set(prefix === "" ? name : `${prefix}.${name}`, tool.path)
        return indexedTool(tool, name)
      }),
    )
  }
  const find: FindPaths = (query, limit) => index.search({ query, limit, offset: 0 }, mounts).hits.map((hit) => pathOf.get(hit.path) ?? "")
  const asked = set.queries.map(({ query, tools }) => ({ query, tools: Object.fromEntries(tools.map((path) => [path, 1])) }))
  const described = set.tools.map((tool) => ({ path: tool.path, description: allText(tool) }))
  await addRows(`${set.name} (${set.tools.length} tools)`, find, await plainBm25(described), asked)
}

function parametersOf(tool: PublicTool): IndexedTool["parameters"] {
  if (tool.schema !== undefined) return parametersIn(tool.schema)
  return Object.entries(tool.parameters ?? {}).map(([name, description]) => ({ name, description }))
}

function indexedTool(tool: PublicTool, name: string): IndexedTool {
  return {
    name,
    title: tool.integration === undefined || tool.integration === "" ? "" : (tool.name ?? ""),
    summary: "",
    description: tool.description,
    tags: tool.category === undefined ? [] : [tool.category],
    parameters: parametersOf(tool),
    deprecated: false,
    effect: "write",
  }
}

function allText(tool: PublicTool): string {
  const parameters = parametersOf(tool).flatMap(({ name, description }) => [name, description])
  return [tool.integration, tool.name, tool.description, tool.category, ...parameters].join(" ")
}

async function githubRow(): Promise<string[]> {
  const mounts = [{ toolSet: "0", prefix: "github.org.main", integration: "github", integrationName: "GitHub" }]
  return measured("GitHub", [github.tools], mounts)
}

/** GitHub's tools over and over, each time with other words in their names, so that nothing is shared. */
async function largeRow(): Promise<string[]> {
  const copies = Math.ceil(largeCatalogTools / github.tools.length)
  const sets = Array.from({ length: copies }, (_, copy) =>
    github.tools.map((tool) => ({ ...tool, name: `area${copy}.${tool.name}`, description: `${tool.description} Area ${copy}.` })),
  )
  const mounts = sets.map((_, copy) => ({
    toolSet: String(copy),
    prefix: `source${copy}.org.main`,
    integration: `source${copy}`,
    integrationName: "",
  }))
  return measured(`${copies} times GitHub`, sets, mounts)
}

async function measured(name: string, sets: readonly (readonly IndexedTool[])[], mounts: readonly Mount[]): Promise<string[]> {
  const index = createSearchIndex()
  globalThis.gc?.()
  const heapBefore = process.memoryUsage().heapUsed
  const cpuBefore = process.cpuUsage()
  for (const [number, tools] of sets.entries()) await index.put(String(number), tools)
  const cpu = process.cpuUsage(cpuBefore)
  globalThis.gc?.()
  const heap = process.memoryUsage().heapUsed - heapBefore
  const find: FindPaths = (query, limit) => index.search({ query, limit, offset: 0 }, mounts).hits.map((hit) => hit.path)
  const before = performance.now()
  // The beginning of every path.
  await find(mounts.length === 1 ? "github." : "source.area", 12)
  const firstMs = performance.now() - before
  await evaluateQueries(find, cases, systemClock)
  const { p50Ms, p99Ms } = await evaluateQueries(find, cases, systemClock)
  const { tools, arrayBytes, textChars } = index.stats()
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
  return [
    name,
    String(tools),
    ((cpu.user + cpu.system) / 1000).toFixed(0),
    megabytes(arrayBytes),
    megabytes(textChars),
    megabytes(heap),
    megabytes(process.memoryUsage().rss),
    firstMs.toFixed(1),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
  ]
}
