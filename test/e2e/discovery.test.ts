// Discovery from inside code, over GitHub's document: the snippets of the catalog guide, with raw results.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createExecutor, parseEvaluationCases } from "../../src/index.ts"
import type { Executor } from "../../src/index.ts"
import { compileErrors } from "../../src/typescript/testing/compiler.ts"
import { startEcho } from "../servers/echo.ts"
import type { Echo } from "../servers/echo.ts"

let echo: Echo
let executor: Executor
const dataDir = mkdtempSync(join(tmpdir(), "executor-discovery-"))

beforeAll(async () => {
  echo = await startEcho()
  executor = await createExecutor({ dataDir })
  const spec = readFileSync(createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json"), "utf8")
  await executor.integrations.add({ slug: "github", kind: "openapi", config: { spec, baseUrl: echo.url } })
  await executor.connections.create({ integration: "github" })
})
afterAll(async () => {
  await executor.close()
  await echo.close()
  rmSync(dataDir, { recursive: true })
})

const resultOf = async (code: string): Promise<unknown> => {
  const run = await executor.run(code, { results: "raw" })
  expect(run.structured).not.toHaveProperty("error")
  return run.structured.status === "waiting_for_interaction" ? "paused" : run.structured.result
}

test("namespaces, catalog and search", async () => {
  expect(await resultOf(`return await tools.catalog.namespaces({})`)).toEqual(["builtin", "github"])
  expect(await resultOf(`return (await tools.catalog.tools({ namespace: "github", limit: 20 })).length`)).toBe(20)
  const page = await resultOf(`return await tools.search({ query: "create an issue" })`)
  expect(page).toMatchObject({
    hasMore: true,
    nextOffset: 12,
    items: expect.arrayContaining([
      {
        path: "github.org.main.issues.create",
        signature: expect.stringContaining("{ owner: string; repo: string; title: string | number; body?"),
        description: "Create an issue",
        requiresApproval: true,
      },
    ]),
  })
  const [verbose] = (await resultOf(`return (await tools.search({ query: "create an issue", verbose: true, limit: 1 })).items`)) as object[]
  expect(verbose).toMatchObject({
    name: "Create an Issue",
    integration: "github",
    score: expect.any(Number),
    signature: expect.any(String),
  })
  const [overApi] = (await executor.tools.search({ query: "create an issue", limit: 1 })).items
  expect(overApi).toEqual(verbose)
  expect(await resultOf(`return (await tools.executor.sources.list({})).items`)).toMatchObject([
    { slug: "github", kind: "openapi", connections: ["github.org.main"] },
    { slug: "builtin", toolCount: 8 },
  ])
})

test("twelve hits with their signatures take at most 2,500 characters", async () => {
  const requests = [
    "list repository issues",
    "create an issue",
    "merge a pull request",
    "did CI pass for this pull request",
    "delete a branch",
    "invite a member",
    "list organization members who have two-factor authentication disabled",
    "github",
    "",
    "download a workflow run's logs and its artifacts",
  ]
  for (const query of requests) {
    const run = await executor.run(`return await tools.search({ query: ${JSON.stringify(query)} })`)
    const { items } = (run.structured as { result: { items: { signature: string; description: string }[] } }).result // as the contract has it
    expect(items.length, query).toBe(12)
    expect(run.text.length, query).toBeLessThanOrEqual(2500)
    for (const { signature, description } of items) expect(`${signature}\n${description}`, query).toMatch(/^\{.*\}\n.+$/)
  }
})

test("so do twelve hits whose paths are most of that", async () => {
  const names = ["namespace", "name", "dryRun", "fieldManager", "fieldValidation", "resourceVersion", "timeoutSeconds", "pretty"]
  const parameters = names.map((name, at) => ({ name, in: "query", required: at < 2, schema: { type: "string" } }))
  const operation = (version: number): object => ({
    operationId: `autoscalingV${version}/replaceAutoscalingV${version}NamespacedHorizontalPodAutoscalerStatus`,
    summary: "Replace the status of the specified HorizontalPodAutoscaler of a namespace",
    parameters,
    responses: {},
  })
  const paths = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`/v${at + 10}`, { put: operation(at + 10) }]))
  const spec = { openapi: "3.1.0", info: { title: "Cluster", version: "1" }, paths }
  await executor.integrations.add({ slug: "cluster", kind: "openapi", config: { spec, baseUrl: echo.url } })
  await executor.connections.create({ integration: "cluster" })
  const run = await executor.run(`return await tools.search({ query: "replace the status of a pod autoscaler", namespace: "cluster" })`)
  const { items } = (run.structured as { result: { items: { signature: string; description: string }[] } }).result // as the contract has it
  expect(items.length).toBe(12)
  for (const item of items)
    expect(item).toMatchObject({ signature: expect.stringMatching(/^\{ name/), description: expect.stringMatching(/^Replace/) })
  expect(run.text.length).toBeLessThanOrEqual(2500)
  await executor.integrations.remove("cluster")
})

