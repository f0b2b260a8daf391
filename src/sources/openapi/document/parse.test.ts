// Texts of documents, also those that editors, generators and attackers produce.
import { describe, expect, it } from "vitest"
import { ExecutorError } from "../../../core/errors.ts"
import { decodeText, parseText as parseWithin } from "./parse.ts"

const parseText = (text: string): ReturnType<typeof parseWithin> => parseWithin(text, 1_000_000)

describe("a text", () => {
  it.each<[string, string, unknown]>([
    ["JSON", '{"a":1}', { a: 1 }],
    ["YAML", "a: 1\nb: [x, y]", { a: 1, b: ["x", "y"] }],
    ["JSON with a trailing comma and a comment", '{"a": [1, 2,], # why\n}', { a: [1, 2] }],
    ["YAML with dates", "a: 2020-01-01", { a: "2020-01-01" }],
    ["YAML with words that were booleans once", "yes: no\non: off", { yes: "no", on: "off" }],
    ["YAML with numbers as keys", "200: a\n404: b", { 200: "a", 404: "b" }],
    ["YAML with merge keys", "a: &x {b: 1}\nc:\n  <<: *x\n  d: 2", { a: { b: 1 }, c: { b: 1, d: 2 } }],
    ["YAML of several documents", "---\na: 1\n---\nb: 2", { a: 1 }],
  ])("may be %s", (_, text, expected) => {
    expect(parseText(text)).toEqual({ value: expected, warning: null })
  })

  it("with a key that is given twice is read, with a warning", () => {
    expect(parseText("a: 1\nb: 2\na: 3")).toEqual({ value: { a: 3, b: 2 }, warning: "A key is given twice (line 3); the last one counts" })
  })

  it("holds __proto__ as data", () => {
    for (const text of ['{"__proto__":{"polluted":1}}', "__proto__:\n  polluted: 1"]) {
      const { value } = parseText(text)
      expect(Object.keys(value as object)).toEqual(["__proto__"])
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect("polluted" in {}).toBe(false)
    }
  })

  it.each([
    ["{", "JSON"],
    ["a: [", "YAML"],
    ["a: !!int x", "YAML"],
    ["\ta: 1", "YAML"],
    ["<!DOCTYPE html><html></html>", "web page"],
  ])("%j is refused as unreadable %s", (text, format) => {
    expect(() => parseText(text)).toThrow(ExecutorError)
    expect(() => parseText(text)).toThrow(format)
  })

  it("reads what has an unknown tag as plain data, and says so", () => {
    const { value, warning } = parseText("a: !!js/function 'x => 1'\nb: !own [1]\nc: !own {d: !!int 5}\ne: !!str 5\nf: !__proto__ {}")
    expect(value).toEqual({ a: "x => 1", b: [1], c: { d: 5 }, e: "5", f: {} })
    expect(warning).toBe("Unknown YAML tags are read as plain data: tag:yaml.org,2002:js/function, !own, !__proto__")
    expect(parseText("a: !own 1\na: 2")).toEqual({
      value: { a: 2 },
      warning: "A key is given twice (line 2); the last one counts. Unknown YAML tags are read as plain data: !own",
    })
  })

  it("may be nested deeper than a call stack", () => {
    const depth = 200_000
    expect(() => parseText(`${"[".repeat(depth)}${"]".repeat(depth)}`)).not.toThrow()
  })
})

describe("bytes", () => {
  it("are UTF-8 or, where they say so, UTF-16", () => {
    const text = '{"ä":"→"}'
    expect(decodeText(new TextEncoder().encode(text))).toBe(text)
    expect(decodeText(new TextEncoder().encode(`\uFEFF${text}`))).toBe(text)
    expect(decodeText(Buffer.from(`\uFEFF${text}`, "utf16le"))).toBe(text)
    expect(decodeText(Buffer.from(`\uFEFF${text}`, "utf16le").swap16())).toBe(text)
  })
})
