// Batches of rows: one that is wrong is found wherever it stands, and what was found counts when the steps run out.
import { describe, expect, test } from "vitest"
import type { JsonSchema } from "../core/tool.ts"
import { prepareArgsCheck } from "./check.ts"
import type { ArgsIssue } from "./issue.ts"

const row: JsonSchema = {
  type: "object",
  required: ["name", "sku", "qty", "active"],
  additionalProperties: false,
  properties: { name: { type: "string" }, sku: { type: "string" }, qty: { type: "integer" }, active: { type: "boolean" } },
}
const other: JsonSchema = { type: "object", required: ["id"], additionalProperties: false, properties: { id: { type: "integer" } } }

const rowsOf = (items: JsonSchema): JsonSchema => ({ type: "object", properties: { rows: { type: "array", items } } })
const good = (count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => ({ name: `n${index}`, sku: "s", qty: index, active: true }))
const { name: _name, ...nameless } = { name: "", sku: "s", qty: 1, active: true }

function issuesOf(schema: JsonSchema, args: unknown, definitions: Record<string, JsonSchema> = {}): readonly ArgsIssue[] {
  const verdict = prepareArgsCheck(schema, (name) => definitions[name]).check(args)
  return verdict.ok ? [] : verdict.issues
}

describe("a batch", () => {
  test.each([100, 300, 4000, 9000])("of %d good rows is accepted, and with one more that is bad refused", (count) => {
    expect(issuesOf(rowsOf(row), { rows: good(count) })).toEqual([])
    expect(issuesOf(rowsOf(row), { rows: [...good(count), nameless] })).toEqual([
      {
        path: `rows[${count}].name`,
        code: "missing_required_field",
        message: `Missing required parameter 'rows[${count}].name'`,
      },
    ])
  })

  test.each([100, 2000])("of %d rows of two kinds is checked to its end", (count) => {
    const schema = rowsOf({ anyOf: [other, { $ref: "#/$defs/row" }] })
    expect(issuesOf(schema, { rows: good(count) }, { row })).toEqual([])
    expect(issuesOf(schema, { rows: [...good(count), nameless] }, { row }).map(({ path, code }) => [path, code])).toEqual([
      [`rows[${count}]`, "schema_branch_mismatch"],
    ])
  })

  test("below alternatives of the arguments themselves is checked to its end", () => {
    const schema = {
      oneOf: [
        { ...rowsOf(row), required: ["rows"] },
        { type: "object", required: ["file"] },
      ],
    }
    expect(issuesOf(schema, { rows: good(2000) })).toEqual([])
    expect(issuesOf(schema, { rows: [...good(2000), nameless] })).toHaveLength(1)
  })

  test("of many wrong rows fits no alternative, however much is wrong with the first", () => {
    const wrong = Array.from({ length: 600 }, () => ({ zzz: 1 }))
    const schema = {
      properties: {
        rows: {
          anyOf: [
            { type: "array", items: row },
            { type: "array", items: other },
          ],
        },
      },
    }
    expect(issuesOf(schema, { rows: wrong }).map(({ path, code }) => [path, code])).toEqual([["rows", "schema_branch_mismatch"]])
  })

  test("of long integers does not hide what is wrong behind them", () => {
    const schema = { unevaluatedProperties: false, properties: { ids: { items: { type: "integer" } } } }
    const ids: unknown[] = Array.from({ length: 50 }, (_, index) => `9999999999999999${index + 10}`)
    expect(issuesOf(schema, { ids })).toEqual([])
    expect(issuesOf(schema, { ids: [...ids, "x"] }).map(({ path }) => path)).toEqual(["ids[50]"])
  })

  test("is refused for what was found before the steps ran out", () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `d${index}`,
        { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
      ]),
    )
    const schema = { properties: { rows: { items: row }, bomb: { $ref: "#/$defs/d0" } } }
    const found = issuesOf(schema, { rows: [...good(10), nameless], bomb: 1 }, { ...doubling, d40: { not: { type: "string" } } })
    expect(found.map(({ path }) => path)).toEqual(["rows[10].name"])
  })
})
