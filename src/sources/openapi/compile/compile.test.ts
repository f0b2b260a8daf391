// Whatever a document gets wrong costs at most the operations concerned; the rest imports.
import { describe, expect, it } from "vitest"
import { ExecutorError } from "../../../core/errors.ts"
import { compileForTest, openApi } from "../testing/compile.ts"
import type { Json, TestedDocument } from "../testing/compile.ts"

const fine = { get: { operationId: "fine" } }

describe("facts of a tool", () => {
  it("are those of its operation", () => {
    const document = compileForTest(
      openApi({
        "/a/{id}": {
          delete: {
            operationId: "removeIt",
            summary: "Remove it.",
            description: "For ever.",
            deprecated: true,
            tags: ["things", "things", 5, " other "],
          },
        },
      }),
    )
    expect(document.tools[0]).toMatchObject({
      name: "things.removeIt",
      title: "Remove It",
      summary: "Remove it.",
      description: "Remove it.\n\nFor ever.",
      effect: "destroy",
      requiresApproval: true,
      approvalDescription: "DELETE /a/{id}",
      mayElicit: false,
      deprecated: true,
      tags: ["things", "other"],
    })
  })

  it.each([
    ["get", "read", false],
    ["head", "read", false],
    ["options", "read", false],
    ["trace", "read", true],
    ["query", "read", true],
    ["post", "write", true],
    ["put", "write", true],
    ["patch", "write", true],
    ["delete", "destroy", true],
  ])("follow from %s", (method, effect, requiresApproval) => {
    expect(compileForTest(openApi({ "/a": { [method]: {} } })).tools[0]).toMatchObject({ effect, requiresApproval })
  })

  it("are those of the path where the operation says nothing", () => {
    const document = compileForTest(openApi({ "/a": { summary: "Things", description: "All of them", get: {}, put: { summary: "Mine" } } }))
    expect(document.tools[0]).toMatchObject({ name: "a.list", title: "List A", summary: "Things", description: "Things\n\nAll of them" })
    expect(document.tools[1]).toMatchObject({ name: "a.update", title: "Mine", summary: "Mine", description: "Mine" })
  })

  it("have words where the document has none, and few where it has many", () => {
    const document = compileForTest(
      openApi({
        "/a": { get: { operationId: "listAll_things" }, put: { summary: "s".repeat(500), description: `${"d".repeat(30_000)}\u0000` } },
      }),
    )
    expect(document.tools[0]).toMatchObject({ title: "List All Things", summary: "", description: "GET /a" })
    expect(document.tools[1]).toMatchObject({ title: "Update A" })
    expect(document.tools[1]?.description).toHaveLength(20_000)
  })
})

describe("the title of an operation without a summary", () => {
  it.each([
    ["get", "/a", "listAll_things", "List All Things"],
    ["get", "/a", "repos/getURLList", "Get URL List"],
    ["get", "/users/{userId}/blog-posts", undefined, "List Users Blog Posts by User ID"],
    ["get", "/users/{user_id}/posts/{id}", undefined, "Get Users Posts by User ID and ID"],
    ["post", "/users", undefined, "Create Users"],
    ["delete", "/", undefined, "Delete"],
    ["get", "/{ä}", "***", "Get by Ä"],
  ])("%s %s %s is made of words: %s", (method, path, operationId, title) => {
    expect(compileForTest(openApi({ [path]: { [method]: { operationId } } })).tools[0]?.title).toBe(title)
  })

  it("says what is called where names were told apart", () => {
    const get = { operationId: "op" }
    const document = compileForTest(openApi({ "/x/{a}/{bC}": { get }, "/y/{a}/{bC}": { get }, "/z": { get } }))
    expect(document.tools.map((tool) => tool.title)).toEqual(["Get X by a and B C", "Get Y by a and B C", "Op"])
  })
})

describe("versions", () => {
  it.each(["3.0.0", "3.1.1", "3.2.0", 3.1])("openapi %j is read", (openapi) => {
    expect(compileForTest({ openapi, paths: { "/a": fine } }).names).toEqual(["fine"])
  })

  it.each(["2.0", "4.0.0", "", null])("openapi %j is refused", (openapi) => {
    expect(() => compileForTest({ openapi, paths: { "/a": fine } })).toThrow(ExecutorError)
  })

  it("3.2 adds methods", () => {
    const document = compileForTest({
      openapi: "3.2.0",
      paths: {
        "/a": {
          query: { requestBody: { content: { "application/json": { schema: { type: "object", properties: { q: {} } } } } } },
          additionalOperations: { COPY: {}, "bad method": {}, CONNECT: {}, POST: {} },
          post: { operationId: "twice" },
        },
      },
    })
    expect(document.tools.map((tool) => tool.name).toSorted()).toEqual(["a.copy", "a.query", "twice"])
    expect(document.tool("a.copy").bound.method).toBe("COPY")
    expect(document.messages).toHaveLength(3)
  })
})

