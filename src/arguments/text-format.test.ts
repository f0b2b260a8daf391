// Formats: what is refused with a hint, and what is left alone because somebody may mean it.
import { describe, expect, test } from "vitest"
import { checkContent } from "../engine/approvals/content.ts"
import type { JsonSchema } from "../core/tool.ts"
import type { ApprovalRow } from "../store/execution-store.ts"
import { prepareArgsCheck } from "./check.ts"

function messagesOf(schema: JsonSchema, value: unknown): readonly string[] {
  const verdict = prepareArgsCheck({ type: "object", properties: { a: schema } }, () => undefined).check({ a: value })
  return verdict.ok ? [] : verdict.issues.map(({ code, message }) => `${code}: ${message}`)
}

describe("a format", () => {
  test.each([
    ["date", "yesterday", `a date such as 2026-01-31, got "yesterday"`],
    ["date", "2026-02-30", `a date such as 2026-01-31, got "2026-02-30"`],
    ["date", "31.01.2026", `a date such as 2026-01-31, got "31.01.2026"`],
    ["date-time", "next friday", `a date and time such as 2026-01-31T09:30:00Z, got "next friday"`],
    ["date-time", "2026-13-01T10:00:00Z", `a date and time such as 2026-01-31T09:30:00Z, got "2026-13-01T10:00:00Z"`],
    ["email", "nobody", `an e-mail address such as ada@example.com, got "nobody"`],
    ["email", "ada@", `an e-mail address such as ada@example.com, got "ada@"`],
    ["email", "ada@a@b", `an e-mail address such as ada@example.com, got "ada@a@b"`],
    ["email", "ada lovelace@example.com", `an e-mail address such as ada@example.com, got "ada lovelace@example.com"`],
    ["uuid", "42", `a UUID such as 123e4567-e89b-12d3-a456-426614174000, got "42"`],
    ["uuid", "123e4567-e89b-12d3-a456-42661417400g", /^invalid_value/],
    ["uri", "example.com/path", `a URI such as https://example.com/path, got "example.com/path"`],
  ])("%s refuses %j", (format, value, wanted) => {
    const message = typeof wanted === "string" ? `invalid_value: Parameter 'a' must be ${wanted}` : expect.stringMatching(wanted)
    expect(messagesOf({ type: "string", format }, value)).toEqual([message])
    expect(messagesOf({ type: ["string", "null"], format }, value)).toEqual([message])
  })

  test.each([
    ["date", ["2026-01-31", "2024-02-29", "2026-01-31T00:00:00Z", "Jan 31, 2026", "2026-1-5", "20260131", ""]],
    [
      "date-time",
      [
        "2026-01-31T09:30:00Z",
        "2026-01-31T09:30:00.123456789+01:00",
        "2026-01-31T09:30:00",
        "2026-01-31 09:30",
        "2026-01-31t09:30:00z",
        "20260131T093000Z",
        "1769851800",
        "1769851800000",
        "2026-12-31T23:59:60Z",
        "2026-01-31T09:30:00,5Z",
        "2026-01-31T09:30+01:00[Europe/Berlin]",
        "2026-01-31",
        "Sat, 31 Jan 2026 09:30:00 GMT",
        "",
      ],
    ],
    ["email", ["ada@example.com", "ada+x@localhost", "ädä@exämple.com", ""]],
    ["uuid", ["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000", "00000000-0000-0000-0000-000000000000", ""]],
    ["uri", ["https://example.com", "mailto:ada@example.com", "urn:isbn:1", "https://example.com/{id}", "git+ssh://host/a b", ""]],
    ["regex", ["("]],
    ["hostname", ["not a host"]],
    ["made-up", ["x"]],
  ])("%s leaves alone what somebody may mean", (format, values) => {
    for (const value of values) expect(messagesOf({ type: "string", format }, value)).toEqual([])
  })

  test("is asked of texts only, where the type says so", () => {
    expect(messagesOf({ type: ["integer", "string"], format: "date-time" }, 1_700_000_000)).toEqual([])
    expect(messagesOf({ format: "email" }, "nobody")).toEqual([])
    expect(messagesOf({ type: ["string", "null"], format: "email" }, null)).toEqual([])
  })

  test("counts among alternatives, in references and in items", () => {
    const either = {
      anyOf: [
        { type: "string", format: "uuid" },
        { type: "string", format: "email" },
      ],
    }
    expect(messagesOf(either, "ada@example.com")).toEqual([])
    expect(messagesOf(either, "ada")).toEqual([expect.stringMatching(/^schema_branch_mismatch: .*must be a UUID such as/)])
    expect(messagesOf({ type: "array", items: { type: "string", format: "date" } }, ["2026-01-31", "soon"])).toEqual([
      `invalid_value: Parameter 'a[1]' must be a date such as 2026-01-31, got "soon"`,
    ])
  })

  test.each<[string, JsonSchema, unknown]>([
    ["in a tuple", { prefixItems: [{ type: "string", format: "date" }] }, ["soon"]],
    ["in a consequence", JSON.parse(`{ "if": true, "then": { "type": "string", "format": "date" } }`) as JsonSchema, "soon"],
    ["in what a name asks for", { dependentSchemas: { b: { properties: { b: { type: "string", format: "date" } } } } }, { b: "soon" }],
    ["beside what is unevaluated", { properties: { b: { type: "string", format: "date" } }, unevaluatedProperties: false }, { b: "soon" }],
  ])("stays an annotation %s", (_, schema, value) => {
    expect(messagesOf(schema, value)).toEqual([])
  })

  test("is told in one pass, however long the text and however many ask for it", () => {
    const format = { type: "string", format: "email" }
    const start = process.cpuUsage().user
    prepareArgsCheck({ properties: { a: { allOf: Array.from({ length: 3000 }, () => format) } } }, () => undefined).check({
      a: `${"a".repeat(900_000)}@b`,
    })
    expect((process.cpuUsage().user - start) / 1000).toBeLessThan(250)
  })

  test("holds for what a human fills into a form", () => {
    const requestedSchema = JSON.stringify({ type: "object", properties: { mail: { type: "string", format: "email" } } })
    const approval = { kind: "form", requestedSchema } as ApprovalRow // nothing else of it is read
    expect(() => checkContent(approval, { mail: "nobody" }, 1)).toThrow("Parameter 'mail' must be an e-mail address")
    expect(() => checkContent(approval, { mail: "ada@example.com" }, 1)).not.toThrow()
  })
})
