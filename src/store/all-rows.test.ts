// How a list is read to its end.
import { expect, test } from "vitest"
import { eachPage } from "./all-rows.ts"
import type { After } from "./store.ts"

test.each([
  { count: 0, sizes: [0], asked: [null] },
  { count: 2, sizes: [2], asked: [null] },
  { count: 3, sizes: [3, 0], asked: [null, 2] },
  { count: 7, sizes: [3, 3, 1], asked: [null, 2, 5] },
])("$count rows come in pages of three, each after the last row before it", async ({ count, sizes, asked }) => {
  const positions: (number | null)[] = []
  const list = async ({ after, limit }: After<number>): Promise<{ id: number }[]> => {
    positions.push(after)
    const from = (after ?? -1) + 1
    return Array.from({ length: Math.min(limit, count - from) }, (_, at) => ({ id: from + at }))
  }
  const pages: { id: number }[][] = []
  for await (const rows of eachPage(list, ({ id }) => id, 3)) pages.push(rows)
  expect(pages.map((rows) => rows.length)).toEqual(sizes)
  expect(pages.flat().map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, at) => at))
  expect(positions).toEqual(asked)
})
