// Cursors: what was given is taken back, and anything else is refused.
import fc from "fast-check"
import { expect, test } from "vitest"
import { decodeCursor, encodeCursor, pageSize, toPage } from "./cursor.ts"
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
