// Bodies that demand more than they describe.
import { describe, expect, it } from "vitest"
import { compileForTest, withBody } from "./compile-testing.ts"

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
