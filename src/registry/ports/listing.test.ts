// Tests that one list has tools of every family in one order, and that drafts are for whoever edits.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { resolveTools } from "../../catalog/tools/resolve-tools.ts"
import { listTools, pageTools, summarizeTools } from "../../catalog/tools/list.ts"
import type { Principal } from "../../core/principal.ts"
import type { ToolFilter, ToolPageRequest, ToolView } from "../../core/tool.ts"
import { createCodeSyntax } from "../../engine/programs/code-syntax.ts"
import { openCluster } from "../../engine/testing/cluster.ts"
import type { Cluster } from "../../engine/testing/cluster.ts"
import type { EngineParts } from "../../engine/engine-parts.ts"
import { staticTool } from "../../engine/testing/samples.ts"
import { createRegistryListing } from "./listing.ts"
import { connectionRow, integrationRow, toolSet } from "../../store/testing/samples.ts"
import { createTool } from "../create.ts"
import { noFunctions, noHints, noReferences } from "../parts.ts"
import type { RegistryParts } from "../parts.ts"
import { publishTool } from "../publish.ts"
import { httpTool } from "../testing/parts.ts"
import { updateTool } from "../update.ts"
import type { ToolListParts } from "../../catalog/tools/list.ts"

let cluster: Cluster
let parts: EngineParts & ToolListParts
let registry: RegistryParts
let admin: Principal
let member: Principal

beforeAll(async () => {
  cluster = await openCluster()
  const joined = cluster.node({ tools: [staticTool("notes.write", "read", async () => ({ ok: true, data: null }))] })
  const { store } = cluster
  registry = { ...joined, functions: noFunctions, references: noReferences, codeSyntax: createCodeSyntax(joined), mcpHints: noHints }
  parts = { ...joined, staleSync: { run: async () => {} }, registryListing: createRegistryListing(registry) }
  member = await cluster.human()
  const { tenant } = member
  await store.tenants.ensure({ tenant, id: "root", name: "Root", roles: ["admin"] })
  admin = { tenant, user: "root", roles: ["admin"], rights: ["admin"], kind: "human", tokenId: null }
  for (const [slug, kind] of [
    ["alpha", "openapi"],
    ["mail", "mcp"],
    ["sheets", "plugin"],
    ["zeta", "graphql"],
  ] as const) {
    await store.integrations.put(admin, integrationRow(slug, { kind }))
    await store.toolSets.put(admin, toolSet(`set-${slug}`, ["a", "b", "c"]))
    await store.connections.put(admin, connectionRow(slug, "org", "main", { toolSetId: `set-${slug}` }))
  }
  for (const [slug, change] of Object.entries({
    draft: {},
    edited: { implementationConfig: { method: "GET", url: "https://api.example.com", headers: { "x-key": "hush" } } },
    live: {},
    off: {},
    old: { implementationType: "custom", implementationConfig: { code: "return 1" } },
  }))
    await createTool(admin, httpTool({ slug, name: slug, ...change }), registry)
  for (const slug of ["edited", "live", "off", "old"]) await publishTool(admin, await idOf(slug), {}, registry)
  await updateTool(
    admin,
    await idOf("edited"),
    { name: "Renamed", implementationConfig: { method: "DELETE", url: "https://api.example.com" } },
    registry,
  )
  await updateTool(admin, await idOf("off"), { isActive: false }, registry)
  await updateTool(admin, await idOf("old"), { status: "deprecated" }, registry)
})
afterAll(() => cluster.close())

const idOf = async (slug: string): Promise<string> => (await cluster.store.registryTools.findBySlug(admin, slug))?.id ?? ""
const list = (principal: Principal, filter: ToolFilter = {}): Promise<ToolView[]> => listTools(principal, filter, {}, parts)
const short = (tools: readonly ToolView[]): string[] =>
  tools.filter(({ integration }) => integration !== "executor").map(({ integration, name }) => `${integration}.${name}`)
