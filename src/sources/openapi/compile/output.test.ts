// What a tool answers, as far as the document says.
import { describe, expect, it } from "vitest"
import { compileForTest, openApi } from "../testing/compile.ts"
import type { Json, TestedTool } from "../testing/compile.ts"

const answering = (responses: unknown, method = "get"): TestedTool =>
  compileForTest(openApi({ "/a": { [method]: { operationId: "call", responses } } })).tool("call")
const json = (schema: unknown): Json => ({ content: { "application/json": { schema } } })

describe("the output schema", () => {
  it.each<[string, Json, unknown]>([
    ["the first 2xx", { 404: json({ type: "null" }), 201: json({ type: "number" }), 200: json({ type: "string" }) }, { type: "string" }],
    ["a JSON answer, though an earlier one is empty", { 200: {}, 202: json({ type: "string" }) }, { type: "string" }],
    ["a range", { "2XX": json({ type: "string" }) }, { type: "string" }],
    ["the default", { default: json({ type: "string" }) }, { type: "string" }],
    ["not the default beside a success", { 200: {}, default: json({ type: "string" }) }, null],
    ["nothing", { 204: {} }, { type: "null" }],
    ["unknown without content", { 200: { description: "ok" } }, null],
    ["unknown without a schema", { 200: { content: { "application/json": {} } } }, null],
    ["text", { 200: { content: { "text/csv": { schema: { type: "object" } } } } }, { type: "string" }],
    ["a file", { 200: { content: { "image/png": {} } } }, { $ref: "#/$defs/ToolFile" }],
    ["a file by its schema", { 200: json({ type: "string", format: "binary" }) }, { $ref: "#/$defs/ToolFile" }],
    ["a list of events", { 200: { content: { "text/event-stream": { itemSchema: { type: "object" } } } } }, { type: "array" }],
    [
      "JSON before others",
      { 200: { content: { "text/plain": {}, "application/problem+json": { schema: { type: "object" } } } } },
      { type: "object" },
    ],
    ["unknown where responses are no map", [] as never, null],
  ])("is %s", (_, responses, expected) => {
    expect(answering(responses).output).toEqual(expected)
  })

  it("of HEAD is null whatever is declared", () => {
    expect(answering({ 200: json({ type: "string" }) }, "head").output).toEqual({ type: "null" })
  })

  it("refers to shared definitions", () => {
    const document = compileForTest(
      openApi(
        { "/a": { get: { responses: { 200: { $ref: "#/components/responses/Ok" } } } } },
        { components: { responses: { Ok: json({ $ref: "#/components/schemas/A" }) }, schemas: { A: { type: "string" } } } },
      ),
    )
    expect(document.tool("a.list").output).toEqual({ $ref: "#/$defs/A" })
    expect([...document.definitions]).toEqual([["A", '{"type":"string"}']])
  })
})

describe("what is accepted", () => {
  it("is every type of the successes, JSON first", () => {
    const tool = answering({
      200: { content: { "text/plain": {}, "application/json": {} } },
      201: { content: { "application/hal+json": {} } },
      500: { content: { "text/html": {} } },
    })
    expect(tool.bound.accept).toEqual(["application/json", "application/hal+json", "text/plain"])
  })
})
