// Parameters and body become one flat object of arguments, or the body stays whole, as the contract says.
import { describe, expect, it } from "vitest"
import { compileForTest, openApi, withBody } from "../testing/compile.ts"
import type { Json, TestedTool } from "../testing/compile.ts"

const parameter = (name: string, place: string, rest: Json = {}): Json => ({ name, in: place, schema: { type: "string" }, ...rest })

const withParameters = (path: string, parameters: readonly unknown[], rest: Json = {}): TestedTool =>
  compileForTest(openApi({ [path]: { post: { operationId: "call", parameters, ...rest } } })).tool("call")

const body = (schema: unknown, mediaType = "application/json", more: Json = {}): Json => ({
  requestBody: { required: true, content: { [mediaType]: { schema, ...more } } },
})

const argsOf = (tool: TestedTool): string[] => Object.keys(tool.input.properties as Json)

describe("parameters", () => {
  it("are properties, required where the document says, and nothing else is accepted", () => {
    const tool = withParameters("/a/{id}", [
      parameter("id", "path", { schema: { type: "integer" }, description: "Which one" }),
      parameter("q", "query", { required: true, deprecated: true }),
      parameter("X-Trace", "header"),
    ])
    expect(tool.input).toEqual({
      type: "object",
      properties: {
        id: { type: "integer", description: "Which one" },
        q: { type: "string", deprecated: true },
        "X-Trace": { type: "string" },
      },
      required: ["id", "q"],
      additionalProperties: false,
    })
  })

  it("of one name in several places keep apart", () => {
    const tool = withParameters("/a/{id}", [
      parameter("id", "cookie"),
      parameter("id", "header"),
      parameter("id", "query"),
      parameter("id", "path"),
    ])
    expect(tool.bound.parameters.map(({ in: place, name, arg }) => `${place} ${name} ${arg}`)).toEqual([
      "path id id",
      "query id id_query",
      "header id id_header",
      "cookie id id_cookie",
    ])
  })

  it("do not take a name that another one has of itself", () => {
    const tool = withParameters("/a/{id}", [parameter("id", "path"), parameter("id", "query"), parameter("id_query", "query")])
    expect(tool.bound.parameters.map(({ name, arg }) => `${name} ${arg}`)).toEqual(["id id", "id id_query_", "id_query id_query"])
  })

  it("named Accept, Content-Type and Authorization are ignored, as are those that no argument may set", () => {
    const names = ["Accept", "content-type", "AUTHORIZATION", "Host", "Cookie", "X-Ok"]
    expect(
      argsOf(
        withParameters(
          "/a",
          names.map((name) => parameter(name, "header", { required: true })),
        ),
      ),
    ).toEqual(["X-Ok"])
  })

  it("of the path are overridden by those of the operation", () => {
    const paths = {
      "/a/{id}": {
        parameters: [
          parameter("id", "path", { description: "path" }),
          parameter("page", "query"),
          parameter("X-a", "header", { description: "path" }),
        ],
        get: { parameters: [parameter("id", "path", { description: "own" }), parameter("x-A", "header", { description: "own" })] },
      },
    }
    expect(compileForTest(openApi(paths)).tool("a.get").input.properties).toEqual({
      id: { type: "string", description: "own" },
      page: { type: "string" },
      "x-A": { type: "string", description: "own" },
    })
  })

  it("of the template that nobody declared are texts, with a warning", () => {
    const document = compileForTest(
      openApi({ "/a/{id}/{b}": { get: { parameters: [parameter("id", "path"), parameter("ghost", "path")] } } }),
    )
    expect(document.tool("a.get").input).toMatchObject({ properties: { id: {}, b: { type: "string" } }, required: ["id", "b"] })
    expect(document.messages).toEqual([
      "#/paths/~1a~1{id}~1{b}/get: The path has no place for its parameter 'ghost'; it was left out",
      "#/paths/~1a~1{id}~1{b}/get: The path's parameter 'b' is not declared; it is treated as a string",
    ])
  })

  it("keep style, explode and content type, with the defaults of their place", () => {
    const tool = withParameters("/a/{p}", [
      parameter("p", "path", { style: "matrix", explode: true }),
      parameter("q", "query"),
      parameter("d", "query", { style: "deepObject" }),
      parameter("s", "query", { style: "pipeDelimited", allowReserved: true }),
      parameter("wrong", "query", { style: "simple" }),
      { name: "c", in: "query", content: { "application/json": { schema: { type: "object" } } } },
      parameter("h", "header"),
      parameter("k", "cookie"),
      { name: "whole", in: "querystring", content: { "application/x-www-form-urlencoded": { schema: { type: "object" } } } },
    ])
    expect(
      tool.bound.parameters.map(({ name, style, explode, allowReserved, contentType }) => [
        name,
        style,
        explode,
        allowReserved,
        contentType,
      ]),
    ).toEqual([
      ["p", "matrix", true, false, null],
      ["q", "form", true, false, null],
      ["d", "deepObject", true, false, null],
      ["s", "pipeDelimited", false, true, null],
      ["wrong", "form", true, false, null],
      ["c", "form", true, false, "application/json"],
      ["h", "simple", false, false, null],
      ["k", "form", true, false, null],
      ["whole", "form", true, false, "application/x-www-form-urlencoded"],
    ])
  })
})

