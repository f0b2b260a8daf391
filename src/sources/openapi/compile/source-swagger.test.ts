// Swagger 2.0 says the same things in other places.
import { describe, expect, it } from "vitest"
import { compileForTest } from "../testing/compile.ts"
import type { Json, TestedTool } from "../testing/compile.ts"

const swagger = (operation: Json, rest: Json = {}, item: Json = {}): TestedTool =>
  compileForTest({
    swagger: "2.0",
    host: "a.example.com",
    paths: { "/a": { ...item, post: { operationId: "call", ...operation } } },
    ...rest,
  }).tool("call")

describe("parameters of Swagger 2.0", () => {
  it("are schemas themselves", () => {
    const tool = swagger({
      parameters: [
        {
          name: "q",
          in: "query",
          required: true,
          description: "What",
          type: "integer",
          minimum: 1,
          exclusiveMinimum: true,
          "x-nullable": true,
        },
      ],
    })
    expect(tool.input).toMatchObject({
      properties: { q: { type: ["integer", "null"], exclusiveMinimum: 1, description: "What" } },
      required: ["q"],
    })
  })

  it.each([
    [undefined, "form", false],
    ["csv", "form", false],
    ["tsv", "form", false],
    ["multi", "form", true],
    ["ssv", "spaceDelimited", false],
    ["pipes", "pipeDelimited", false],
  ])("of the collection format %s are %s", (collectionFormat, style, explode) => {
    const tool = swagger({ parameters: [{ name: "q", in: "query", type: "array", items: { type: "string" }, collectionFormat }] })
    expect(tool.bound.parameters).toMatchObject([{ name: "q", style, explode }])
  })
})

describe("the body of Swagger 2.0", () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] }

  it("is a parameter, also behind a reference or of the path", () => {
    const flat = { kind: "flat", properties: ["a"], open: false }
    const body = { name: "any", in: "body", required: true, schema: { $ref: "#/definitions/New" } }
    const rest = { definitions: { New: schema }, parameters: { Body: body } }
    for (const tool of [
      swagger({ parameters: [body] }, rest),
      swagger({ parameters: [{ $ref: "#/parameters/Body" }] }, rest),
      swagger({}, rest, { parameters: [body] }),
    ]) {
      expect(tool.bound.body).toMatchObject({ contentType: "application/json", required: true, form: flat })
      expect(tool.input).toMatchObject({ properties: { a: { type: "string" } }, required: ["a"] })
    }
  })

  it("is sent as the operation consumes, before the document", () => {
    const parameters = [{ name: "b", in: "body", schema }]
    expect(swagger({ parameters }, { consumes: ["application/xml", "application/vnd.a+json"] }).bound.body?.contentType).toBe(
      "application/vnd.a+json",
    )
    expect(swagger({ parameters, consumes: ["text/plain"] }, { consumes: ["application/json"] }).bound.body?.contentType).toBe("text/plain")
  })

  it("of form fields is one object, multipart where there is a file", () => {
    const fields = [
      { name: "n", in: "formData", type: "integer", required: true, description: "How many" },
      { name: "l", in: "formData", type: "array", items: { type: "string" }, collectionFormat: "pipes" },
    ]
    const form = swagger({ parameters: fields })
    expect(form.bound.body).toEqual({
      contentType: "application/x-www-form-urlencoded",
      required: true,
      encoding: { l: { contentType: null, style: "pipeDelimited", explode: false, allowReserved: false } },
      form: { kind: "flat", properties: ["n", "l"], open: false },
    })
    expect(form.input).toMatchObject({ properties: { n: { type: "integer", description: "How many" } }, required: ["n"] })
    const file = swagger({
      consumes: ["application/x-www-form-urlencoded"],
      parameters: [...fields, { name: "f", in: "formData", type: "file" }],
    })
    expect(file.bound.body?.contentType).toBe("multipart/form-data")
    expect(file.input).toMatchObject({ properties: { f: { anyOf: [{ $ref: "#/$defs/ToolFile" }, { type: "string" }] } } })
  })
})

describe("answers of Swagger 2.0", () => {
  it("come as the operation produces, before the document", () => {
    const responses = { 200: { schema: { type: "object" } } }
    expect(swagger({ responses }).bound.accept).toEqual(["application/json"])
    const tool = swagger({ responses, produces: ["text/csv"] }, { produces: ["application/json"] })
    expect(tool.bound.accept).toEqual(["text/csv"])
    expect(tool.output).toEqual({ type: "string" })
  })

  it("may be files, shared, or not described", () => {
    expect(swagger({ responses: { 200: { schema: { type: "file" } } } }).output).toEqual({ $ref: "#/$defs/ToolFile" })
    expect(
      swagger({ responses: { 200: { $ref: "#/responses/Ok" } } }, { responses: { Ok: { schema: { type: "string" } } } }).output,
    ).toEqual({ type: "string" })
    expect(swagger({ responses: { 200: { description: "ok" } } }, { produces: ["application/json"] })).toMatchObject({
      output: null,
      bound: { accept: ["application/json"] },
    })
    expect(swagger({ responses: { 204: { description: "ok" } } }, { produces: ["application/json"] }).output).toEqual({ type: "null" })
  })
})
