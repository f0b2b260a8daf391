// Tests how the arguments of a model are read: what is put right, and what stays wrong for the check to find.
import { describe, expect, test } from "vitest"
import { coerceInput } from "./coerce.ts"
import { callInText } from "./fallback.ts"
import { modelNames } from "./model-names.ts"
import { readOutput } from "./output.ts"

const limits = { argsDepthMax: 64 }
const one = { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
const search = { type: "object", properties: { query: { type: "string" }, top_k: { type: "integer" } }, required: ["query"] }
const mixed = {
  type: "object",
  properties: {
    count: { type: "integer" },
    price: { type: "number" },
    isOn: { type: "boolean" },
    tags: { type: "array", items: { type: "integer" } },
    place: { type: "object", properties: { floor: { type: "integer" } } },
  },
}

const optional = {
  type: "object",
  properties: {
    listed: { type: ["integer", "null"] },
    either: { anyOf: [{ type: "boolean" }, { type: "null" }] },
    shared: { $ref: "#/$defs/Place" },
    many: { type: "array", items: { $ref: "#/$defs/Place" } },
    open: { type: ["integer", "string"] },
    any: { anyOf: [{ type: "integer" }, { type: "string" }] },
    loop: { $ref: "#/$defs/Loop" },
  },
  $defs: { Place: { type: "object", properties: { floor: { type: ["integer", "null"] } } }, Loop: { $ref: "#/$defs/Loop" } },
}

describe("arguments", () => {
  test.each([
    ["", mixed, {}],
    ["  ", mixed, {}],
    ["null", mixed, {}],
    ['{"name":"a"}', one, { name: "a" }],
    ['"{\\"name\\":\\"a\\"}"', one, { name: "a" }],
    ['"a"', one, { name: "a" }],
    ["just words", one, { name: "just words" }],
    ["12", one, { name: "12" }],
    ["{'name': 'a',}", one, { name: "a" }],
    ['{"q":"trees"}', search, { query: "trees" }],
    ['{"question":"trees","top_k":"3"}', search, { query: "trees", top_k: 3 }],
    ['"trees"', search, { query: "trees" }],
    ['{"count":"12","price":"1.5","isOn":"true"}', mixed, { count: 12, price: 1.5, isOn: true }],
    ['{"count":"twelve"}', mixed, { count: "twelve" }],
    ['{"tags":"[1,\\"2\\"]"}', mixed, { tags: [1, "2"] }],
    ['{"place":{"floor":"3"}}', mixed, { place: { floor: 3 } }],
    ['{"listed":"12","either":"true"}', optional, { listed: 12, either: true }],
    ['{"listed":null,"either":null}', optional, { listed: null, either: null }],
    ['{"shared":{"floor":"3"},"many":[{"floor":"4"}]}', optional, { shared: { floor: 3 }, many: [{ floor: 4 }] }],
    ['{"open":"12","any":"12","loop":"12"}', optional, { open: "12", any: "12", loop: "12" }],
    ['{"constructor":"12","__proto__":"12"}', optional, { constructor: "12" }],
    ['{"count":"99999999999999999999"}', mixed, { count: "99999999999999999999" }],
  ])("%s", (text, schema, args) => {
    expect(coerceInput(text, schema, limits)).toMatchObject({ ok: true, args })
  })

  test.each([
    ["[1, 2]", mixed],
    ['{"a": ', { type: "object" }],
    ["12", mixed],
  ])("%s cannot be read", (text, schema) => {
    const read = coerceInput(text, schema, limits)
    // What was broken off may still be repaired; what is no object is not.
    if (!read.ok) expect(read.message).toMatch(/JSON/)
  })

  test("what was written as it is read is unchanged", () => {
    expect(coerceInput('{"name":"a"}', one, limits)).toEqual({ ok: true, args: { name: "a" } })
  })
})

describe("calls in text", () => {
  test.each([
    ['{"tool":"get","arguments":{"a":1}}', { name: "get", input: '{"a":1}' }],
    ['{"name":"get","args":{}}', { name: "get", input: "{}" }],
    ['```json\n{"tool":"get","input":"x"}\n```', { name: "get", input: "x" }],
    ['Here: {"tool":"get","arguments":{}}', null],
    ['{"tool":"get"}', null],
    ['{"tool":"get","arguments":{},"why":"because"}', null],
    ['{"answer":42}', null],
    ["plain", null],
  ])("%s", (text, expected) => {
    expect(callInText(text)).toEqual(expected)
  })
})

describe("names", () => {
  test("lead back to one address, whatever their order", () => {
    const addresses = [
      "tools.github.org.main.issues.create",
      "tools.github.user.mine.issues.create",
      "tools.a.org.main.b_c",
      "tools.a.org.main.b.c",
    ]
    const names = modelNames(addresses)
    expect(names.get("github__issues_create")).toBe(addresses[0])
    expect(names.get("github_user_mine__issues_create")).toBe(addresses[1])
    expect(new Set(names.values()).size).toBe(4)
    expect(new Map(modelNames(addresses.toReversed()))).toEqual(new Map(names))
  })

  test("are never longer than providers take", () => {
    const names = [...modelNames([`tools.api.org.main.${"long_".repeat(30)}a`, `tools.api.org.main.${"long_".repeat(30)}b`]).keys()]
    expect(names.map((name) => name.length)).toEqual([64, 64])
    expect(names.every((name) => /^[a-zA-Z0-9_-]+$/.test(name))).toBe(true)
  })
})

describe("outputs", () => {
  const schema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] }
  test.each([
    ["anything", null, { ok: true, value: "anything" }],
    ['{"total": 1}', schema, { ok: true, value: { total: 1 } }],
    ['```\n{"total": 1}\n```', schema, { ok: true, value: { total: 1 } }],
  ])("%s", (text, by, expected) => {
    expect(readOutput(text, by)).toEqual(expected)
  })
  test.each(["It is 1", '{"total": "one"}', "{}"])("%s does not fit", (text) => {
    expect(readOutput(text, schema).ok).toBe(false)
  })
})
