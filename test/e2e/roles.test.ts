// A role shows and calls what its patterns name and nothing else, through every surface.
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openSqliteStore } from "../../src/store/sqlite.ts"
import type { Store } from "../../src/store/store.ts"
import type { ConnectionView } from "../../src/core/connection.ts"
import type { IntegrationView } from "../../src/core/integration.ts"
import type { Page } from "../../src/core/page.ts"
import type { PolicyView } from "../../src/core/policy.ts"
import { roleRow } from "../../src/store/testing/samples.ts"
import { openCli } from "./cli-run.ts"
import { connectMcp } from "./mcp-client.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"
import { connectCatalog, personWith, seenThrough } from "./role-surfaces.ts"
import type { RoleCatalog } from "./role-surfaces.ts"

const catalog: RoleCatalog = {
  github: ["issues.create", "issues.list", "repos.get"],
  linear: ["issues.create", "issues.comments.create", "projects.list"],
  slack: ["channels.list", "channels.create", "users.list"],
  jira: ["tickets.open"],
}
/** As the seed has it. */
const developer = JSON.parse(`{
  "id": "developer",
  "name": "Developer",
  "patterns": ["github.**", "linear.issues.*", "slack.channels.list"]
}`) as { patterns: string[] } // what stands above
const visible = ["github.issues.create", "github.issues.list", "github.repos.get", "linear.issues.create", "slack.channels.list"]
const hidden = ["linear.issues.comments.create", "slack.channels.create", "slack.users.list", "jira.tickets.open"]

let product: Product
let store: Store
let upstream: Awaited<ReturnType<typeof connectCatalog>>
let token: string
beforeAll(async () => {
  product = await startProduct()
  store = await openSqliteStore({ path: join(product.dataDir, "executor.db") })
  upstream = await connectCatalog(catalog, product)
  token = await personWith(store, "dev", developer.patterns)
})
afterAll(async () => {
  await store.close()
  await product.stop()
  await upstream.close()
})

