// Bodies that demand more than they describe, or say how many properties they have.
import { describe, expect, it } from "vitest"
import { compileForTest, withBody } from "../testing/compile.ts"

const input = (schema: object): Record<string, unknown> => compileForTest(withBody({ type: "object", ...schema })).tool("make").input

describe("a name that a body requires and does not describe", () => {
  it("is an argument of any type", () => {
    const tool = compileForTest(
      withBody({ type: "object", properties: { user: { type: "string" } }, required: ["user", "password"] }),
    ).tool("make")
    expect(tool.input).toMatchObject({ properties: { user: { type: "string" }, password: {} }, required: ["user", "password"] })
    expect(tool.bound.body?.form).toEqual({ kind: "flat", properties: ["user", "password"], open: false })
  })

  it("has the type of all names that are not described, where there is one", () => {
    const schema = input({ properties: { a: {} }, required: ["b"], additionalProperties: { type: "integer" } })
    expect(schema).toMatchObject({
      properties: { a: {}, b: { type: "integer" } },
      required: ["b"],
      additionalProperties: { type: "integer" },
    })
  })

  it("cannot be given in a closed body", () => {
    const schema = input({ properties: { a: {} }, required: ["a", "b"], additionalProperties: false })
    expect(schema).toMatchObject({ properties: { a: {} }, required: ["a"] })
    expect(schema.properties).not.toHaveProperty("b")
  })

  it("is given once, and only if it is a name", () => {
    const schema = input({ properties: { a: { readOnly: true } }, required: ["a", "b", "b", 5, "__proto__"] })
    expect(Object.keys(schema.properties as object)).toEqual(["b", "__proto__"])
    expect(schema.required).toEqual(["b", "__proto__"])
  })

  it("keeps the body whole when a parameter has it", () => {
    const tool = compileForTest({
      openapi: "3.0.0",
      paths: {
        "/a": {
          post: {
            operationId: "make",
            parameters: [{ name: "id", in: "query", schema: { type: "string" } }],
            requestBody: { content: { "application/json": { schema: { type: "object", properties: { a: {} }, required: ["id"] } } } },
          },
        },
      },
    }).tool("make")
    expect(tool.bound.body?.form).toEqual({ kind: "whole", arg: "body" })
  })
})

describe("how many properties a flat body may have", () => {
  const bounds = { minProperties: 1, maxProperties: 2 }
  const properties = { a: {}, b: {}, c: {} }
  const boundsOf = (parameters: readonly object[], schema: object, required = true): unknown => {
    const requestBody = { required, content: { "application/json": { schema: { type: "object", properties, ...schema } } } }
    const document = { openapi: "3.0.0", paths: { "/a": { post: { operationId: "make", parameters, requestBody } } } }
    const { minProperties, maxProperties } = compileForTest(document).tool("make").input
    return { minProperties, maxProperties }
  }
  const query = (name: string, required: boolean): object => ({ name, in: "query", required, schema: { type: "string" } })

  it("holds for the arguments where they are all of the body", () => {
    expect(boundsOf([], bounds)).toEqual(bounds)
  })

  it("counts parameters that are always there, and is left out where some may not be", () => {
    expect(boundsOf([query("p", true), query("q", true)], bounds)).toEqual({ minProperties: 3, maxProperties: 4 })
    expect(boundsOf([query("p", true), query("q", false)], bounds)).toEqual({})
  })

  it("asks nothing of a body that may be left out, or that cannot have so many", () => {
    expect(boundsOf([], bounds, false)).toEqual({ maxProperties: 2 })
    expect(boundsOf([], { properties: { a: {}, b: { readOnly: true } }, minProperties: 2 })).toEqual({})
    expect(boundsOf([], { minProperties: "1", maxProperties: -1 })).toEqual({})
  })
})

describe("a form that is described as a text, or not at all", () => {
  const form = (mediaType: string, content: object): Record<string, unknown> =>
    compileForTest({
      openapi: "3.0.0",
      paths: { "/a": { post: { operationId: "make", requestBody: { required: true, content: { [mediaType]: content } } } } },
    }).tool("make").input

  it.each([{ schema: { type: "string" } }, { schema: { type: "array", items: {} } }, {}])("has fields: %j", (content) => {
    expect(form("multipart/form-data", content)).toMatchObject({ properties: { body: { type: "object" } }, required: ["body"] })
    expect(form("application/x-www-form-urlencoded", content)).toMatchObject({ properties: { body: { type: ["object", "string"] } } })
  })

  it("is left alone where it may be an object", () => {
    expect(form("multipart/form-data", { schema: { anyOf: [{ type: "object", properties: { a: {} } }] } })).toMatchObject({
      properties: { body: { anyOf: [{ type: "object" }] } },
    })
  })
})
