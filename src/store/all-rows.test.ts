// How a list is read to its end, and pages in which what is hidden takes no place.
import { expect, test } from "vitest"
import { eachPage, firstShown } from "./all-rows.ts"
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

const numbers = Array.from({ length: 10_000 }, (_, number) => number)

async function read(after: number | null, limit: number, isShown: (one: number) => boolean) {
  const steps: number[] = []
  const list = (page: { readonly after: number | null; readonly limit: number }): Promise<number[]> => {
    steps.push(page.limit)
    const start = page.after === null ? 0 : page.after + 1
    return Promise.resolve(numbers.slice(start, start + page.limit))
  }
  const shown = await firstShown(
    { after, limit },
    list,
    (one) => one,
    (rows) => rows.filter(isShown),
  )
  return { shown, steps }
}

test("where nothing is hidden, one step is read", async () => {
  expect(await read(4, 3, () => true)).toEqual({ shown: [5, 6, 7], steps: [3] })
})

test("a page is full although most is hidden, in few steps", async () => {
  const { shown, steps } = await read(null, 3, (one) => one % 3000 === 2999)
  expect(shown).toEqual([2999, 5999, 8999])
  expect(steps.length).toBeLessThan(20)
  expect(Math.max(...steps)).toBe(2000)
})

test("the end is known where nothing more is shown", async () => {
  expect((await read(null, 3, (one) => one < 2)).shown).toEqual([0, 1])
})
