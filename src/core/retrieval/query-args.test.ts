// Reads what models write instead of `query`.
import { expect, it } from "vitest"
import { readQueryArgs } from "./query-args.ts"

it.each(["q", "text", "input", "question", "search"])("reads %s as query", (name) => {
  expect(readQueryArgs({ [name]: "tea", top_k: 3 })).toEqual({ query: "tea", top_k: 3 })
})

it("reads a plain value as query", () => {
  expect(readQueryArgs("tea")).toEqual({ query: "tea" })
  expect(readQueryArgs(12)).toEqual({ query: "12" })
  expect(readQueryArgs({ query: 12 })).toEqual({ query: "12" })
  expect(readQueryArgs({ query: null, q: "tea" })).toEqual({ query: "tea" })
})

it("leaves everything else to the check", () => {
  const given = { query: "tea", q: "coffee" }
  expect(readQueryArgs(given)).toBe(given)
  for (const args of [{}, { q: {} }, { query: ["tea"], q: "x" }, null, ["tea"]]) expect(readQueryArgs(args)).toBe(args)
})