test("a request that nothing fits has at most three hits, and is told which services are connected", async () => {
  const answer = await resultOf(`return await tools.search({ query: "book a hotel with breakfast and a vegan restaurant in Lisbon" })`)
  expect(answer).toMatchObject({ weak: true, hasMore: false, nextOffset: null, message: expect.stringContaining("github") })
  const { items, total } = answer as { items: object[]; total: number } // as the contract has it
  expect(items.length).toBeLessThanOrEqual(3)
  expect(total).toBe(items.length)

  const elsewhere = await resultOf(`return await tools.search({ query: "create an issue", namespace: "gihub" })`)
  expect(elsewhere).toMatchObject({ weak: true, items: [], message: expect.stringMatching(/^No tool in 'gihub' fits well\. .*github/) })
})

test("ordinary requests do not find Executor's own tools, and count what is worth showing", async () => {
  for (const query of ["list repository issues", "create a token", "show an organization's members", "delete a secret"]) {
    const { items, total } = (await resultOf(`return await tools.search({ query: ${JSON.stringify(query)} })`)) as {
      items: { path: string }[]
      total: number
    } // as the contract has it
    expect(
      items.slice(0, 5).filter(({ path }) => !path.startsWith("github.")),
      query,
    ).toEqual([])
    expect(total, query).toBeLessThan(800)
  }
})

test("pages of any size show every hit once", async () => {
  const paths = `(await Promise.all([0, 7, 14, 21, 28].map((offset) => tools.search({ query: "list repository issues", limit: 7, offset })))).flatMap((page) => page.items)`
  const pieces = await resultOf(`return ${paths}.map((item) => item.path)`)
  const whole = await resultOf(`return (await tools.search({ query: "list repository issues", limit: 35 })).items.map((item) => item.path)`)
  expect(pieces).toEqual(whole)
})

test("discover names the best path, which can be called", async () => {
  const code = `
    const discovered = await tools.discover({ query: "github get repository", compact: true })
    if (!discovered.bestPath) return discovered.results.map((one) => one.path)
    const answer = await tools[discovered.bestPath]({ owner: "octocat", repo: "hello-world" })
    return [discovered.bestPath, answer.path]`
  expect(await resultOf(code)).toEqual(["github.org.main.repos.get", "/repos/octocat/hello-world"])
  const schemas = await resultOf(`return (await tools.discover({ query: "create issue", includeSchemas: true, limit: 1 })).results[0]`)
  expect(schemas).toMatchObject({ inputSchema: { type: "object" } })
})

test("describe gives TypeScript, or suggestions", async () => {
  const described = await resultOf(`return await tools.describe.tool({ path: "github.issues.create" })`)
  expect(described).toMatchObject({
    path: "github.org.main.issues.create",
    inputTypeScript: expect.stringContaining("repo: string"),
    requiresApproval: true,
  })
  expect(await resultOf(`return await tools.describe.tool({ path: "github.issues.creat" })`)).toMatchObject({
    error: { code: "tool_not_found", suggestions: expect.arrayContaining(["github.org.main.issues.create"]) },
  })
  expect(await resultOf(`return (await tools.describe.tool({ path: "gihub.repos.get" })).error.suggestions[0]`)).toBe(
    "github.org.main.repos.get",
  )
})

test("describe shows the input whole and the output one level deep, the rest when it is asked for", async () => {
  type Described = { typeScriptDefinitions: Record<string, string>; moreDefinitions: string[] }
  const described = (path: string, definitions?: string[]): Promise<unknown> =>
    resultOf(`return await tools.describe.tool(${JSON.stringify({ path, definitions })})`)
  const issue = (await described("github.issues.create")) as Described
  expect(JSON.stringify(issue).length).toBeLessThan(4000)
  expect(issue).toMatchObject({
    inputTypeScript: expect.stringContaining("issue_field_values?: {\n    field_id: number;"),
    outputTypeScript: "Issue",
    typeScriptDefinitions: { Issue: expect.stringContaining("repository?: Repository;") },
  })
  expect(Object.keys(issue.typeScriptDefinitions)).toEqual(["Issue"])
  expect(issue.moreDefinitions).toEqual(expect.arrayContaining(["Repository", "SimpleUser"]))
  const rest = (await described("github.issues.create", ["Repository"])) as Described
  expect(Object.keys(rest)).toEqual(["path", "typeScriptDefinitions", "moreDefinitions"])
  expect(rest.typeScriptDefinitions["Repository"]).toContain("full_name: string;")
  for (const path of ["github.pulls.get", "github.issues.listForRepo", "github.repos.listForOrg", "github.actions.createWorkflowDispatch"])
    expect(JSON.stringify(await described(path)).length, path).toBeLessThan(5000)
  expect(
    await resultOf(`return tools.describe.tool({ path: "github.issues.create", definitions: ["Repo"] }).catch((error) => error.message)`),
  ).toContain("no definition 'Repo'")
})

