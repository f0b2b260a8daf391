// Files in results: taken out where they are, and left alone where they only look like some.
import { expect, test } from "vitest"
import { toolFile } from "../../../core/result.ts"
import { takeFiles } from "./result-files.ts"

const png = toolFile(new Uint8Array([1, 2, 3]), "image/png")

test("files become blocks, in the order in which they occur", () => {
  const { value, blocks } = takeFiles(
    { ok: true, data: [png, { deep: toolFile(new Uint8Array([4]), "text/csv", "a/b.csv") }] },
    "executor://x",
  )
  expect(blocks).toEqual([
    { type: "image", data: "AQID", mimeType: "image/png" },
    { type: "resource", resource: { uri: "executor://x/1/a%2Fb.csv", mimeType: "text/csv", blob: "BA==" } },
  ])
  expect(JSON.stringify(value)).not.toContain("AQID")
})

test("anything else is passed on as it is", () => {
  const value = { _tag: "ToolFile", data: 3, list: [null, "x", { _tag: "Other", data: "y" }] }
  expect(takeFiles(value, "executor://x")).toEqual({ value, blocks: [] })
  expect(takeFiles(value, "executor://x").value).toBe(value)
})

test.each(["not base64!", "AQI", "A===", "AQ=D", "AQID\n", "x".repeat(100_001)])(
  "a file whose data is not base64 is shown as text: %s",
  (data) => {
    const [block] = takeFiles({ ...png, data }, "u").blocks
    expect(block).toMatchObject({ type: "text", text: expect.stringContaining(data.slice(0, 2000)) })
    expect(JSON.stringify(block).length).toBeLessThan(2200)
  },
)

test("what is hostile stays small: depth, number and types", () => {
  let deep: unknown = png
  for (let level = 0; level < 50; level += 1) deep = { deep }
  expect(takeFiles(deep, "u").blocks).toEqual([])
  expect(
    takeFiles(
      Array.from({ length: 200 }, () => png),
      "u",
    ).blocks,
  ).toHaveLength(50)
  expect(takeFiles({ ...png, mimeType: 5, name: {} }, "u").blocks).toMatchObject([{ resource: { mimeType: "application/octet-stream" } }])
})
