// What a browser loads of the console, packed: the first page, and what each further page adds.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, test } from "vitest"
import { firstLoadMax, home, kilobyte, lazyParts, pageMax, readBuiltFiles, start } from "./built-files.ts"
import type { BuiltFiles } from "./built-files.ts"
import { buildConsole } from "./console.ts"

let built: BuiltFiles
beforeAll(() => {
  buildConsole()
  built = readBuiltFiles()
})

test("the first page weighs at most 220 KB, with its styles and its font", () => {
  for (const name of [start, home]) expect(built.manifest[name]?.isDynamicEntry, name).toBe(true)
  const files = built.first()
  expect([...files].some((file) => file.endsWith(".css"))).toBe(true)
  expect([...files].some((file) => file.endsWith(".woff2"))).toBe(true)
  expect(built.sizeOf(files) / kilobyte).toBeLessThanOrEqual(firstLoadMax / kilobyte)
  expect(existsSync(join(import.meta.dirname, "..", "..", "dist", "web", "index.html"))).toBe(true)
})

test("each further page adds at most 40 KB", () => {
  const first = built.first()
  const pages = Object.entries(built.manifest).filter(([name, chunk]) => chunk.isDynamicEntry === true && !lazyParts.test(name))
  expect(pages.length).toBeGreaterThan(9)
  const added = pages.map(([name]) => ({
    name,
    kilobytes: Math.ceil(built.sizeOf([...built.of(name)].filter((file) => !first.has(file))) / kilobyte),
  }))
  expect(added.filter(({ kilobytes }) => kilobytes > pageMax / kilobyte)).toEqual([])
})
