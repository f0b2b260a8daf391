// `key=value` becomes what the tool's schema wants, or a message that says what it takes.
import { describe, expect, test } from "vitest"
import { convertArgs } from "./convert.ts"

const schema = {
  inputSchema: {
    type: "object",
    properties: {
      text: { type: "string" },
      count: { type: "integer" },
      ratio: { type: "number" },
      on: { type: "boolean" },
      maybe: { type: ["integer", "null"] },
      either: { anyOf: [{ type: "integer" }, { type: "string" }] },
      labels: { type: "array", items: { type: "string" } },
      ids: { type: "array", items: { type: "integer" } },
      one_or_more: { oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
      address: { $ref: "#/$defs/Address" },
      state: { enum: ["open", "closed"] },
      version: { const: 2 },
      "dotted.name": { type: "integer" },
      anything: {},
      loop: { $ref: "#/$defs/Loop" },
    },
  },
  schemaDefinitions: {
    Address: { allOf: [{ properties: { city: { type: "string" }, zip: { type: "integer" } } }] },
    Loop: { anyOf: [{ $ref: "#/$defs/Loop" }, { type: "integer" }] },
  },
}

test.each([
  [["text=5"], { text: "5" }],
  [["text="], { text: "" }],
  [["text=a=b"], { text: "a=b" }],
  [["text=true"], { text: "true" }],
  [["count=5"], { count: 5 }],
  [["count=-5"], { count: -5 }],
  [["ratio=1.5e2"], { ratio: 150 }],
  [["on=true"], { on: true }],
  [["maybe=null"], { maybe: null }],
  [["either=5"], { either: 5 }],
  [["either=five"], { either: "five" }],
  [["labels=a"], { labels: ["a"] }],
  [["labels=a", "labels=b"], { labels: ["a", "b"] }],
  [['labels=["a","b"]'], { labels: ["a", "b"] }],
  [["ids=1", "ids=2"], { ids: [1, 2] }],
  [["one_or_more=a"], { one_or_more: "a" }],
  [["one_or_more=a", "one_or_more=b"], { one_or_more: ["a", "b"] }],
  [["address.city=Rome", "address.zip=100"], { address: { city: "Rome", zip: 100 } }],
  [['address={"city":"5"}'], { address: { city: "5" } }],
  [["state=open"], { state: "open" }],
  [["version=2"], { version: 2 }],
  [["dotted.name=3"], { "dotted.name": 3 }],
  [["anything=5"], { anything: 5 }],
  [["anything=five"], { anything: "five" }],
  [["loop=5"], { loop: 5 }],
  [["unknown=5"], { unknown: 5 }],
])("%j", (pairs, args) => {
  expect(convertArgs(pairs, schema)).toEqual(args)
})

test("an integer that no number holds keeps its digits", () => {
  expect(convertArgs(["count=9007199254740993", "ids=[9007199254740993]", "anything=9007199254740993"], schema)).toEqual({
    count: "9007199254740993",
    ids: ["9007199254740993"],
    anything: "9007199254740993",
  })
})

describe("without a schema", () => {
  test.each([
    [["a=1", "b=x", 'c={"d":1}'], { a: 1, b: "x", c: { d: 1 } }],
    [["a.b=1", "a.c=2"], { a: { b: 1, c: 2 } }],
    [["a=1", "a=2"], { a: [1, 2] }],
  ])("%j", (pairs, args) => {
    expect(convertArgs(pairs, null)).toEqual(args)
  })
})

test.each([
  [["count=many"], "'count' must be an integer"],
  [["count=1", "count=2"], "given 2 times"],
  [["on=yes"], "'on' must be true or false"],
  [["=x"], "not in the form key=value"],
  [["x"], "not in the form key=value"],
  [["count=0x10"], "'count' must be an integer"],
  [["anything=1", "anything.b=2"], "value of its own"],
])("%j is refused", (pairs, message) => {
  expect(() => convertArgs(pairs, schema)).toThrow(message)
})

test("a name such as __proto__ is a name", () => {
  const args = convertArgs(["__proto__.polluted=1"], null)
  expect(JSON.stringify(args)).toBe('{"__proto__":{"polluted":1}}')
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})
