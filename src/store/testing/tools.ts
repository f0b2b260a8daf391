// Conformance of tool sets and of the tools that connections have from them.
import { assert, asyncProperty, constantFrom, integer, record, uniqueArray } from "fast-check"
import { describe, expect, it } from "vitest"
import type { Owner } from "../../core/address.ts"
import type { Scope } from "../../core/principal.ts"
import { sha256 } from "../../io/ids.ts"
import type { ChooseNames, Store, ToolKey, ToolListFilter, ToolListRow, ToolRowFilter } from "../store.ts"
import type { StoreUnderTest } from "./suite.ts"
import { connect, connectionRef, connectionRow, integrationRow, newScope, toolKey, hasToolSet, toolSet, toolWrite } from "./samples.ts"

export function testTools(use: () => StoreUnderTest): void {
  testToolSets(use)
  testToolPages(use)
  testToolFilters(use)
}

function testToolSets(use: () => StoreUnderTest): void {
  describe("tool sets", () => {
    it("answers a tool with its schemas, and definitions by name", async () => {
      const { store } = use()
      const scope = newScope()
      const plain = toolWrite("plain", { outputSchema: '{"type":"null"}', approvalDescription: null, tags: [] })
      const special = toolWrite("issues.create", { effect: "destroy", requiresApproval: false, mayElicit: true, deprecated: true })
      const definitions = new Map([
        ["Issue", '{"type":"object"}'],
        ["__proto__", '{"type":"string"}'],
        ["same", '{"type":"object"}'],
      ])
      await connect(store, scope, "github", "org", { id: "set", tools: [plain, special], definitions })

      expect(await store.tools.get(scope, toolKey("github", "org", "main", "plain"))).toEqual({
        ...plain,
        ...connectionRef("github", "org", "main"),
        kind: "openapi",
        toolSetId: "set",
        inputSchemaHash: sha256(plain.inputSchema),
        outputSchemaHash: sha256('{"type":"null"}'),
      })
      expect(await store.tools.get(scope, toolKey("github", "org", "main", "issues.create"))).toMatchObject({
        ...special,
        outputSchema: null,
        outputSchemaHash: null,
      })
      expect(await store.tools.get(scope, toolKey("github", "org", "main", "nothing"))).toBeNull()
      expect(await store.tools.get(scope, toolKey("github", "user", "main", "plain"))).toBeNull()
      expect(await store.toolSets.definitions(scope, "set", ["same", "unknown", "__proto__", "Issue"])).toEqual(definitions)
      expect(await store.toolSets.definitions(scope, "set", [])).toEqual(new Map())
      expect(await store.toolSets.definitions(scope, "another", ["Issue"])).toEqual(new Map())
      expect(await store.toolSets.names(scope, "set")).toEqual(["issues.create", "plain"])
      expect(await store.toolSets.names(scope, "another")).toEqual([])
      await connect(store, scope, "gitlab", "org", toolSet("another", ["later"]))
      expect(await store.toolSets.names(scope, "another")).toEqual(["later"])
    })

    it("leaves a set that exists as it is", async () => {
      const { store } = use()
      const scope = newScope()
      await connect(store, scope, "github", "org", toolSet("set", ["a", "b"]))
      await store.toolSets.put(scope, toolSet("set", ["c"]))
      expect(await store.tools.count(scope, {})).toBe(2)
      expect(await hasToolSet(store, scope, "set")).toBe(true)
      expect(await hasToolSet(store, scope, "another")).toBe(false)
    })

    it("takes thousands of tools and definitions, and one schema text that many share", async () => {
      const { store } = use()
      const scope = newScope()
      const names = Array.from({ length: 2_345 }, (_, index) => `group.tool${String(index).padStart(5, "0")}`)
      const definitions = Object.fromEntries(names.map((name, index) => [name, JSON.stringify({ const: index % 10 })]))
      const tools = names.map((name) => toolWrite(name, { outputSchema: "{}" }))
      await connect(store, scope, "big", "org", { ...toolSet("big", [], definitions), tools })
      expect(await store.tools.count(scope, {})).toBe(2_345)
      expect((await store.toolSets.definitions(scope, "big", names)).size).toBe(2_345)
      const last = await store.tools.get(scope, toolKey("big", "org", "main", "group.tool02344"))
      expect(last).toMatchObject({ outputSchema: "{}", outputSchemaHash: sha256("{}") })
    })

    it("keeps nothing of a set that has a name twice", async () => {
      const { store } = use()
      const scope = newScope()
      const twice = toolSet("twice", ["a", "b", "a"], { D: "{}" })
      await expect(store.toolSets.put(scope, twice)).rejects.toThrow(/unique/i)
      expect(await hasToolSet(store, scope, "twice")).toBe(false)
      expect(await store.toolSets.definitions(scope, "twice", ["D"])).toEqual(new Map())
    })
  })
}