test("discover with schemas can be shown as a whole", async () => {
  for (const limit of [1, 3, 12]) {
    const run = await executor.run(`return await tools.discover({ query: "create issue", limit: ${limit}, includeSchemas: true })`)
    expect(run.text.length).toBeLessThan(25_000)
    expect(JSON.parse(run.text)).toMatchObject({
      results: [
        { inputSchema: expect.any(Object), outputSchema: expect.any(Object) },
        ...Array<unknown>(limit - 1).fill(expect.any(Object)),
      ],
    })
  }
})

test("the errors read as documented", async () => {
  expect(await resultOf(`try { await tools.nonexistent.method() } catch (error) { return error.message }`)).toBe(
    "Tool path 'nonexistent.method' not found",
  )
  expect(await resultOf(`try { await tools.github.repos.get({ owner: "octocat" }) } catch (error) { return error.message }`)).toBe(
    "Missing required parameter 'repo'",
  )
  expect(await resultOf(`try { await tools.search({}) } catch (error) { return [error.name, error.code] }`)).toEqual([
    "ToolError",
    "invalid_arguments",
  ])
  for (const call of ["search", "discover", "catalog.tools"])
    expect(
      await resultOf(
        `try { await tools.${call}({ query: "x", namespace: ".".repeat(100_000) + "x" }) } catch (error) { return error.code }`,
      ),
    ).toBe("invalid_arguments")
})

test("arguments that cannot be sent reject, because a built-in has no envelope", async () => {
  const paths = [
    "search",
    "discover",
    "describe.tool",
    "catalog.namespaces",
    "catalog.tools",
    "executor.sources.list",
    "executor.results.read",
  ]
  for (const path of paths)
    expect(await resultOf(`return tools["${path}"](Promise.resolve({})).catch((error) => [error.name, error.code])`)).toEqual([
      "ToolError",
      "invalid_arguments",
    ])
})

test("the catalog's types make code check in an editor", async () => {
  await executor.policies.create({ owner: "org", pattern: "github.org.main.gists.**", action: "block" })
  const declarations = await executor.tools.types()
  const code = `
import "./catalog.d.ts"
const answer = await tools.github.org.main.issues.create({ owner: "o", repo: "r", title: "t" })
export const number: number = answer.ok ? answer.data.number : 0
export const short = tools.github.repos.get({ owner: "o", repo: "r" }).unwrap().then((repo) => repo.full_name.length)
const found = (await tools.search({ query: "x" })).items[0]?.path
export const called = found === undefined ? null : await tools[found]({ any: 1 })
export const byPath = await tools["github.repos.get"]({ owner: "o", repo: "r" })
emit(await load("x"))
`
  const errorsIn = (text: string): Promise<string[]> =>
    compileErrors(
      new Map([
        ["catalog.d.ts", declarations],
        ["code.ts", text],
      ]),
    )
  expect(await errorsIn(code)).toEqual([])
  const wrong = `import "./catalog.d.ts"\nawait tools.github.repos.get({ owner: "o" })\nawait tools.github.gists.list({})`
  expect(await errorsIn(wrong)).toEqual([expect.stringContaining("'repo' is missing"), expect.stringContaining("'gists' does not exist")])
  expect(await executor.tools.types({ integration: "absent" })).not.toContain("namespace github")
})

test("search is measured on one's own requests", async () => {
  const cases = parseEvaluationCases(`
    { "query": "create an issue", "tools": { "github.issues.create": 2 } }
    { "query": "who am I", "tools": ["tools.github.org.main.users.getAuthenticated", "github.absent"] }`)
  const measured = await executor.tools.evaluate(cases)
  expect(measured).toMatchObject({
    search: { queries: 2, hit1: 1 },
    plainBm25: { queries: 2 },
    unknownPaths: ["github.absent"],
    misses: [],
  })
  expect(measured.search.ndcg5).toBeGreaterThan(measured.plainBm25.ndcg5)
  for (const wrong of ["", "[]", '[{"query":"x"}]', '[{"query":"x","tools":{"a":-1}}]', "no json"])
    expect(() => parseEvaluationCases(wrong)).toThrow(/case/i)
})

