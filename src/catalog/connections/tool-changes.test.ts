// Tests which tools a sync records as changed: in their own words, by what they refer to, and none on a first import.
import { afterAll, expect, test } from "vitest"
import type { DefinitionDiff } from "../../core/registry/diff.ts"
import { defaultLimits } from "../../core/limits.ts"
import { systemClock } from "../../io/clock.ts"
import type { ConnectionRow, ToolSetWrite, ToolWrite } from "../../store/store.ts"
import { openTestStore } from "../../store/testing/open.ts"
import { connectionRef, connectionRow, integrationRow, newScope, toolKey, toolWrite } from "../../store/testing/samples.ts"
import { recordChanges } from "./tool-changes.ts"

const { store, close } = await openTestStore()
afterAll(close)

const ref = connectionRef("github", "org", "main")
const parts = { clock: systemClock, limits: defaultLimits }
let count = 0

type SetOf = { readonly tools: readonly ToolWrite[]; readonly definitions?: Record<string, string> }

/** What a connection's tools are, one after the other. */
async function sync(...sets: readonly (SetOf | null)[]) {
  const scope = newScope()
  await store.integrations.put(scope, integrationRow("github"))
  let before = connectionRow("github", "org", "main")
  await store.connections.put(scope, before)
  for (const given of sets) {
    const set: ToolSetWrite | null =
      given === null
        ? null
        : { id: `set${(count += 1)}`, tools: given.tools, definitions: new Map(Object.entries(given.definitions ?? {})) }
    before = await store.transaction(async (transaction) => {
      if (set !== null) await transaction.toolSets.put(scope, set)
      const after: ConnectionRow = { ...before, toolSetId: set?.id ?? null }
      await transaction.connections.put(scope, after)
      await recordChanges(scope, { before, after }, transaction, parts)
      await transaction.toolSets.collectGarbage(scope)
      return after
    })
  }
  const names = sets.flatMap((set) => set?.tools ?? []).map(({ name }) => name)
  const versions = Object.fromEntries(await store.toolChanges.versions(scope, ref, names))
  const history = async (tool: string) =>
    (await store.toolChanges.list(scope, toolKey("github", "org", "main", tool), { after: null, limit: 100 })).map((row) => ({
      ...row,
      diff: row.diff === null ? null : (JSON.parse(row.diff) as DefinitionDiff), // as it was written
    }))
  return { versions, history }
}

const input = (schema: object): Partial<ToolWrite> => ({ inputSchema: JSON.stringify({ type: "object", ...schema }) })
const uses = (name: string): object => ({ properties: { it: { $ref: `#/$defs/${name}` } } })
const json = (schema: object): string => JSON.stringify(schema)

test("a first import records nothing, and neither does a sync that changes nothing", async () => {
  const tools = [toolWrite("a"), toolWrite("b")]
  expect((await sync({ tools }, { tools: [...tools] })).versions).toEqual({})
  const reordered = await sync(
    { tools: [toolWrite("a", input({ title: "x", description: "y" }))] },
    { tools: [toolWrite("a", { inputSchema: json({ description: "y", title: "x", type: "object" }), binding: "{}" })] },
  )
  expect(reordered.versions).toEqual({})
})

test("changes, removals and returns each are a version", async () => {
  const { versions, history } = await sync(
    { tools: [toolWrite("a"), toolWrite("b")] },
    { tools: [toolWrite("a", { effect: "destroy" }), toolWrite("c")] },
    { tools: [toolWrite("a", { effect: "destroy" }), toolWrite("b"), toolWrite("c")] },
  )
  expect(versions).toEqual({ a: 2, b: 3 })
  expect(await history("a")).toMatchObject([{ version: 2, change: "changed", diff: { kind: "breaking", effectChanged: true } }])
  expect(await history("b")).toMatchObject([
    { version: 3, change: "added", diff: null },
    { version: 2, change: "removed", diff: null },
  ])
  expect(await history("c")).toMatchObject([{ version: 1, change: "added", diff: null }])
})

test("a connection that has lost its credential has no tools, and no history of that", async () => {
  const tools = [toolWrite("a")]
  expect((await sync({ tools }, null, { tools: [toolWrite("a", { title: "Other" })] })).versions).toEqual({})
})

test("a tool whose own words stayed has changed with what it refers to, over others", async () => {
  const tools = [toolWrite("near", input(uses("Box"))), toolWrite("far", input(uses("Outer"))), toolWrite("other", input(uses("Other")))]
  const definitions = { Box: json({ type: "object" }), Outer: json(uses("Box")), Other: json({ type: "string" }) }
  const { versions, history } = await sync(
    { tools, definitions },
    { tools, definitions: { ...definitions, Box: json({ type: "object", required: ["id"] }) } },
  )
  expect(versions).toEqual({ near: 2, far: 2 })
  expect((await history("far"))[0]?.diff).toMatchObject({
    kind: "breaking",
    changes: [{ path: "inputSchema.$defs.Box.required" }],
    json: [{ op: "add", path: "/$defs/Box/required" }],
  })
})

test("a definition that moved out of a tool, or into it, is no change", async () => {
  const definitions = { Box: json({ type: "object" }) }
  const inPlace = [toolWrite("a", input({ properties: { it: { type: "object" } } }))]
  const referred = [toolWrite("a", input(uses("Box")))]
  expect((await sync({ tools: inPlace, definitions }, { tools: referred, definitions })).versions).toEqual({})
  expect((await sync({ tools: referred, definitions }, { tools: inPlace })).versions).toEqual({})
})

test("definitions in circles, and many tools that share one change", async () => {
  const tools = Array.from({ length: 500 }, (_, at) => toolWrite(`t${at}`, input(uses("Node"))))
  const node = (extra: object) => json({ type: "object", properties: { next: { $ref: "#/$defs/Node" }, ...extra } })
  const { versions } = await sync({ tools, definitions: { Node: node({}) } }, { tools, definitions: { Node: node({ a: {} }) } })
  expect(Object.keys(versions)).toHaveLength(500)
})