describe("a developer", () => {
  test("finds, describes, types and calls these tools and no others, over HTTP, SDK, /mcp/direct and in code", async () => {
    upstream.called.length = 0
    const seen = await seenThrough(product, token, catalog)
    for (const [surface, subjects] of Object.entries(seen)) expect([surface, subjects]).toEqual([surface, visible])
    expect([...new Set(upstream.called)].toSorted()).toEqual(visible)
  })

  test("reads of nothing else in the description of execute", async () => {
    const client = await connectMcp(`${product.url}/mcp`, { era: "modern", token })
    const { tools } = await client.listTools()
    const { description = "" } = tools.find(({ name }) => name === "execute") ?? {}
    expect(description).toContain("5 tools of 3 connected services")
    for (const word of ["github", "linear", "slack"]) expect(description).toContain(word)
    for (const word of ["jira", "projects", "users"]) expect(description).not.toContain(word)
    await client.close()
  })

  test("uses the same tools on the command line", async () => {
    const cli = openCli(product.dataDir)
    const env = { EXECUTOR_TOKEN: token }
    const listed = (await cli.run(["tools", "list"], { env })).stdout
    for (const subject of visible) expect(listed).toContain(subject.replace(".", ".org.main."))
    for (const subject of hidden) expect(listed).not.toContain(subject.slice(subject.indexOf(".") + 1))
    expect((await cli.run(["call", "github.issues.create"], { env })).code).toBe(0)
    const refused = await cli.run(["call", "jira.tickets.open"], { env })
    expect(refused.code).not.toBe(0)
    expect(refused.stdout + refused.stderr).toContain("None of your roles includes 'jira.tickets.open'; ask an admin")
  })

  test("is suggested nothing that is hidden, whatever they mistype", async () => {
    const asked = [...hidden.flatMap((subject) => [`${subject}s`, subject.slice(0, -2)]), "jira.x", "jria.tickets.open", "slack.user.list"]
    const code = `
      const said = []
      for (const path of ${JSON.stringify(asked)}) said.push(await tools[path]({}), await tools.describe.tool({ path }))
      said.push(await tools.executor.sources.list({}), await tools.catalog.namespaces({}))
      return said`
    const reply = await product.request("POST", "/executions", { code }, token)
    const text = JSON.stringify(reply.body)
    // Without what they wrote themselves.
    const told = asked.reduce((rest, path) => rest.replaceAll(path, "…"), text).replaceAll("no integration 'jira'", "…")
    for (const subject of hidden) expect(told).not.toContain(subject.slice(subject.indexOf(".") + 1))
    expect(told).not.toContain("jira")
    expect(text).toContain("tool_not_found")
  })

  test("is shown no integration and no number of what is hidden", async () => {
    const lists = await Promise.all(["/integrations", "/connections"].map((path) => product.request("GET", path, undefined, token)))
    const [integrations, connections] = lists.map(({ body }) => (body as { items: Record<string, unknown>[] }).items) // as documented
    expect(integrations?.map(({ slug }) => slug)).toEqual(["github", "linear", "slack"])
    const facts = integrations?.map((one) => one["facts"] as { toolCount: number; warnings: unknown[] }) // as documented
    expect(facts?.map(({ toolCount }) => toolCount)).toEqual([3, 1, 1])
    const one = await product.request("GET", "/integrations/github", undefined, token)
    expect(one.body).toMatchObject({ facts: { toolCount: 3 } })
    expect(connections?.map(({ integration, toolCount }) => [integration, toolCount])).toEqual([
      ["github", 3],
      ["linear", 1],
      ["slack", 1],
    ])
    for (const path of ["/integrations/jira", "/connections/org/jira/main", "/integrations/jirra"]) {
      const answer = await product.request("GET", path, undefined, token)
      expect(answer.status).toBe(404)
      expect(JSON.stringify(answer.body)).not.toContain("suggestions")
    }
  })
})

test("the config, warnings about tools, and their number are for those who see them all or manage what is shared", async () => {
  const broken = { operationId: "secret", parameters: [{ $ref: "#/components/parameters/Missing" }], responses: {} }
  const paths = { "/read": { get: { operationId: "read", responses: {} } }, "/secret": { get: broken } }
  const spec = { openapi: "3.1.0", info: { title: "notes", version: "1" }, paths }
  await product.client.integrations.add({ slug: "notes", kind: "openapi", config: { spec, include: ["/read", "/secret"] } })
  await product.client.connections.create({ integration: "notes" })
  const reader = await personWith(store, "reader", ["notes.read"], { kind: "human" })
  const manager = await personWith(store, "manager", ["notes.read"], { kind: "human" })
  await store.roles.put("default", roleRow({ id: "role_manager", name: "manager", patterns: ["notes.read"], rights: ["connections.org"] }))
  const shown = async (as?: string) => {
    const get = async <Body>(path: string): Promise<Body> => (await product.request("GET", path, undefined, as)).body as Body // as documented
    const view = await get<IntegrationView>("/integrations/notes")
    const { items } = await get<Page<IntegrationView>>("/integrations")
    expect(items.find(({ slug }) => slug === "notes")).toEqual(view)
    const { warnings } = await get<ConnectionView>("/connections/org/notes/main")
    expect(warnings).toEqual([expect.stringContaining("baseUrl")])
    const [text, facts] = [JSON.stringify(view), JSON.stringify(view.facts)]
    const names = { config: Object.keys(view.config), hidden: text.includes("secret"), server: facts.includes("baseUrl") }
    return { toolCount: view.facts.toolCount, warnsOfHidden: facts.includes("secret"), ...names }
  }
  const whole = { toolCount: 2, warnsOfHidden: true, config: ["include"], hidden: true, server: true }
  expect(await shown()).toEqual(whole)
  expect(await shown(manager)).toEqual(whole)
  expect(await shown(reader)).toEqual({ toolCount: 1, warnsOfHidden: false, config: [], hidden: false, server: true })
  await product.client.integrations.remove("notes")
})