describe("defects", () => {
  const survives = (paths: unknown, rest: Json = {}): TestedDocument => {
    const document = compileForTest(openApi({ ...(paths as Json), "/fine": fine }, rest))
    expect(document.names).toContain("fine")
    return document
  }

  it.each<[string, unknown, readonly string[]]>([
    ["a path that is no object", { "/a": 5 }, ["fine"]],
    ["a path that refers to nothing", { "/a": { $ref: "#/components/pathItems/Gone" } }, ["fine"]],
    ["a path that refers to itself", { "/a": { $ref: "#/paths/~1a" } }, ["fine"]],
    ["an operation that is no object", { "/a": { get: "x", put: null, post: {} } }, ["a.create", "fine"]],
    ["parameters that are no list", { "/a": { get: { parameters: {} } } }, ["a.list", "fine"]],
    [
      "a parameter that is no object",
      { "/a": { get: { parameters: [null, 5, { name: 1, in: "query" }, { name: "a", in: "body" }] } } },
      ["a.list", "fine"],
    ],
    ["a parameter that refers to nothing", { "/a": { get: { parameters: [{ $ref: "#/gone" }] } } }, ["a.list", "fine"]],
    ["a body that refers to nothing", { "/a": { post: { requestBody: { $ref: "#/gone" } }, get: {} } }, ["a.list", "fine"]],
    ["a body that is no object", { "/a": { post: { requestBody: 5 } } }, ["fine"]],
    ["content that is no map", { "/a": { post: { requestBody: { content: [] } } } }, ["a.create", "fine"]],
    ["a media type that is no object", { "/a": { post: { requestBody: { content: { "application/json": 5 } } } } }, ["a.create", "fine"]],
    ["a response that refers to nothing", { "/a": { get: { responses: { 200: { $ref: "#/gone" } } } } }, ["a.list", "fine"]],
    ["an operation id that is no text", { "/a": { get: { operationId: 5 } } }, ["a.list", "fine"]],
    ["a path without a slash", { a: { get: {} } }, ["a.list", "fine"]],
    ["a path that is there twice", { a: { get: {} }, "/a": { get: {} } }, ["a.list", "fine"]],
  ])("%s", (_, paths, names) => {
    const document = survives(paths)
    expect(document.names.toSorted()).toEqual(names)
    for (const { location } of document.facts.warnings) expect(location).toMatch(/^#\//)
  })

  it("of operation ids that are there twice cost nothing but the name", () => {
    const document = survives({ "/a": { get: { operationId: "same" } }, "/b/{id}": { get: { operationId: "same" } } })
    expect(document.names.toSorted()).toEqual(["fine", "same", "sameById"])
    expect(document.messages).toEqual([
      "#/paths/~1a/get: The operationId 'same' occurs more than once; this tool is named 'same'",
      expect.stringContaining("#/paths/~1b~1{id}/get: The operationId 'same' occurs more than once; this tool is named 'sameById'"),
      expect.stringContaining("'id' is not declared"),
    ])
  })

  it("of names that are members of every object", () => {
    const paths = JSON.parse(
      '{"/p":{"get":{"operationId":"__proto__","tags":["constructor"]}},"/constructor":{"get":{}},"__proto__":{"get":{}},"/x":{"__proto__":{"get":{}},"constructor":{}}}',
    ) as Json
    const document = compileForTest({ openapi: "3.0.0", paths })
    expect(document.names.toSorted()).toEqual(["constructor.list", "constructor.proto", "proto.list"])
  })

  it("are counted beyond the limit", () => {
    const paths = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`/p${index}`, 5]))
    const { warnings } = compileForTest(openApi(paths), { limits: { warningsMax: 10 } }).facts
    expect(warnings).toHaveLength(10)
    expect(warnings.at(-1)).toEqual({ location: "#", message: "42 more warnings are not shown" })
  })

  it("of size keep the first tools by name", () => {
    const paths = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`/p${9 - index}`, { get: {} }]))
    const document = compileForTest(openApi(paths), { limits: { toolsPerConnectionMax: 3 } })
    expect(document.names).toEqual(["p1.list", "p2.list", "p3.list"])
    expect(document.messages.join()).toContain("9 operations; the first 3 by name are kept")
  })
})

describe("a selection", () => {
  it("changes no name, and warns of patterns that select nothing", () => {
    const paths = {
      "/a/{id}": { get: { operationId: "same" } },
      "/b/{key}": { get: { operationId: "same" } },
      "/c": { get: { tags: ["t"], operationId: "c" } },
    }
    expect(compileForTest(openApi(paths), { include: ["/a/**"] }).names).toEqual(["sameById"])
    expect(compileForTest(openApi(paths), { include: ["tag:t"] }).names).toEqual(["t.c"])
    const document = compileForTest(openApi(paths), { exclude: ["same*", "gone.*"] })
    expect(document.names).toEqual(["t.c"])
    expect(document.messages).toContain("#/paths: The pattern 'gone.*' selects no operation")
  })
})

describe("a header parameter whose name no request can carry", () => {
  const withHeader = (required: boolean) =>
    compileForTest(
      openApi({
        "/a": {
          get: {
            operationId: "call",
            parameters: [
              { name: "b c", in: "header", required, schema: { type: "string" } },
              { name: "X-Ok", in: "header", schema: { type: "string" } },
            ],
          },
        },
        "/b": { get: { operationId: "other" } },
      }),
    )

  it("is left out with a warning", () => {
    const document = withHeader(false)
    expect(document.tool("call").input.properties).toEqual({ "X-Ok": { type: "string" } })
    expect(document.messages).toEqual(["#/paths/~1a/get: 'b c' is not the name of a header; the parameter was left out"])
  })

  it("takes its operation with it where it is required", () => {
    const document = withHeader(true)
    expect(document.names).toEqual(["other"])
    expect(document.messages).toEqual(["#/paths/~1a/get: 'b c' is not the name of a header, and is required; the operation is left out"])
  })
})
