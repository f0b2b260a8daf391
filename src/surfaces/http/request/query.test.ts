// How query strings are read, also hostile ones.
import { expect, test } from "vitest"
import { z } from "zod"
import { queryKeys, readQuery } from "./query.ts"

const keys = queryKeys(
  z.strictObject({ includeBlocked: z.boolean().exactOptional(), limit: z.int().exactOptional(), query: z.string().exactOptional() }),
)

test.each<[string, Record<string, unknown>]>([
  ["", {}],
  ["includeBlocked=true", { includeBlocked: true }],
  ["include_blocked=0", { includeBlocked: false }],
  ["limit=7&query=a%20b+c", { limit: 7, query: "a b c" }],
  ["query=", { query: "" }],
  ["query", { query: "" }],
  ["query=%zz%F0", { query: "%zz\uFFFD" }],
  ["query=1", { query: "1" }],
  // Left as text for the schema to refuse by name.
  ["limit=1e3", { limit: "1e3" }],
  ["limit=", { limit: "" }],
  ["limit=0x10", { limit: "0x10" }],
  ["limit=99999999999999999999", { limit: "99999999999999999999" }],
  ["includeBlocked=yes", { includeBlocked: "yes" }],
])("%j is read as %j", (search, expected) => {
  expect(readQuery(keys, search)).toEqual(expected)
})

test.each([
  "limit=1&limit=2",
  "includeBlocked=true&include_blocked=true",
  "__proto__=1",
  "constructor=1",
  "includeblocked=true",
  "=1",
  "limits=1",
])("%j is refused", (search) => {
  expect(() => readQuery(keys, search)).toThrow(expect.objectContaining({ code: "invalid_request" }))
})

test("an unknown key is answered with the known ones", () => {
  expect(() => readQuery(keys, "limits=1")).toThrow('Unknown query parameter "limits"; it takes includeBlocked, limit, query')
})