test("rules are shown to whom they can bind, and to those who edit them", async () => {
  const human = await personWith(store, "ruled", developer.patterns, { kind: "human" })
  const member = await personWith(store, "member", ["*"], { kind: "human" })
  const editor = await personWith(store, "editor", ["slack.**"], { kind: "human" })
  await store.roles.put("default", roleRow({ id: "role_editor", name: "editor", patterns: ["slack.**"], rights: ["policies.edit"] }))
  const seen = ["github.**.create", "linear.org.main.issues.*", "slack.*.*.channels.list", "*.*.*.issues.list", "**"]
  const unseen = ["jira.**", "slack.*.*.users.**", "linear.org.main.issues.comments.create", "*.*.*.tickets.open"]
  const rule = (pattern: string, role?: string) =>
    product.client.policies.create({ owner: "org", pattern, action: "require_approval", ...(role === undefined ? {} : { role }) })
  const made = await Promise.all([...seen, ...unseen, "future.**"].map((pattern) => rule(pattern)))
  made.push(await rule("github.org.main.repos.get", "role_ruled"), await rule("github.org.main.issues.list", "role_member"))
  const idsFor = async (as: string): Promise<string[]> => {
    const { items } = (await product.request("GET", "/policies", undefined, as)).body as Page<PolicyView> // as documented
    const { items: ids } = (await product.request("GET", "/ids?prefix=pol_", undefined, as)).body as Page<string> // as documented
    for (const id of ids) expect(items.map((one) => one.id)).toContain(id)
    return items.map(({ id }) => id).toSorted()
  }
  const idsOf = (rules: readonly PolicyView[]): string[] => rules.map(({ id }) => id).toSorted()
  expect(await idsFor(human)).toEqual(idsOf([...made.slice(0, seen.length), ...made.slice(-2, -1)]))
  expect(await idsFor(member)).toEqual(idsOf([...made.slice(0, -2), ...made.slice(-1)]))
  for (const as of [editor, product.token]) expect(await idsFor(as)).toEqual(idsOf(made))
  // Nor is a rule for a role of others told where the decision about a call is explained.
  const ofOthers = made.at(-1)?.id ?? ""
  const explained = async (as: string): Promise<string> =>
    JSON.stringify((await product.request("POST", "/policies/explain", { address: "github.org.main.issues.list" }, as)).body)
  for (const as of [human, token]) expect(await explained(as)).not.toContain(ofOthers)
  for (const as of [member, product.token]) expect(await explained(as)).toContain(ofOthers)
  for (const { id } of made) await product.client.policies.remove(id)
})

test("a narrowed token of the same user sees less, and both at once", async () => {
  const narrow = await personWith(store, "dev", developer.patterns, { narrowed: ["github.issues.*", "jira.**"] })
  const [less, more] = await Promise.all([narrow, token].map((one) => seenThrough(product, one, catalog)))
  for (const subjects of Object.values(less ?? {})) expect(subjects).toEqual(["github.issues.create", "github.issues.list"])
  for (const subjects of Object.values(more ?? {})) expect(subjects).toEqual(visible)
  const reply = await product.request("POST", "/executions", { code: "return await tools.slack.channels.list({})" }, narrow)
  expect(JSON.stringify(reply.body)).toContain("This token does not include 'slack.channels.list'")
})

test("a user without a role sees no tool", async () => {
  const nobody = await personWith(store, "nobody", [])
  for (const subjects of Object.values(await seenThrough(product, nobody, catalog))) expect(subjects).toEqual([])
  expect((await product.request("GET", "/tools", undefined, nobody)).body).toMatchObject({ items: [], nextCursor: null })
})
