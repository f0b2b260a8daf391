// Schemas that were made to break the printer: each must end quickly, stay bounded and give text that compiles.
import { expect, it } from "vitest"
import { defaultLimits } from "../core/limits.ts"
import type { JsonSchema } from "../core/tool.ts"
import { compileErrors, typesAsNamespace } from "./testing/compiler.ts"
import { printToolTypes } from "./tool-types.ts"

const many = 100_000
const string = { type: "string" }
const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` })
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))

function nested(depth: number, wrap: (inner: unknown) => JsonSchema): JsonSchema {
  let schema: JsonSchema = string
  for (let level = 0; level < depth; level++) schema = wrap(schema)
  return schema
}

const throwing = {
  get type(): string {
    throw new Error("a getter of a stranger")
  },
}
const selfContaining: JsonSchema = { type: "object", description: "Contains itself" }
selfContaining["properties"] = { a: selfContaining, b: selfContaining, c: { type: "array", items: selfContaining } }

const nastyTexts = [
  "*/",
  "\n",
  "\u2028",
  '"',
  "\\",
  "`${x}`",
  "\ud800",
  "",
  "__proto__",
  "constructor",
  "toString",
  "new",
  "get",
  "readonly",
  "</script>",
  "\u202e",
  "é",
  ["@ts", "expect", "error"].join("-"),
]
const nastyNames = [
  ...nastyTexts,
  "Date",
  "Array",
  "string",
  "Record",
  "Promise",
  "class",
  "User",
  "user",
  "USER",
  "u-s-e-r",
  "123",
  "Comment",
  "名前",
  "データ",
  "Ω",
  "😀",
  "n".repeat(1500),
  "a.b.c",
  "..",
  "Result`1[[System.String, mscorlib]]",
]

