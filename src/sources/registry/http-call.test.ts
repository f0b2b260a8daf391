// Tests how a URL is filled with arguments, and which headers they may set.
import { describe, expect, test } from "vitest"
import { checkHeaderArguments, effectOfMethod, fillRequest, withQuery } from "./http-call.ts"

const fill = (method: string, url: string, args: Record<string, unknown>, query: Record<string, unknown> = {}) =>
  fillRequest({ method, url, query }, args)

describe("a URL", () => {
  test("takes arguments by name, encoded; the rest becomes the query of a read", () => {
    expect(fill("GET", "https://api.test/users/{id}/posts", { id: "a/b c?", limit: 5, tags: ["x", "y&z"], none: null })).toEqual({
      url: "https://api.test/users/a%2Fb%20c%3F/posts?limit=5&tags=x&tags=y%26z",
      body: undefined,
    })
  })

  test("or the body of everything else", () => {
    expect(fill("POST", "https://api.test/{id}?v=1", { id: 5, name: "n", deep: { a: 1 } })).toEqual({
      url: "https://api.test/5?v=1",
      body: { name: "n", deep: { a: 1 } },
    })
    expect(fill("delete", "https://api.test/{id}", { id: true, hard: true })).toMatchObject({ url: "https://api.test/true?hard=true" })
  })

  test("keeps what its config says, whatever an argument says", () => {
    expect(fill("GET", "https://api.test/a", { key: "mine", b: 2 }, { key: "theirs" })).toMatchObject({
      url: "https://api.test/a?key=theirs&b=2",
    })
  })

  test("holds a value in the place that it is for", () => {
    expect(fill("GET", "https://api.test/{id}", { id: "@evil.test#x" })).toMatchObject({ url: "https://api.test/%40evil.test%23x" })
    expect(fill("GET", "https://api.test/a#frag", { q: "{id}" })).toMatchObject({ url: "https://api.test/a?q=%7Bid%7D#frag" })
  })

  test.each([".", "..", "../x", "%2e%2e", "..%2fx", "a/../b", "..\\x", "", undefined, null, { a: 1 }, ["x"]])(
    "%j in it is refused",
    (id) => {
      expect(fill("GET", "https://api.test/{id}", { id })).toMatchObject({
        ok: false,
        error: { code: "invalid_arguments", message: expect.stringContaining("'id'") },
      })
    },
  )

  test("what objects inherit is no argument", () => {
    expect(fill("GET", "https://api.test/{constructor}", {})).toMatchObject({ ok: false })
  })

  test("joins a query that it has", () => {
    expect(withQuery("https://a.test/?", [["b", 1]])).toBe("https://a.test/?b=1")
    expect(withQuery("https://a.test/?a", [["b", { c: 1 }]])).toBe("https://a.test/?a&b=%7B%22c%22%3A1%7D")
  })
})

describe("headers in arguments", () => {
  test.each([
    "Authorization",
    "COOKIE",
    "host",
    "Content-Length",
    "transfer-encoding",
    "connection",
    "Proxy-Authorization",
    "upgrade",
    "a b",
    "a:b",
    "",
  ])("may not set %j", (name) => {
    expect(checkHeaderArguments({ [name]: "x" })).toMatchObject({ ok: false, error: { code: "invalid_arguments" } })
  })

  test("hold no control characters, and are texts", () => {
    for (const value of ["a\r\nb: c", "a\0", 5, null]) expect(checkHeaderArguments({ "x-a": value })).toMatchObject({ ok: false })
    expect(checkHeaderArguments({ "X-A": "ü ok" })).toEqual({ ok: true, headers: { "x-a": "ü ok" } })
    expect(checkHeaderArguments(undefined)).toEqual({ ok: true, headers: {} })
  })
})

test.each([
  ["GET", "read"],
  ["head", "read"],
  ["POST", "write"],
  ["PATCH", "write"],
  ["DELETE", "destroy"],
  ["PURGE", "write"],
])("%s is a %s", (method, effect) => {
  expect(effectOfMethod(method)).toBe(effect)
})