describe("a flat body", () => {
  it("stands beside the parameters, without what is read-only", () => {
    const schema = {
      type: "object",
      properties: { id: { type: "string", readOnly: true }, name: { type: "string" }, secret: { type: "string", writeOnly: true } },
      required: ["id", "name"],
    }
    const tool = withParameters("/a/{owner}", [parameter("owner", "path")], body(schema))
    expect(tool.input).toEqual({
      type: "object",
      properties: { owner: { type: "string" }, name: { type: "string" }, secret: { type: "string", writeOnly: true } },
      required: ["owner", "name"],
      additionalProperties: false,
    })
    expect(tool.bound.body).toEqual({
      contentType: "application/json",
      required: true,
      encoding: {},
      form: { kind: "flat", properties: ["name", "secret"], open: false },
    })
  })

  it("is found behind references, and leaves out what is read-only behind one", () => {
    const schemas = {
      New: { $ref: "#/components/schemas/Real" },
      Real: { properties: { a: { $ref: "#/components/schemas/Stamp" }, b: { type: "number" } } },
      Stamp: { type: "string", readOnly: true },
    }
    const tool = compileForTest(withBody({ $ref: "#/components/schemas/New" }, { components: { schemas } })).tool("make")
    expect(argsOf(tool)).toEqual(["b"])
  })

  it("is open where it declares additional properties", () => {
    const open = withParameters("/a", [], body({ type: "object", properties: { a: {} }, additionalProperties: { type: "integer" } }))
    expect(open.input.additionalProperties).toEqual({ type: "integer" })
    expect(open.bound.body?.form).toEqual({ kind: "flat", properties: ["a"], open: true })
    const map = withParameters("/a", [parameter("q", "query")], body({ type: "object", additionalProperties: true }))
    expect(map.input.additionalProperties).toBe(true)
    expect(map.bound.body?.form).toEqual({ kind: "flat", properties: [], open: true })
    const closed = withParameters("/a", [], body({ type: "object", properties: { a: {} }, additionalProperties: false }))
    expect(closed.input.additionalProperties).toBe(false)
  })

  it("that may be left out must still be given whole", () => {
    const tool = compileForTest(withBody({ type: "object", properties: { a: {}, b: {}, c: {} }, required: ["a", "b"] }, {}, false)).tool(
      "make",
    )
    expect(tool.input.required).toBeUndefined()
    expect(tool.input.dependentRequired).toEqual({ a: ["b"], b: ["a"], c: ["a", "b"] })
    expect(tool.bound.body?.required).toBe(false)
  })

  it("has members of any name", () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"then":{}},"required":["__proto__"]}',
    ) as Json
    const tool = withParameters("/a", [], body(schema))
    expect(argsOf(tool)).toEqual(["__proto__", "constructor", "then"])
    expect(tool.input.required).toEqual(["__proto__"])
    expect(tool.bound.body?.form).toMatchObject({ properties: ["__proto__", "constructor", "then"] })
  })
})

