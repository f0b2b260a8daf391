// What becomes a comment, and what cannot get out of one.
import { describe, expect, it } from "vitest"
import { sentenceOf } from "./comment-text.ts"
import { printToolTypes } from "./tool-types.ts"

const property = (name: string, schema: Record<string, unknown>, required: string[] = []): string =>
  printToolTypes({ inputSchema: { type: "object", properties: { [name]: schema }, required }, outputSchema: null, definitions: new Map() })
    .inputTypeScript
const commentOf = (name: string, schema: Record<string, unknown>, required: string[] = []): string | null =>
  /\/\*\* (.*) \*\//.exec(property(name, schema, required))?.[1] ?? null

/** Written in parts, because it is one wherever it stands. */
const directive = ["@ts", "expect", "error"].join("-")

describe("constraints", () => {
  it.each<[string, Record<string, unknown>, string | null]>([
    ["since", { type: "string", format: "date-time" }, "date-time"],
    ["html_url", { type: "string", format: "uri" }, null],
    ["homepage", { type: "string", format: "uri" }, "uri"],
    ["contactEmail", { type: "string", format: "email" }, null],
    ["id", { type: "integer", format: "int64" }, null],
    ["page", { type: "integer", minimum: 1, maximum: 100, default: 30 }, "1..100, default 30"],
    ["page", { type: "integer", minimum: 1 }, ">= 1"],
    ["ratio", { type: "number", exclusiveMinimum: 0, maximum: 1 }, "> 0, <= 1"],
    ["ratio", { type: "number", minimum: 0, exclusiveMinimum: true }, "> 0"],
    ["count", { type: "integer", maximum: 2147483647 }, null],
    ["name", { type: "string", maxLength: 40, pattern: "^[a-z]+$" }, "/^[a-z]+$/, <= 40 chars"],
    ["names", { type: "array", items: {}, minItems: 1, maxItems: 5 }, "1..5 items"],
    ["old", { type: "string", deprecated: true }, "@deprecated"],
    [
      "sort",
      { type: "string", default: "created", description: "What to sort results by." },
      'What to sort results by. (default "created")',
    ],
  ])("%s %j", (name, schema, expected) => {
    expect(commentOf(name, schema)).toBe(expected)
  })

  it("leaves the default of a required property out", () => {
    expect(commentOf("page", { type: "integer", default: 1 }, ["page"])).toBeNull()
  })

  it("says by which property the members of a union are told apart", () => {
    const discriminator = { propertyName: "kind", mapping: { cat: "#/$defs/Cat", "*/": "#/$defs/Dog" } }
    const animal = { type: "object", properties: { kind: { type: "string" } } }
    const { inputTypeScript } = printToolTypes({
      inputSchema: { type: "object", properties: { pet: { oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }], discriminator } } },
      outputSchema: null,
      definitions: new Map([
        ["Cat", animal],
        ["Dog", animal],
      ]),
    })
    expect(inputTypeScript).toBe('{\n  /** by kind: "cat" is Cat, "*\\/" is Dog */\n  pet?: Cat | Dog;\n}')
  })
})

describe("descriptions", () => {
  it.each<[string, string, string | null]>([
    ["title", "The title of the issue.", null],
    ["user_id", "The unique identifier of the user", null],
    ["repo", "The name of the repository without the `.git` extension.", "The name of the repository without the `.git` extension."],
    ["state", "Filter", "Filter"],
    ["since", "Only show results after this time. This is a timestamp.", "Only show results after this time."],
    ["lang", "A language, e.g. English. More text.", "A language, e.g. English."],
    ["ref", "See the [docs on refs](https://example.com/a) for <b>all</b> **forms**", "See the docs on refs for all forms"],
    ["on", "Such as { __typename } or __init__, __never__ more", "Such as { __typename } or init, never more"],
    ["a", "First paragraph about something\n\nSecond paragraph", "First paragraph about something"],
  ])("%s: %s", (name, description, expected) => {
    expect(commentOf(name, { type: "string", description })).toBe(expected)
  })

  it("are cut at a word", () => {
    const sentence = sentenceOf(`${"word ".repeat(1000)}.`)
    expect(sentence.length).toBeLessThanOrEqual(141)
    expect(sentence.endsWith("word…")).toBe(true)
  })

  it("never end the comment, direct the compiler or hide text", () => {
    const hostile = "end */ }; import('x') /* \u0000\u001b[31m red \u202e reversed \u2028 line"
    expect(commentOf("a", { type: "string", description: hostile })).toBe("end *\\/ }; import('x') /* [31m red reversed line")
    expect(commentOf("a", { type: "string", description: `${directive} and more words` })).toBe("ts-expect-error and more words")
    expect(commentOf("a", { type: "string", format: ` ${directive}` })).toBe("ts-expect-error")
    expect(commentOf("a", { type: "string", pattern: "*/x" })).toBe("/*\\/x/")
  })

  it("cost little however they are written", () => {
    for (const part of ["[", "<a", "\n ", "](", "@", "*/", "é"]) {
      const description = part.repeat(200_000)
      expect(sentenceOf(description).length).toBeLessThanOrEqual(401)
    }
  })
})
