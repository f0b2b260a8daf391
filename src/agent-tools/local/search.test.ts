// Searching the workspace, with ripgrep and without it.
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { SearchHandler } from "./search.ts"
import type { SearchOptions } from "./search.ts"
import { call, makeFolder } from "./testing/local-tool.ts"
import type { Folder } from "./testing/local-tool.ts"
import { openWorkspace } from "./workspace.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder({
    "a.ts": "const needle = 1\nconst other = 2\n",
    "src/b.ts": "needle()\r\n  needle again\r\n",
    "src/c.md": "a needle in prose\n",
    ".gitignore": "ignored\n",
    "node_modules/x/index.js": "needle\n",
    ".hidden/d.ts": "needle\n",
  })
})
afterEach(() => folder.remove())

const search = (args: unknown, options: SearchOptions = {}, signal?: AbortSignal): Promise<string> =>
  call(new SearchHandler(folder.workspace, options), args, signal === undefined ? {} : { signal })
const found = async (args: unknown, options: SearchOptions = {}): Promise<readonly string[]> => (await search(args, options)).split("\n")

describe("matches", () => {
  test("are shown with file and line, in order", async () => {
    folder.write({ ".ignore": "node_modules\n" })
    expect(await found({ pattern: "needle" })).toEqual([
      "a.ts:1:const needle = 1",
      "src/b.ts:1:needle()",
      "src/b.ts:2:  needle again",
      "src/c.md:1:a needle in prose",
    ])
  })

  test("can be limited to files, folders and globs", async () => {
    expect(await found({ pattern: "needle", path: "src" })).toHaveLength(3)
    expect(await found({ pattern: "needle", path: "src/c.md" })).toEqual(["src/c.md:1:a needle in prose"])
    expect(await found({ pattern: "needle", path: folder.at("src"), include: "*.md" })).toEqual(["src/c.md:1:a needle in prose"])
    expect(await found({ pattern: "needle", include: "*.{md,txt}" })).toEqual(["src/c.md:1:a needle in prose"])
    expect(await found({ pattern: "^needle\\(\\)$" })).toEqual(["src/b.ts:1:needle()"])
  })

  test("beyond the limit are announced", async () => {
    folder.write({ "many.txt": "many\n".repeat(3000) })
    const lines = await found({ pattern: "many", limit: 2 })
    expect(lines).toEqual([
      "many.txt:1:many",
      "many.txt:2:many",
      "[only the first 2 matches are shown; narrow the search, or raise limit up to 2000]",
    ])
    expect(await found({ pattern: "many", limit: 1_000_000 })).toHaveLength(2001)
    expect(await found({ pattern: "many" })).toHaveLength(101)
  })

  test("in their millions are stopped", async () => {
    const content = `${"x".repeat(400)}\n`.repeat(100)
    folder.write(Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`many/${index}.txt`, content])))
    const lines = await found({ pattern: "x", path: "many", limit: 100 })
    expect(lines).toHaveLength(101)
    expect(lines.at(-1)).toContain("there are too many matches to sort")
  })

  test("in long lines are cut", async () => {
    folder.write({ "long.js": `needle${"é".repeat(5_000_000)}\n` })
    const answer = await search({ pattern: "needle", path: "long.js" })
    expect(answer).toMatch(/^long\.js:1:needleé+ \[\.\.\. omitted end of long line\]$/)
    expect(answer.length).toBeLessThan(600)
  })

  test("none: says so, and fails", async () => {
    expect(await search({ pattern: "nowhere" })).toBe("failed: No matches found.")
  })
})

describe("bad input", () => {
  test.each([
    [{ pattern: "" }, "pattern must not be empty"],
    [{ pattern: "  " }, "pattern must not be empty"],
    [{}, "'pattern' must be a string"],
    [{ pattern: "x", limit: 0 }, "limit must be greater than zero"],
    [{ pattern: "x\0" }, "pattern cannot contain a NUL character"],
    [{ pattern: "x".repeat(10_001) }, "at most 10000 characters"],
    [{ pattern: "x", path: ".." }, "tools work inside the workspace"],
    [{ pattern: "x", path: "nope" }, "there is no such file or folder"],
    [{ pattern: "(" }, "unclosed group"],
    [{ pattern: "(?=x)" }, "look-around"],
    [{ pattern: "x", include: "{" }, "search failed"],
  ])("%#: %s", async (args, reason) => {
    const answer = await search(args)
    expect(answer).toMatch(/^failed: /)
    expect(answer).toContain(reason)
  })

  test("patterns and globs are never options", async () => {
    expect(await search({ pattern: "--files" })).toBe("failed: No matches found.")
    expect(await search({ pattern: "needle", include: "--pre=sh" })).toBe("failed: No matches found.")
    folder.write({ "--pre=sh": "needle\n" })
    expect(await search({ pattern: "needle", path: "--pre=sh" })).toBe("--pre=sh:1:needle")
  })
})