describe("a whole body", () => {
  it.each([
    ["oneOf", { oneOf: [{ type: "object", properties: { a: {} } }] }],
    ["anyOf", { type: "object", properties: { a: {} }, anyOf: [{ required: ["a"] }] }],
    ["allOf", { allOf: [{ type: "object", properties: { a: {} } }] }],
    ["a discriminator", { type: "object", properties: { a: {} }, discriminator: { propertyName: "a" } }],
    ["an array", { type: "array", items: {} }],
    ["a scalar", { type: "string" }],
    ["an object of which nothing is said", { type: "object" }],
    ["anything", {}],
    ["a property with a parameter's name", { type: "object", properties: { q: {} } }],
  ])("is %s", (_, schema) => {
    const tool = withParameters("/a", [parameter("q", "query")], body(schema))
    expect(argsOf(tool)).toEqual(["q", "body"])
    expect(tool.input.required).toEqual(["body"])
    expect(tool.bound.body?.form).toEqual({ kind: "whole", arg: "body" })
  })

  it("is called requestBody where `body` is taken, and yet another way where both are", () => {
    expect(argsOf(withParameters("/a", [parameter("body", "query")], body({ type: "array" })))).toEqual(["body", "requestBody"])
    expect(argsOf(withParameters("/a", [parameter("body", "query"), parameter("requestBody", "query")], body({ type: "array" })))).toEqual([
      "body",
      "requestBody",
      "requestBody_",
    ])
  })

  it("collides with the name that a parameter was given, too", () => {
    const tool = withParameters(
      "/a/{id}",
      [parameter("id", "path"), parameter("id", "query")],
      body({ type: "object", properties: { id_query: {} } }),
    )
    expect(argsOf(tool)).toEqual(["id", "id_query", "body"])
  })
})

describe("media types", () => {
  const object = { schema: { type: "object", properties: { a: { type: "string" } } } }
  const chosen = (...types: string[]): string | undefined =>
    withParameters("/a", [], { requestBody: { content: Object.fromEntries(types.map((type) => [type, object])) } }).bound.body?.contentType

  it.each([
    [["application/xml", "application/json"], "application/json"],
    [["multipart/form-data", "application/vnd.api+json"], "application/vnd.api+json"],
    [["application/json-patch+json", "application/merge-patch+json"], "application/merge-patch+json"],
    [
      ["application/octet-stream", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded"],
      "application/x-www-form-urlencoded",
    ],
    [["application/octet-stream", "application/xml", "text/plain"], "text/plain"],
    [["image/png", "application/xml"], "application/xml"],
    [["*/*"], "application/json"],
    [["application/json; charset=utf-8"], "application/json; charset=utf-8"],
  ])("of %j, %s is sent", (types, expected) => {
    expect(chosen(...types)).toBe(expected)
  })

  it("of files accept a file or text", () => {
    const schema = {
      type: "object",
      properties: {
        file: { type: "string", format: "binary", description: "The picture" },
        more: { type: "array", items: { $ref: "#/components/schemas/Bytes" } },
        modern: { contentMediaType: "image/png" },
        note: { type: "string" },
      },
    }
    const document = compileForTest(
      openApi(
        {
          "/a": {
            post: {
              operationId: "call",
              ...body(schema, "multipart/form-data", { encoding: { file: { contentType: "image/png", style: "form" }, bad: 1 } }),
            },
          },
        },
        { components: { schemas: { Bytes: { type: "string", format: "binary" } } } },
      ),
    )
    const file = { anyOf: [{ $ref: "#/$defs/ToolFile" }, { type: "string" }] }
    expect(document.tool("call").input.properties).toMatchObject({
      file,
      more: { type: "array", items: file },
      modern: file,
      note: { type: "string" },
    })
    expect([...document.definitions.keys()]).toEqual(["ToolFile"])
    expect(document.definition("ToolFile")).toMatchObject({ type: "object", properties: { _tag: { const: "ToolFile" } } })
    expect(document.tool("call").bound.body?.encoding).toEqual({
      file: { contentType: "image/png", style: "form", explode: null, allowReserved: false },
    })
  })

  it("of bytes, text and XML are one argument", () => {
    const whole = (type: string): unknown =>
      (withParameters("/a", [], body({ type: "object", properties: { a: {} } }, type)).input.properties as Json).body
    expect(whole("image/png")).toMatchObject({ anyOf: [{ $ref: "#/$defs/ToolFile" }, { type: "string" }] })
    expect(whole("text/plain")).toEqual({ type: "string" })
    expect(whole("application/xml")).toEqual({ type: "string", description: "The XML text." })
  })
})
