// Cursors: what was given is taken back, and anything else is refused.
import fc from "fast-check"
import { expect, test } from "vitest"
import { decodeCursor, encodeCursor, pageSize, pageWithin, readPage, toPage, viewPage } from "./cursor.ts"
import { defaultLimits } from "./limits.ts"

test("a cursor gives back its key", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (key) => {
      expect(decodeCursor(encodeCursor(key), key.length)).toEqual(key)
    }),
  )
})

test.each([
  "",
  "!!!",
  "bnVsbA",
  encodeCursor(["a"]),
  Buffer.from("[1,2]").toString("base64url"),
  Buffer.from('{"length":2}').toString("base64url"),
])("refuses %j", (text) => expect(() => decodeCursor(text, 2)).toThrow("start again without it"))

test.each([0, -1, 1.5, 1001, Number.NaN])("refuses the page size %d", (limit) =>
  expect(() => pageSize({ limit }, defaultLimits)).toThrow("limit must be"),
)

test("the surplus row makes the next page, and is not shown", () => {
  const page = toPage(
    ["a", "b", "c"],
    2,
    (row) => [row],
    (row) => row,
  )
  expect(page.items).toEqual(["a", "b"])
  expect(decodeCursor(page.nextCursor ?? "", 1)).toEqual(["b"])
  expect(
    toPage(
      ["a", "b"],
      2,
      (row) => [row],
      (row) => row,
    ).nextCursor,
  ).toBeNull()
})

test("pages by size and weight hold every row once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 130 }),
      fc.integer({ min: 1, max: 120 }),
      async (weights, size) => {
        const all = weights.map((bytes, at) => ({ at, bytes }))
        const seen: number[] = []
        let after = -1
        for (;;) {
          const page = await pageWithin<{ at: number; bytes: number }>(
            size,
            100,
            (last, limit) => Promise.resolve(all.slice((last?.at ?? after) + 1).slice(0, limit)),
            (row) => row.bytes,
          )
          const { items, nextCursor } = toPage(
            page.rows,
            page.size,
            (row) => [String(row.at)],
            (row) => row,
          )
          seen.push(...items.map(({ at }) => at))
          expect(items.length).toBeLessThanOrEqual(size)
          expect(items.slice(1).reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(100)
          if (nextCursor === null) break
          after = Number(decodeCursor(nextCursor, 1)?.[0])
        }
        expect(seen).toEqual(all.map(({ at }) => at))
      },
    ),
  )
})

test("a list is walked page by page, and shown as the caller says", async () => {
  const rows = ["a", "b", "c", "d", "e"].map((id) => ({ id }))
  const list = async ({ after, limit }: { readonly after: string | null; readonly limit: number }) =>
    rows.filter(({ id }) => after === null || id > after).slice(0, limit)
  const pages: string[][] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await readPage({ limit: 2, ...(cursor === undefined ? {} : { cursor }) }, defaultLimits, list, ({ id }) => id)
    const viewed = viewPage(page, ({ id }) => id.toUpperCase())
    pages.push([...viewed.items])
    cursor = viewed.nextCursor
  }
  expect(pages).toEqual([["A", "B"], ["C", "D"], ["E"]])
})