const keyOf = (row: ToolListRow): ToolKey => ({
  integration: row.integration,
  owner: row.owner,
  connection: row.connection,
  tool: row.name,
})
const pathOf = (row: ToolListRow): string => `${row.integration}.${row.owner}.${row.connection}.${row.name}`

async function listAll(store: Store, scope: Scope, filter: ToolListFilter, limit: number): Promise<ToolListRow[]> {
  const seen: ToolListRow[] = []
  for (let after: ToolKey | null = null; ;) {
    const page: ToolListRow[] = await store.tools.list(scope, filter, { after, limit })
    expect(page.length).toBeLessThanOrEqual(limit)
    seen.push(...page)
    const last = page.at(-1)
    if (!last) return seen
    after = keyOf(last)
  }
}

function testToolPages(use: () => StoreUnderTest): void {
  describe("pages of tools", () => {
    const connection = record({
      integration: constantFrom("a", "b", "b_2", "c"),
      owner: constantFrom<Owner>("org", "user"),
      name: constantFrom("main", "main_2", "x"),
      toolCount: constantFrom(0, 1, 2, 3, 7, 20),
    })
    const connections = uniqueArray(connection, { maxLength: 12, selector: (one) => `${one.integration}.${one.owner}.${one.name}` })

    it("give every tool once and in order, whatever their size", async () => {
      const { store } = use()
      const property = asyncProperty(connections, integer({ min: 1, max: 30 }), async (some, limit) => {
        const scope = newScope()
        const stranger = { ...scope, user: "bob" }
        const expected: string[] = []
        await store.transaction(async (transaction) => {
          for (const slug of new Set(some.map((one) => one.integration))) await transaction.integrations.put(scope, integrationRow(slug))
          for (const { integration, owner, name, toolCount } of some) {
            // Connections with as many tools share one set.
            const names = Array.from({ length: toolCount }, (_, index) => `tool${String(index).padStart(2, "0")}`)
            await transaction.toolSets.put(scope, toolSet(`set${toolCount}`, names))
            const row = connectionRow(integration, owner, name, { toolSetId: `set${toolCount}` })
            await transaction.connections.put(scope, row)
            if (owner === "user") await transaction.connections.put(stranger, row)
            expected.push(...names.map((tool) => `${integration}.${owner}.${name}.${tool}`))
          }
        })
        expect((await listAll(store, scope, {}, limit)).map(pathOf)).toEqual(expected.toSorted())
        expect((await listAll(store, scope, { query: "L0" }, limit)).map(pathOf)).toEqual(
          expected.filter((path) => path.includes(".tool0")).toSorted(),
        )
        expect((await listAll(store, scope, { integration: ["b", "c"] }, limit)).map(pathOf)).toEqual(
          expected.filter((path) => /^[bc]\./.test(path)).toSorted(),
        )
        // Connections that share a set have not the same chosen.
        const isChosen = (integration: string, name: string): boolean =>
          integration === "b" || name.endsWith(integration === "a" ? "1" : "3")
        const choose: ChooseNames = ({ integration }, names) =>
          Promise.resolve(
            integration === "b" ? null : Uint32Array.from(names.keys().filter((position) => isChosen(integration, names[position] ?? ""))),
          )
        expect((await listAll(store, scope, { choose }, limit)).map(pathOf)).toEqual(
          expected.filter((path) => isChosen(path.split(".")[0] ?? "", path)).toSorted(),
        )
        expect(await store.tools.count(scope, {})).toBe(expected.length)
      })
      await assert(property, { numRuns: 25 })
    })

    it("go on after a tool, or a connection, that is gone", async () => {
      const { store } = use()
      const scope = newScope()
      await connect(store, scope, "a", "org", toolSet("set", ["t1", "t3", "t5"]))
      await connect(store, scope, "c", "org", toolSet("set", []))
      const list = async (after: ToolKey): Promise<string[]> => (await store.tools.list(scope, {}, { after, limit: 10 })).map(pathOf)
      expect(await list(toolKey("a", "org", "main", "t2"))).toEqual([
        "a.org.main.t3",
        "a.org.main.t5",
        "c.org.main.t1",
        "c.org.main.t3",
        "c.org.main.t5",
      ])
      expect(await list(toolKey("b", "user", "main", "t9"))).toEqual(["c.org.main.t1", "c.org.main.t3", "c.org.main.t5"])
      expect(await list(toolKey("c", "org", "main", "t5"))).toEqual([])
    })

    it("see the old tools or the new ones while a connection's set is replaced, never a mixture", async () => {
      const { store, other } = use()
      const scope = newScope()
      const setOf = (version: number) =>
        toolSet(
          `v${version}`,
          Array.from({ length: 30 }, (_, index) => `v${version}_tool${index}`),
        )
      await connect(store, scope, "a", "org", setOf(0))
      const progress = { isDone: false }
      const replacing = (async () => {
        for (let version = 1; version <= 15; version += 1) {
          await other.transaction(async (transaction) => {
            await transaction.toolSets.put(scope, setOf(version))
            await transaction.connections.put(scope, connectionRow("a", "org", "main", { toolSetId: `v${version}` }))
            await transaction.toolSets.collectGarbage(scope)
          })
        }
        progress.isDone = true
      })()
      while (!progress.isDone) {
        const page = await store.tools.list(scope, {}, { after: null, limit: 100 })
        const versions = new Set(page.map((row) => row.name.split("_")[0]))
        expect([page.length, versions.size]).toEqual([30, 1])
        await new Promise(setImmediate)
      }
      await replacing
    })
  })
}

