// Bounding whole outputs: texts share a budget, and whatever is not text stays.
import { expect, test } from "vitest"
import { truncateOutput } from "./output-truncate.ts"
import type { ToolOutput } from "./tool.ts"

const image = { type: "image" as const, mimeType: "image/png", data: "A".repeat(10_000) }
const text = (letter: string) => ({ type: "text" as const, text: letter.repeat(40) })
const resource = { type: "resource" as const, resource: { uri: "file:///a", text: "r".repeat(40) } }

test("the blocks of an MCP result are one text with images in between", () => {
  const output: ToolOutput = {
    type: "mcp",
    result: { ok: true, value: { content: [text("a"), image, text("b"), resource], isError: true } },
  }
  const cut = truncateOutput(output, 10)
  expect(cut).toEqual({
    type: "mcp",
    result: {
      ok: true,
      value: {
        content: [
          { type: "text", text: `${"a".repeat(20)}…20 tokens truncated…` },
          image,
          { type: "resource", resource: { uri: "file:///a", text: "r".repeat(20) } },
        ],
        isError: true,
      },
    },
  })
  expect(truncateOutput(cut, 10)).toEqual(cut)
})

test("a structured answer stays whole, or is left to the text beside it", () => {
  const value = { content: [text("a")], structuredContent: { n: 1 } }
  expect(truncateOutput({ type: "mcp", result: { ok: true, value } }, 10)).toEqual({ type: "mcp", result: { ok: true, value } })
  const large = { content: [text("a"), text("b")], structuredContent: { large: "x".repeat(100) } }
  const cut = truncateOutput({ type: "mcp", result: { ok: true, value: large } }, 10)
  expect(cut).toMatchObject({
    result: { value: { content: [{ text: `${"a".repeat(20)}…10 tokens truncated…` }, { text: "b".repeat(20) }] } },
  })
  expect(cut).not.toHaveProperty("result.value.structuredContent")
})

test("errors of servers are bounded, and empty texts are kept", () => {
  expect(truncateOutput({ type: "mcp", result: { ok: false, error: "x".repeat(80) } }, 10)).toMatchObject({
    result: { error: `${"x".repeat(20)}…10 tokens truncated…${"x".repeat(20)}` },
  })
  const contentItems = [{ type: "input_text" as const, text: "" }]
  expect(truncateOutput({ type: "function", content: "", contentItems }, 10)).toEqual({ type: "function", content: "", contentItems })
})
