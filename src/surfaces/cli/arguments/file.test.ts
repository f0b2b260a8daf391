// `key=@file` is read, in the form that the schema wants.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { convertArgs } from "./convert.ts"

const directory = mkdtempSync(join(tmpdir(), "executor-arg-file-"))
afterAll(() => rmSync(directory, { recursive: true }))
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(directory, name), content)
  return join(directory, name)
}
const bytes = Buffer.from([0x89, 0x50, 0xff, 0x00])
const png = file("photo.PNG", bytes)

const upload = { anyOf: [{ $ref: "#/$defs/ToolFile" }, { type: "string" }] }
const schema = {
  inputSchema: {
    properties: {
      text: { type: "string" },
      count: { type: "integer" },
      order: { type: "object" },
      labels: { type: "array", items: { type: "string" } },
      either: { oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
      encoded: { type: "string", contentEncoding: "base64" },
      image: upload,
      images: { type: "array", items: upload },
    },
  },
  schemaDefinitions: { ToolFile: { type: "object", properties: { _tag: { const: "ToolFile" }, data: { type: "string" } } } },
}
const image = {
  _tag: "ToolFile",
  name: "photo.PNG",
  mimeType: "image/png",
  encoding: "base64",
  data: bytes.toString("base64"),
  byteLength: 4,
}

test.each<[string[], unknown]>([
  [[`text=@${file("a.txt", "\uFEFFhällo\n")}`], { text: "hällo\n" }],
  [[`count=@${file("count", "5")}`], { count: 5 }],
  [[`order=@${file("order.json", '{"a":[1]}')}`], { order: { a: [1] } }],
  [[`labels=@${file("one", "a")}`, "labels=b"], { labels: ["a", "b"] }],
  [[`labels=@${file("many.json", '["a","b"]')}`], { labels: ["a", "b"] }],
  [[`either=@${file("either", "a")}`], { either: "a" }],
  [[`encoded=@${png}`], { encoded: bytes.toString("base64") }],
  [[`image=@${png}`], { image }],
  [["image=text"], { image: "text" }],
  [[`images=@${png}`], { images: [image] }],
  [[`images=@${png}`, "images=text"], { images: [image, "text"] }],
  [[`unknown=@${file("json", "[1]")}`], { unknown: [1] }],
  [["text=@@alice"], { text: "@alice" }],
  [["text=a@b"], { text: "a@b" }],
])("%j", (pairs, args) => {
  expect(convertArgs(pairs, schema)).toEqual(args)
})

test.each([
  [["text=@/nowhere"], "'text' cannot be read from '/nowhere'"],
  [["text=@alice"], "write text=@@alice"],
  [["text=@"], "cannot be read"],
  [[`text=@${directory}`], "cannot be read"],
  [[`text=@${png}`], "is not valid UTF-8"],
  [[`image=@${png}`, `image=@${png}`], "was given 2 times but takes a single value"],
])("%j is refused", (pairs, message) => {
  expect(() => convertArgs(pairs, schema)).toThrow(message)
})