const made = (tools: readonly ToolView[]): string[] => tools.filter(({ integration }) => integration === "registry").map(({ name }) => name)

describe("who edits", () => {
  test("sees every status, in the place of the registry in the order of addresses", async () => {
    const tools = short(await list(admin))
    expect(tools.slice(0, 6)).toEqual(["alpha.a", "alpha.b", "alpha.c", "mail.a", "mail.b", "mail.c"])
    expect(tools.slice(6, 11)).toEqual(["registry.draft", "registry.edited", "registry.live", "registry.off", "registry.old"])
    expect(tools.slice(11)).toEqual(["sheets.a", "sheets.b", "sheets.c", "zeta.a", "zeta.b", "zeta.c", "notes.write"])
  })

  test("sees the working copy, with secrets masked", async () => {
    const edited = (await list(admin)).find(({ slug }) => slug === "edited")
    expect(edited).toMatchObject({
      title: "Renamed",
      status: "published",
      version: "1.0.0",
      hasUnpublishedChanges: true,
      policy: "require_approval",
    })
    expect(edited?.configSchema?.implementation).toMatchObject({ method: "DELETE" })
    expect((await list(admin)).find(({ slug }) => slug === "off")).toMatchObject({ isActive: false, status: "published" })
  })
})

describe("others", () => {
  test("see what production resolves, as production runs it", async () => {
    expect(made(await list(member))).toEqual(["edited", "live", "old"])
    const edited = (await list(member)).find(({ slug }) => slug === "edited")
    expect(edited).toMatchObject({ title: "edited", hasUnpublishedChanges: false, policy: "allow", version: "1.0.0" })
    expect(edited?.configSchema?.implementation).toMatchObject({ method: "GET", headers: { "x-key": "***" } })
    expect(JSON.stringify(await list(member))).not.toContain("hush")
    expect(await list(member, { status: "draft" })).toEqual([])
  })

  test("an agent of an admin is one of them", async () => {
    expect(made(await list(await cluster.agentOf(admin)))).toEqual(["edited", "live", "old"])
  })

  test("another tenant has none of it", async () => {
    expect(short(await list(await cluster.human()))).toEqual(["notes.write"])
  })
})

describe("tools that something will call", () => {
  const resolve = async (who: Principal, requirePublished: boolean) =>
    (
      await resolveTools(
        who,
        ["registry.draft", "registry.edited", "mail.a", "registry.off", "nothing.at.all"],
        { requirePublished },
        parts,
      )
    ).map((found) => (found.ok ? `${found.implementationType} ${found.registry?.version ?? "-"}` : found.error.code))

  test("are those of production where they must be published", async () => {
    const expected = ["tool_not_found", "http 1.0.0", "mcp -", "tool_not_found", "tool_not_found"]
    expect(await resolve(admin, true)).toEqual(expected)
    expect(await resolve(member, true)).toEqual(expected)
    expect(await resolve(member, false)).toEqual(expected)
  })

  test("are working copies otherwise, for whoever may debug", async () => {
    const working: unknown = expect.stringMatching(/^http 1\.0\.0\+working\.[0-9a-f]{16}$/)
    expect(await resolve(admin, false)).toEqual([working, working, "mcp -", "tool_blocked", "tool_not_found"])
  })
})

