// Reads definitions through a real store, and counts how often it is asked.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openSqliteStore } from "../../store/sqlite.ts"
import type { Store } from "../../store/store.ts"
import { newScope, toolSet } from "../../store/testing/samples.ts"
import { reachableDefinitions } from "./schema-definitions.ts"

const folder = mkdtempSync(join(tmpdir(), "executor-definitions-"))
const scope = newScope()
let opened: Store
let store: Store
let asked: string[][] = []

const ref = (name: string): string => JSON.stringify({ $ref: `#/$defs/${name}` })

beforeAll(async () => {
  opened = await openSqliteStore({ path: join(folder, "store.db") })
  const { toolSets } = opened
  const definitions: typeof toolSets.definitions = (asking, id, names) => {
    asked.push([...names])
    return toolSets.definitions(asking, id, names)
  }
  store = { ...opened, toolSets: { ...toolSets, definitions } }
  await toolSets.put(
    scope,
    toolSet("definitions", [], { A: ref("B"), B: `[${ref("A")},${ref("C")}]`, C: "{}", D: ref("C"), E: ref("Gone") }),
  )
})
afterAll(async () => {
  await opened.close()
  rmSync(folder, { recursive: true })
})

const reach = async (text: string, most?: number): Promise<Record<string, string>> => {
  asked = []
  return Object.fromEntries(await reachableDefinitions(scope, "definitions", [text], store, most === undefined ? {} : { most }))
}

test("a tool reaches what its schema refers to, and what that does", async () => {
  expect(await reach(ref("A"))).toEqual({ A: ref("B"), B: `[${ref("A")},${ref("C")}]`, C: "{}" })
  expect(asked).toEqual([["A"], ["B"], ["C"]])
})

test("what a neighbour reached is not read again", async () => {
  expect(Object.keys(await reach(`[${ref("D")},${ref("B")}]`))).toEqual(["D", "B", "C", "A"])
  expect(asked).toEqual([["D"]])
  expect(Object.keys(await reach(ref("A")))).toEqual(["A", "B", "C"])
  expect(asked).toEqual([])
})

test("what is missing is asked for each time: a set may be stored again", async () => {
  expect(await reach(ref("E"))).toEqual({ E: ref("Gone") })
  await reach(ref("E"))
  expect(asked).toEqual([["Gone"]])
})

test("no more levels are read once enough was found", async () => {
  expect(Object.keys(await reach(ref("A"), 1))).toEqual(["A"])
})