test("what a policy hides is nowhere, and what is ambiguous is said", async () => {
  const policies = [
    await executor.policies.create({ owner: "org", pattern: "github.org.main.codespaces.**", action: "block" }),
    await executor.policies.create({ owner: "org", pattern: "github.org.second.**", action: "block" }),
  ]
  expect(await resultOf(`return await tools.describe.tool({ path: "github.codespaces.listForAuthenticatedUser" })`)).toMatchObject({
    error: { code: "tool_blocked" },
  })
  const countOf = (items: unknown): number => (items as { toolCount: number }[])[0]?.toolCount ?? 0 // the shape of a source
  const visible = countOf(await resultOf(`return (await tools.executor.sources.list({})).items`))
  expect(visible).toBe((await executor.tools.list({ integration: "github" })).length)
  await executor.connections.create({ integration: "github", name: "second" })
  expect(await executor.tools.types({ integration: "github" })).not.toMatch(/second: Github\.\w+.*\n.*main: Github/)
  for (const { id } of policies) await executor.policies.remove(id)
  expect(await resultOf(`return await tools.describe.tool({ path: "github.issues.create" })`)).toEqual({
    error: { code: "tool_not_found", suggestions: ["github.org.main.issues.create", "github.org.second.issues.create"] },
  })
  await executor.connections.remove({ integration: "github", owner: "org", name: "second" })
})

test("a best path stands out of what it is compared with, however few are asked for", async () => {
  const best = (limit: number): Promise<unknown> =>
    resultOf(`return (await tools.discover({ query: "github repos list", limit: ${limit} })).bestPath`)
  expect(await best(1)).toBe(await best(12))
  expect(await resultOf(`return (await tools["tools.search"]({ query: "create issue", limit: 1 })).items.length`)).toBe(1)
})

test("schemas in an answer refer to nothing outside of it", async () => {
  const [found] = (await resultOf(
    `return (await tools.discover({ query: "github.org.main.repos.get", includeSchemas: true, limit: 1 })).results`,
  )) as [{ outputSchema: { $defs: Record<string, unknown> } }] // as asked for
  const names = new Set([...JSON.stringify(found).matchAll(/#\/\$defs\/([^"]+)/g)].map((match) => match[1]))
  expect([...names].filter((name) => !Object.hasOwn(found.outputSchema.$defs, name ?? ""))).toEqual([])
})

test("a deprecated tool comes after the one that replaces it, on every page, and a text in another language hides nothing", async () => {
  const operation = (operationId: string, summary: string, deprecated = false): object => ({
    get: {
      operationId,
      summary,
      deprecated,
      parameters: [{ name: "postcode", in: "query", schema: { type: "string" } }],
      responses: {},
    },
  })
  const spec = {
    openapi: "3.1.0",
    info: { title: "Parcels", version: "1" },
    paths: {
      "/old": operation("parcels/track", "Track a parcel", true),
      "/new": operation("parcels/track-by-number", "Track a parcel by its number"),
      "/shops": operation("shops/find", "Sucht die Filialen in der Umgebung und zeigt deren Öffnungszeiten"),
    },
  }
  await executor.integrations.add({ slug: "parcels", kind: "openapi", config: { spec, baseUrl: echo.url } })
  await executor.connections.create({ integration: "parcels" })
  const found = async (query: string, limit: number, offset: number) => (await executor.tools.search({ query, limit, offset })).items
  const inTwo = [...(await found("track a parcel", 1, 0)), ...(await found("track a parcel", 1, 1))]
  for (const items of [await found("track a parcel", 2, 0), inTwo])
    expect(items).toMatchObject([
      { path: "parcels.org.main.parcels.trackByNumber" },
      { path: "parcels.org.main.parcels.track", deprecated: true },
    ])
  expect((await found("find parcel shops for a postcode", 1, 0))[0]?.path).toBe("parcels.org.main.shops.find")
  await executor.integrations.remove("parcels")
})

test("a changed document is found at once", async () => {
  const spec = (id: string): object => ({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/x": { get: { operationId: id, responses: {} } } },
  })
  await executor.integrations.add({ slug: "changing", kind: "openapi", config: { spec: spec("apples/list"), baseUrl: echo.url } })
  await executor.connections.create({ integration: "changing" })
  expect((await executor.tools.search({ query: "apples" })).items[0]?.path).toBe("changing.org.main.apples.list")
  await executor.integrations.update("changing", { config: { spec: spec("pears/list"), baseUrl: echo.url } })
  expect((await executor.tools.search({ query: "pears" })).items[0]?.path).toBe("changing.org.main.pears.list")
  await executor.integrations.remove("changing")
})
