// What a model reads of an execution: files, failures, notices and large results.
import { expect, test } from "vitest"
import { callCode } from "../../core/call/code.ts"
import type { ExecutionReply } from "../../core/execution.ts"
import { fail, succeed, toolFile } from "../../core/result.ts"
import type { ToolResult } from "../../core/result.ts"
import { executionOutput } from "./execution-output.ts"

const id = "exe_1"
const pixel = toolFile(Buffer.from("not really a picture"), "image/png", "pixel.png")
const notes = toolFile(Buffer.from("text"), "text/plain", "notes.txt")

/** What is longer than a reply is read in pieces; nothing else is asked for. */
const stored = { executions: { result: async () => ({ text: JSON.stringify(succeed("x".repeat(100_000))), nextOffset: null }) } }
const single = callCode("shop.items.get", {})

function reply(result: unknown, emitted: readonly unknown[] = []): ExecutionReply {
  const structured = { status: "completed", result, logs: [{ level: "log", text: "looked" }], emitted } as const
  return { executionId: id, status: "completed", text: JSON.stringify(result), structured, isError: false }
}
const called = (result: ToolResult) => executionOutput({ reply: reply(result), code: single }, stored)

test("the data of a tool alone, as text", async () => {
  expect(await called(succeed({ n: 1 }))).toEqual({ type: "function", content: '{"n":1}', success: true })
  expect(await called(succeed("as it is"))).toEqual({ type: "function", content: "as it is", success: true })
})

test("a failure with its details, and what concerns the tool itself", async () => {
  const failure = fail("not_found", "There is no such item", { details: { suggestions: ["pen"] } })
  const deprecated = { code: "deprecated", message: "Use items.read instead" } as const
  expect(await called({ ...failure, notice: deprecated })).toEqual({
    type: "function",
    content: 'not_found: There is no such item\n{"suggestions":["pen"]}\nUse items.read instead',
    success: false,
  })
})

test("images as images, other files by their names", async () => {
  const output = await called(succeed({ files: [pixel, notes] }))
  expect(output).toMatchObject({
    contentItems: [{ type: "input_text" }, { type: "input_image", image_url: `data:image/png;base64,${pixel.data}` }],
  })
  const content = "content" in output ? output.content : ""
  expect(content).toContain('"name":"notes.txt"')
  expect(content).not.toContain(pixel.data)
  expect(content).not.toContain(notes.data)
})

test("of code, what it returned, logged and emitted, without the bytes of files", async () => {
  const output = await executionOutput({ reply: reply({ picture: pixel }, [{ step: 1 }]), code: "return 1" }, stored)
  const content = "content" in output ? output.content : ""
  expect(content).toMatch(/pixel\.png.*Logs:.*looked.*Emitted: \{"step":1\}/s)
  expect(content).not.toContain(pixel.data)
})

test("a result that a reply has only the beginning of is read whole", async () => {
  const beginning = { truncated: true, readMore: `tools.executor.results.read({ executionId: "${id}" })` }
  const output = await executionOutput({ reply: reply(beginning), code: single }, stored)
  expect(output).toMatchObject({ content: "x".repeat(100_000), success: true })
})