function testToolFilters(use: () => StoreUnderTest): void {
  describe("tools by filter", () => {
    it("looks for a text in name and description, whatever its case, and takes it literally", async () => {
      const { store } = use()
      const scope = newScope()
      const descriptions = [
        "100% sure",
        "100 per cent",
        "snake_case",
        "snakeXcase",
        "back\\slash",
        "Über den Fluß",
        "quote ' and \"",
        "line\nbreak",
      ]
      const tools = descriptions.map((description, index) => toolWrite(`tool${index}.getThing`, { description }))
      await connect(store, scope, "a", "org", { id: "set", tools, definitions: new Map() })
      const found = async (query: string): Promise<string[]> => {
        const rows = await store.tools.list(scope, { query }, { after: null, limit: 100 })
        expect([query, await store.tools.count(scope, { query })]).toEqual([query, rows.length])
        return rows.map((row) => row.description)
      }
      expect(await found("0%")).toEqual(["100% sure"])
      expect(await found("snake_")).toEqual(["snake_case"])
      expect(await found("K\\S")).toEqual(["back\\slash"])
      expect(await found("ÜBER")).toEqual(["Über den Fluß"])
      expect(await found("' AND \"")).toEqual(["quote ' and \""])
      expect(await found("TOOL3.GETTHING")).toEqual(["snakeXcase"])
      expect(await found("gett")).toHaveLength(descriptions.length)
      expect(await found("")).toHaveLength(descriptions.length)
      expect(await found("absent")).toEqual([])
    })

    it("counts and lists by integration, owner and connection", async () => {
      const { store } = use()
      const scope = newScope()
      await connect(store, scope, "a", "org", toolSet("two", ["t1", "t2"]))
      await connect(store, scope, "b", "user", toolSet("three", ["t1", "t2", "t3"]))
      await store.connections.put(scope, connectionRow("a", "user", "work", { toolSetId: "three" }))
      await store.connections.put(scope, connectionRow("a", "user", "bare"))
      const both = async (filter: ToolRowFilter): Promise<number> => {
        const count = await store.tools.count(scope, filter)
        expect(await store.tools.list(scope, filter, { after: null, limit: 100 })).toHaveLength(count)
        return count
      }
      expect(await both({})).toBe(8)
      expect(await both({ integration: "a" })).toBe(5)
      expect(await both({ integration: "a", owner: "org" })).toBe(2)
      expect(await both({ owner: "user" })).toBe(6)
      expect(await both({ name: "main", query: "t3" })).toBe(1)
      expect(await both({ integration: "c" })).toBe(0)
      expect(await both({ integration: ["b", "c"] })).toBe(3)
      expect(await both({ integration: ["a", "b"], owner: "user" })).toBe(6)
      expect(await both({ integration: [] })).toBe(0)
    })

    it("finds the visible connections that have a tool", async () => {
      const { store } = use()
      const scope = newScope()
      await connect(store, scope, "a", "org", toolSet("set", ["repos.get", "repos.list"]))
      await store.connections.put(scope, connectionRow("a", "user", "work", { toolSetId: "set" }))
      await store.connections.put({ ...scope, user: "bob" }, connectionRow("a", "user", "his", { toolSetId: "set" }))
      expect(await store.tools.connectionsWith(scope, "a", "repos.get")).toEqual([
        connectionRef("a", "org", "main"),
        connectionRef("a", "user", "work"),
      ])
      expect(await store.tools.connectionsWith(scope, "a", "repos")).toEqual([])
      expect(await store.tools.connectionsWith(scope, "b", "repos.get")).toEqual([])
    })
  })
}