describe("strange files", () => {
  test("names with line breaks and escapes stay on one line", async () => {
    folder.write({ "we\nird\u001b[31m:1:.txt": "needle\n" })
    const lines = await found({ pattern: "needle", include: "we*" })
    expect(lines).toEqual([String.raw`we ird\u001b[31m:1:.txt:1:needle`])
  })

  test("binary files, pipes and links are passed over", async () => {
    execFileSync("mkfifo", [folder.at("src/pipe")])
    symlinkSync("/etc", folder.at("src/etc"))
    writeFileSync(folder.at("src/bin"), "needle\n\0")
    // Its beginning looks like text.
    writeFileSync(folder.at("src/late"), `needle\n${"text\n".repeat(100_000)}\0needle\n`)
    // What is found before it and after it, in whichever order ripgrep's threads come to them.
    for (let number = 0; number < 40; number += 1) writeFileSync(folder.at(`src/more${number}`), "needle\n")
    const lines = await found({ pattern: "needle|root:", path: "src" })
    expect(lines.filter((line) => !/^src\/(?:b\.ts|c\.md|late|more\d+):\d+:/.test(line))).toEqual([])
    expect(lines.filter((line) => line.startsWith("src/more"))).toHaveLength(40)
    expect(lines.some((line) => line.startsWith("src/c.md:"))).toBe(true)
    expect(await search({ pattern: "x", path: "src/pipe" })).toContain("it is not a regular file")
    expect(await search({ pattern: "root", path: "src/etc/passwd" })).toContain("leads out of it")
  })

  test("files that cannot be read do not hide the others", async () => {
    if (process.getuid?.() === 0) symlinkSync("nowhere", folder.at("src/broken"))
    else chmodSync(folder.at("a.ts"), 0)
    expect(await found({ pattern: "needle", path: "src" })).toHaveLength(3)
  })

  test("hidden paths are not searched", async () => {
    mkdirSync(folder.at("da*ta"))
    folder.write({ "da*ta/key": "needle\n", "data/key": "needle\n" })
    const handler = new SearchHandler(openWorkspace(folder.path, [folder.at("da*ta")]))
    const lines = (await call(handler, { pattern: "needle" })).split("\n")
    expect(lines.filter((line) => line.startsWith("da"))).toEqual(["data/key:1:needle"])
    expect(await call(handler, { pattern: "needle", path: "da*ta" })).toContain("not available to tools")
  })
})

describe("without ripgrep", () => {
  const note = "[ripgrep is missing on this machine: the pattern was searched as plain text, and .gitignore was not read]"
  const plain: SearchOptions = { ripgrep: null }

  test("plain text is found, and the answer says so", async () => {
    expect(await found({ pattern: "needle" }, plain)).toEqual([
      "a.ts:1:const needle = 1",
      "src/b.ts:1:needle()",
      "src/b.ts:2:  needle again",
      "src/c.md:1:a needle in prose",
      note,
    ])
    expect(await found({ pattern: "needle()", include: "*.ts", path: "src" }, plain)).toEqual(["src/b.ts:1:needle()", note])
    expect(await found({ pattern: "needle", path: "src/c.md" }, plain)).toEqual(["src/c.md:1:a needle in prose", note])
    expect((await found({ pattern: "needle", limit: 1 }, plain)).slice(0, 2)).toEqual([
      "a.ts:1:const needle = 1",
      "[only the first 1 matches are shown; narrow the search, or raise limit up to 2000]",
    ])
    expect(await search({ pattern: "need.e" }, plain)).toBe(`failed: No matches found.\n${note}`)
  })

  test("pipes and links are passed over", async () => {
    execFileSync("mkfifo", [folder.at("src/pipe")])
    symlinkSync("/etc", folder.at("src/etc"))
    expect(await search({ pattern: "root:" }, plain)).toContain("No matches found.")
  })

  test("a cancelled search ends", async () => {
    expect(await search({ pattern: "needle" }, plain, AbortSignal.abort())).toBe("failed: aborted")
  })

  test("a program that cannot be started is an answer", async () => {
    expect(await search({ pattern: "x" }, { ripgrep: folder.at("nope") })).toContain("search failed: ripgrep could not be started")
  })
})

test("cancelling ends the process", async () => {
  const pidFile = folder.at("pid")
  // Stands in for a ripgrep that takes for ever.
  writeFileSync(folder.at("slow"), `#!/bin/sh\necho $$ > '${pidFile}.new'\nmv '${pidFile}.new' '${pidFile}'\nexec sleep 600\n`)
  chmodSync(folder.at("slow"), 0o755)
  const controller = new AbortController()
  const answer = search({ pattern: "x" }, { ripgrep: folder.at("slow") }, controller.signal)
  while (!readdirSync(folder.path).includes("pid")) await new Promise((turn) => setImmediate(turn))
  const pid = Number(readFileSync(pidFile, "utf8"))
  expect(process.kill(pid, 0)).toBe(true)
  controller.abort()
  expect(await answer).toBe("failed: aborted")
  expect(() => process.kill(pid, 0)).toThrow("ESRCH")
})
