// Where references lead, and where the limits of arguments and messages are.
import { describe, expect, test } from "vitest"
import { withLimits } from "../core/limits.ts"
import type { JsonSchema } from "../core/tool.ts"
import { prepareArgsCheck } from "./check.ts"
import type { ArgsIssue } from "./issue.ts"

const none = (): undefined => undefined
const text = { type: "string" }

function issuesOf(schema: JsonSchema | boolean, args: unknown, definitions: Record<string, JsonSchema> = {}): readonly ArgsIssue[] {
  const verdict = prepareArgsCheck(schema, (name) => definitions[name]).check(args)
  return verdict.ok ? [] : verdict.issues
}

describe("references", () => {
  const definitions = {
    tree: {
      type: "object",
      required: ["value"],
      properties: { value: { type: "number" }, left: { $ref: "#/$defs/tree" }, right: { $ref: "#/$defs/tree" } },
    },
    "odd/name": text,
  }

  test("lead to the definitions of the tool set, also recursively", () => {
    const schema = { properties: { tree: { $ref: "#/$defs/tree" } } }
    expect(issuesOf(schema, { tree: { value: 1, left: { value: 2 } } }, definitions)).toEqual([])
    expect(issuesOf(schema, { tree: { value: 1, left: { right: { value: "x" } } } }, definitions).map((issue) => issue.path)).toEqual([
      "tree.left.value",
      "tree.left.right.value",
    ])
  })

  test("lead to the schema's own parts first, with escapes", () => {
    const schema = {
      $defs: { tree: { type: "boolean" } },
      properties: { a: { $ref: "#/$defs/tree" }, b: { $ref: "#/$defs/odd~1name" }, c: { $ref: "#/properties/a" } },
    }
    expect(issuesOf(schema, { a: 1, b: 1, c: 1 }, definitions).map((issue) => issue.message)).toEqual([
      "Parameter 'a' must be a boolean, got number 1",
      "Parameter 'b' must be a string, got number 1",
      "Parameter 'c' must be a boolean, got number 1",
    ])
  })

  test("are pulled only when a check comes to them", () => {
    const pulled: string[] = []
    const prepared = prepareArgsCheck({ properties: { a: { $ref: "#/$defs/a" }, b: { $ref: "#/$defs/b" } } }, (name) => {
      pulled.push(name)
      return { type: "string" }
    })
    expect(pulled).toEqual([])
    prepared.check({ a: "x" })
    prepared.check({ a: 1 })
    expect(pulled).toEqual(["a"])
  })

  test("never reach what every object has", () => {
    expect(issuesOf({ properties: { a: { $ref: "#/constructor" }, b: { $ref: "#/properties/toString" } } }, { a: 1, b: 2 })).toEqual([])
  })
})

describe("limits", () => {
  const nested = (depth: number): unknown => Array.from({ length: depth }).reduce((inner) => ({ a: inner }), 1)

  test("64 levels pass, 65 do not, and neither does a circle", () => {
    expect(issuesOf({}, nested(64))).toEqual([])
    const circle: Record<string, unknown> = {}
    circle["self"] = circle
    for (const args of [nested(65), circle]) {
      const [issue] = issuesOf({}, args)
      expect(issue).toMatchObject({ code: "invalid_value" })
      expect(issue?.message).toMatch(/is nested deeper than 64 levels$/)
      expect(issue?.message.length).toBeLessThan(300)
    }
  })

  test("counts the bytes of the JSON text exactly at the limit", () => {
    const prepared = prepareArgsCheck({}, none, withLimits({ argsBytesMax: 100 }))
    const withText = (length: number): unknown => ({ a: "é".repeat(length) })
    expect(prepared.check(withText(46))).toEqual({ ok: true })
    expect(prepared.check(withText(47))).toMatchObject({ ok: false, message: "The arguments object exceeds 100 bytes of JSON" })
    expect(prepared.check({ a: "\u0001".repeat(16) })).toMatchObject({ ok: false })
  })

  test("a structure that is small in memory and vast as JSON is refused without being walked", () => {
    const bomb = Array.from({ length: 40 }).reduce((inner) => [inner, inner], "x" as unknown)
    expect(issuesOf({}, { bomb })).toEqual([
      { path: "", code: "invalid_value", message: "The arguments object has more than 50000 values; send them in several calls" },
    ])
  })

  test("wide arguments are refused for their width", () => {
    const wide = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, index]))
    expect(issuesOf({}, { a: [wide] })).toEqual([
      { path: "a[0]", code: "invalid_value", message: "Parameter 'a[0]' has more than 10000 keys; send them in several calls" },
    ])
    expect(issuesOf({}, { a: Array.from({ length: 49_998 }, () => 0) })).toEqual([])
    expect(issuesOf({}, { a: Array.from({ length: 49_999 }, () => 0) })).toHaveLength(1)
  })

  test("the text that arguments came as tells their size", () => {
    const prepared = prepareArgsCheck({}, none, withLimits({ argsBytesMax: 100 }))
    expect(prepared.check({ a: "x".repeat(60) }, "x".repeat(101)).ok).toBe(false)
    expect(prepared.check({ a: "\u0001".repeat(16) }, "x".repeat(100)).ok).toBe(true)
  })

  test("of thousands of properties those that are named are prepared", () => {
    const properties = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`p${index}`, { type: "string", maxLength: 3 }]))
    const prepared = prepareArgsCheck({ properties }, none)
    expect(prepared.check({ p7: "long", p99999: "abc" })).toMatchObject({ ok: false, issues: [{ path: "p7", code: "invalid_value" }] })
    expect(prepared.weight()).toBeLessThan(10)
  })

  test("issues and their messages are bounded", () => {
    const names = Array.from({ length: 500 }, (_, index) => `n${index}${"_long_name".repeat(30)}`)
    const schema = { properties: Object.fromEntries(names.map((name) => [name, { enum: names }])), additionalProperties: false }
    const issues = issuesOf(schema, Object.fromEntries(names.map((name) => [`${name}x`, "y".repeat(1000)])))
    expect(issues.length).toBe(20)
    expect(Math.max(...issues.map((issue) => issue.message.length))).toBeLessThan(1000)
  })
})
