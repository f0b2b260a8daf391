// Asks of many tools whether they are visible before a search does, and of few only what it finds.
import { expect, test } from "vitest"
import type { IndexedTool, Mount } from "../indexed-tool.ts"
import { createSearchIndex } from "../search-index.ts"
import type { SearchIndex } from "../search-index.ts"
import { indexedTool } from "../testing/tool.ts"
import { warmUp } from "../warm-up.ts"

const toolsOf = (count: number): IndexedTool[] =>
  Array.from({ length: count }, (_, number) =>
    indexedTool(`things.make${number}`, number === 7 ? "Make a teapot" : "Make a thing", { effect: "write" }),
  )

type Asking = { readonly mount: Mount; readonly asked: string[] }

/** `costMs`: how long a question takes; some policies are slow. */
function asking(toolSet: string, costMs = 0): Asking {
  const asked: string[] = []
  const isVisible = (name: string): boolean => {
    for (const end = performance.now() + costMs; performance.now() < end;);
    return asked.push(name) > 0 && name !== "things.make3"
  }
  return { mount: { toolSet, prefix: "x.org.main", integration: "x", integrationName: "X", isVisible }, asked }
}

const totalOf = (index: SearchIndex, query: string, mount: Mount): number => index.search({ query, limit: 1, offset: 0 }, [mount]).total

test("of many tools all are asked for once, in slices, before a search needs them", async () => {
  const index = createSearchIndex()
  await index.put("many", toolsOf(3000))
  const { mount, asked } = asking("many", 0.02)
  const seen = new Set<number>()
  const watch = { isOver: false }
  const look = (): void => {
    seen.add(asked.length)
    if (!watch.isOver) setImmediate(look)
  }
  setImmediate(look)
  await index.prepare([mount])
  watch.isOver = true
  expect(new Set(asked).size).toBe(3000)
  expect(seen.size).toBeGreaterThan(1)
  expect(totalOf(index, "x.things.make", mount)).toBe(2999)
  await index.prepare([mount])
  expect(asked.length).toBe(3000)
})

test("of few tools only those are asked for that a search finds", async () => {
  const index = createSearchIndex()
  await index.put("few", toolsOf(100))
  const { mount, asked } = asking("few")
  await index.prepare([mount])
  expect(asked).toEqual([])
  expect(totalOf(index, "teapot", mount)).toBe(1)
  expect(asked).toEqual(["things.make7"])
})

test("the answers for a tool set that was replaced are not used", async () => {
  const index = createSearchIndex()
  await index.put("set", toolsOf(2500))
  const { mount, asked } = asking("set")
  await index.prepare([mount])
  await index.put("set", toolsOf(2600))
  await index.prepare([mount, { ...mount, toolSet: "unknown" }])
  expect(asked.length).toBe(5100)
  expect(totalOf(index, "x.things.make", mount)).toBe(2599)
})

test("what is run before the first search of a large catalog is run once", async () => {
  await createSearchIndex().put("large", toolsOf(5000))
  expect([...warmUp()]).toEqual([])
})
