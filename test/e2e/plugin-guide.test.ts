// The guide for plugins says what the example does: each of its TypeScript snippets stands in it.
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const root = join(import.meta.dirname, "..", "..")
const folder = join(root, "examples", "plugin")
const example = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"))
const guide = readFileSync(join(root, "docs", "guide", "writing-a-plugin.md"), "utf8")
const snippets = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? "")

test("there are snippets", () => {
  expect(snippets.length).toBeGreaterThan(5)
})

test.each(snippets)("%s", (snippet) => {
  expect(example.some((file) => file.includes(snippet))).toBe(true)
})