const schemas: Record<string, { schema: unknown; definitions?: ReadonlyMap<string, unknown> | ((name: string) => unknown) }> = {
  referencesToEachOther: {
    schema: ref("A"),
    definitions: new Map([
      ["A", ref("B")],
      ["B", ref("C")],
      ["C", ref("A")],
    ]),
  },
  referenceToItself: { schema: ref("A"), definitions: new Map([["A", ref("A")]]) },
  allOfItself: { schema: ref("A"), definitions: new Map([["A", { allOf: [ref("A"), { properties: { a: string } }] }]]) },
  anyOfItself: { schema: ref("A"), definitions: new Map([["A", { anyOf: [ref("A"), { type: "null" }] }]]) },
  nullableItself: { schema: ref("A"), definitions: new Map([["A", { ...ref("A"), nullable: true }]]) },
  recordOfItself: { schema: ref("A"), definitions: new Map([["A", { type: "object", additionalProperties: ref("A") }]]) },
  arrayOfItself: { schema: ref("A"), definitions: new Map([["A", { type: "array", items: { anyOf: [ref("A"), string] } }]]) },
  tupleOfItself: { schema: ref("A"), definitions: new Map([["A", { type: "array", prefixItems: [ref("A")], minItems: 1 }]]) },
  rootIsItself: { schema: { $ref: "#" } },
  rootInAllOf: { schema: { allOf: [{ $ref: "#" }, { properties: { a: string } }] } },
  longChain: { schema: ref("0"), definitions: (name) => (Number(name) < many ? ref(String(Number(name) + 1)) : string) },
  endlessChain: {
    schema: ref("0"),
    definitions: (name) => ({ type: "object", properties: { next: ref(`${name}0`), other: ref(`${name}1`) } }),
  },
  chainOfAll: {
    schema: ref("0"),
    definitions: (name) => ({ allOf: [ref(`${Number(name) + 1}`), { properties: { [`p${name}`]: string } }] }),
  },
  longEnum: { schema: { enum: times(many, (index) => `value ${index}`) } },
  longNumberEnum: { schema: { enum: times(many, (index) => (index % 2 === 0 ? index : null)) } },
  enumOfLongTexts: { schema: { enum: times(90, (index) => `${index}`.repeat(5000)) } },
  enumOfObjects: { schema: { enum: times(many, (index) => ({ index, deep: times(20, () => ({ a: [1, 2, 3] })) })) } },
  manyProperties: {
    schema: { type: "object", properties: Object.fromEntries(times(many, (index) => [`p${index}`, string])), required: ["p0"] },
  },
  manyRequired: { schema: { type: "object", required: times(many, (index) => `r${index}`) } },
  manyAnyOf: { schema: { anyOf: times(many, (index) => ({ type: "object", properties: { [`p${index}`]: string } })) } },
  manyAllOf: { schema: { allOf: times(many, (index) => ({ type: "object", properties: { [`p${index}`]: string } })) } },
  manyItems: { schema: { type: "array", prefixItems: times(many, () => string), minItems: many } },
  manyPatterns: {
    schema: { type: "object", patternProperties: Object.fromEntries(times(many, (index) => [`^${index}`, { const: index }])) },
  },
  unionsTimesUnions: {
    schema: {
      allOf: times(20, (all) => ({ anyOf: times(30, (any) => ({ type: "object", properties: { [`p${all}`]: { const: any } } })) })),
    },
  },
  wideDefinitions: {
    schema: { allOf: times(8, (index) => ref(`U${index}`)) },
    definitions: (name) => ({
      oneOf: times(40, (index) => ({ type: "object", properties: { [name]: { const: index } }, required: [name] })),
    }),
  },
  deepObjects: { schema: nested(5000, (inner) => ({ type: "object", properties: { a: inner } })) },
  deepArrays: { schema: nested(5000, (inner) => ({ type: "array", items: inner })) },
  deepAnyOf: { schema: nested(5000, (inner) => ({ anyOf: [inner, { type: "number" }] })) },
  deepAllOf: { schema: nested(5000, (inner) => ({ allOf: [inner, { type: "object", properties: { a: string } }] })) },
  deepNot: { schema: nested(5000, (inner) => ({ type: "string", not: inner, if: inner })) },
  bushy: { schema: nested(14, (inner) => ({ type: "object", properties: { a: inner, b: inner, c: inner, d: inner } })) },
  containsItself: { schema: selfContaining },
  throwingGetter: {
    schema: {
      type: "object",
      properties: {
        a: throwing,
        b: string,
        get c(): never {
          throw new Error("as above")
        },
      },
    },
  },
  throwingProxy: {
    schema: new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("as above")
        },
      },
    ),
  },
  noJson: {
    schema: {
      type: Symbol("x"),
      enum: [1n, undefined, () => 1, Number.NaN, Number.POSITIVE_INFINITY],
      properties: 5,
      required: "a",
      allOf: {},
      items: 7,
    },
  },
  wrongKeywords: {
    schema: {
      type: ["object", 5, "array"],
      properties: { a: 1, b: null, c: [] },
      required: [1, null, "a"],
      minItems: -1,
      maxItems: "x",
      additionalProperties: "x",
    },
  },
  nastyPropertyNames: {
    schema: { type: "object", properties: Object.fromEntries(nastyNames.map((name) => [name, string])), required: nastyNames },
  },
  nastyValues: { schema: { enum: nastyTexts } },
  nastyKeys: { schema: { type: "object", propertyNames: { enum: nastyTexts }, additionalProperties: string } },
  nastyComments: {
    schema: {
      type: "object",
      properties: Object.fromEntries(
        nastyTexts.map((text, index) => [`p${index}`, { ...string, description: text, format: text, pattern: text, default: text }]),
      ),
      patternProperties: { "*/": string },
    },
  },
  nastyDefinitions: {
    schema: {
      type: "object",
      properties: Object.fromEntries(nastyNames.map((name, index) => [`p${index}`, ref(name.replaceAll("/", "~1"))])),
    },
    definitions: (name) => ({ type: "object", properties: { [name]: string } }),
  },
  protoDefinition: { schema: { properties: { a: ref("__proto__"), b: { $ref: "#/__proto__" }, c: { $ref: "#/constructor/prototype" } } } },
  nastyReferences: {
    schema: {
      anyOf: ["#/", "#//", "#/$defs", "#/$defs/", "#/%", "#/%zz/~2", "#a", "", "/", `#${"/a".repeat(many)}`].map(($ref) => ({
        type: "object",
        properties: { a: { $ref } },
      })),
    },
  },
}

const printed = Object.entries(schemas).map(([name, { schema, definitions }]) => {
  const types = printToolTypes({
    inputSchema: schema as JsonSchema, // hostile on purpose
    outputSchema: { type: "array", items: schema },
    definitions: (definitions ?? new Map()) as ReadonlyMap<string, JsonSchema>, // as above
  })
  return { name, types }
})

it("stays within the budget", () => {
  const sizes = printed.map(({ name, types }) => ({ name, chars: JSON.stringify(types).length }))
  expect(sizes.filter(({ chars }) => chars > 2 * defaultLimits.previewCharsMax)).toEqual([])
})

it("gives text that compiles", async () => {
  const files = new Map(printed.map(({ name, types }) => [`${name}.ts`, typesAsNamespace("Case", types)]))
  expect(await compileErrors(files)).toEqual([])
})

it("keeps definitions with nasty names apart", () => {
  const types = printed.find(({ name }) => name === "nastyDefinitions")?.types.typeScriptDefinitions ?? {}
  expect(Object.keys(types)).toHaveLength(new Set(nastyNames).size)
  expect(Object.keys(types)).toEqual(
    expect.arrayContaining([
      "Date_",
      "Array_",
      "String_",
      "Record_",
      "Promise_",
      "Class",
      "User",
      "User2",
      "USER",
      "USER2",
      "_123",
      "Comment_",
      "名前",
    ]),
  )
})

it("shows the first levels of what is too large", () => {
  const bushy = printed.find(({ name }) => name === "bushy")?.types.inputTypeScript ?? ""
  expect(bushy).toMatch(/^\{\n {2}a\?: \{\n {4}a\?: /)
  expect(bushy.match(/^ {2}\w\?: /gm)).toHaveLength(4)
})
