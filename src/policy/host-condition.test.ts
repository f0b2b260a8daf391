// Tests that a rule for a host covers that host alone, whatever an address pretends to be.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { evaluate } from "./condition.ts"
import { hostCondition } from "./host-condition.ts"

const isMet = (address: string, called: string): boolean => evaluate(hostCondition("url", address), { url: called }) === "met"

describe("a rule for a host", () => {
  test("covers every page of it", () => {
    expect(hostCondition("url", "https://Example.com/a?b=c")).toEqual({ arg: "url", op: "like", value: "https://example.com/*" })
    expect(isMet("https://example.com/a", "https://example.com/")).toBe(true)
    expect(isMet("https://example.com", "https://example.com/a/b?c=https://x/#y")).toBe(true)
    expect(isMet("http://127.0.0.1:8080/a", "http://127.0.0.1:8080/b")).toBe(true)
  })

  test.each([
    "https://example.com.evil.test/a",
    "https://example.com@evil.test/a",
    "https://example.com:pass@evil.test/",
    "https://example.com:8443/a",
    "https://example.com\\@evil.test/",
    "https://example.com\t.evil.test/",
    "https://example.comevil.test/",
    "http://example.com/a",
    "https://evil.test/?https://example.com/",
    "//example.com/a",
    " https://evil.test/https://example.com/",
    "https:evil.test/example.com/",
  ])("does not cover %j", (called) => {
    expect(isMet("https://example.com/a", called)).toBe(false)
  })

  test("covers no other host by a wildcard in its name", () => {
    expect(hostCondition("url", "https://*/x")).toEqual({ arg: "url", op: "eq", value: "https://*/x" })
    expect(isMet("https://*.test/x", "https://evil.test/x")).toBe(false)
    expect(isMet("https://*.test/x", "https://*.test/x")).toBe(true)
  })

  test.each([undefined, 5, "", "no url", "ftp://example.com/x", "x".repeat(20_000)])("allows nothing of %j", (address) => {
    expect(evaluate(hostCondition("url", address), { url: "https://example.com/" })).not.toBe("met")
  })

  test("whatever it covers goes to the same origin", () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.string(), (address, rest) => {
        const { value } = hostCondition("url", address)
        const called = `${String(value).replace(/\*$/, "")}${rest}`
        if (!isMet(address, called)) return
        expect(new URL(called).origin).toBe(new URL(address).origin)
      }),
    )
  })
})