describe("filters", () => {
  test.each<readonly [ToolFilter, readonly string[]]>([
    [{ status: "draft" }, ["registry.draft"]],
    [{ status: "deprecated" }, ["registry.old"]],
    [{ status: "disabled" }, []],
    [{ toolType: "mcp" }, ["mail.a", "mail.b", "mail.c"]],
    [{ implementationType: "function" }, ["sheets.a", "sheets.b", "sheets.c", "notes.write"]],
    [{ implementationType: "custom" }, ["registry.old"]],
    [{ implementationType: "http", integration: "registry", status: "published" }, ["registry.edited", "registry.live", "registry.off"]],
    [{ query: "renamed" }, ["registry.edited"]],
    [{ toolType: "artifact" }, []],
    [{ owner: "user" }, []],
    [{ integration: "zeta", toolType: "custom" }, ["zeta.a", "zeta.b", "zeta.c"]],
  ])("%j lists what they name", async (filter, expected) => {
    expect(short(await list(admin, filter))).toEqual(expected)
  })

  test("tools of sources say what they are", async () => {
    const types = new Map(
      (await list(admin)).map((tool) => [tool.integration as string, `${tool.toolType}/${tool.implementationType}/${tool.version}`]),
    )
    expect(Object.fromEntries(types)).toMatchObject({
      alpha: "custom/http/1",
      mail: "mcp/mcp/1",
      sheets: "custom/function/1",
      zeta: "custom/http/1",
      executor: "built_in/internal/1",
      notes: "custom/function/1",
    })
  })

  test("an address finds its tool alone, whole or short, with or without its root", async () => {
    const whole = await list(admin)
    for (const { address, integration, name } of whole)
      for (const text of [address, address.replace(/^tools\./, "")]) {
        const found = await list(admin, { address: text })
        expect([text, found.map((tool) => tool.address as string)]).toEqual([text, [address]])
        expect((await list(admin, { address: `${integration}.${name}` })).map((tool) => tool.address)).toContain(address)
      }
    expect(await list(admin, { address: "tools.nothing.org.main.here" })).toEqual([])
    expect(await list(admin, { address: "nothing" })).toEqual([])
  })

  test("the summary counts what the list has", async () => {
    for (const who of [admin, member]) {
      const [all, { total, buckets, subtypes, statuses }] = [await list(who), await summarizeTools(who, {}, parts)]
      const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0)
      expect([total, sum(buckets), sum(subtypes), sum(statuses)]).toEqual(Array(4).fill(all.length))
      expect(statuses.draft).toBe(who === admin ? 1 : 0)
      expect(subtypes["custom"]).toBe(1)
    }
  })
})

describe("pages", () => {
  const walk = async (who: Principal, first: ToolPageRequest, filter: ToolFilter = {}): Promise<string[]> => {
    const seen: ToolView[] = []
    for (let page: ToolPageRequest | null = first; page !== null;) {
      const { items, nextCursor } = await pageTools(who, filter, page, parts)
      seen.push(...items)
      page = nextCursor === null ? null : { limit: first.limit ?? 100, cursor: nextCursor }
    }
    return seen.map(({ address }) => address)
  }

  test.each([1, 2, 3, 4, 5, 7, 50])("of %i join to the whole list, for whoever edits and for others", async (limit) => {
    for (const who of [admin, member]) {
      const whole = (await list(who)).map(({ address }) => address as string)
      expect(await walk(who, { limit })).toEqual(whole)
      expect(await walk(who, { limit, skip: 8 })).toEqual(whole.slice(8))
    }
  })

  test("a filter that skips most of the list leaves no gaps", async () => {
    expect(await walk(admin, { limit: 1 }, { status: "published", implementationType: "http" })).toHaveLength(9)
  })

  test("skip leaves out the first, also of the whole list, and not together with a cursor", async () => {
    const whole = await list(admin)
    expect(await listTools(admin, {}, { skip: 3 }, parts)).toEqual(whole.slice(3))
    expect(await listTools(admin, {}, { skip: 10_000 }, parts)).toEqual([])
    const { nextCursor } = await pageTools(admin, {}, { limit: 2, skip: 1 }, parts)
    await expect(pageTools(admin, {}, { skip: 1, cursor: nextCursor ?? "" }, parts)).rejects.toThrow(/skip and cursor exclude each other/)
    await expect(pageTools(admin, {}, { skip: -1 }, parts)).rejects.toThrow(/skip must be a whole number/)
  })
})
