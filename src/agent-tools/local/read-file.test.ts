// Lines of files as models read them.
import { execFileSync } from "node:child_process"
import { closeSync, openSync, symlinkSync, truncateSync, writeFileSync, writeSync } from "node:fs"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FileReadHandler } from "./read-file.ts"
import { call, callWith, makeFolder } from "./testing/local-tool.ts"
import type { Folder } from "./testing/local-tool.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder({ "a.txt": "one\ntwo\nthree\nfour\n" })
})
afterEach(() => folder.remove())

const read = (args: unknown): Promise<string> => call(new FileReadHandler(folder.workspace), args)

describe("lines", () => {
  test("have their numbers", async () => {
    expect(await read({ file_path: "a.txt" })).toBe("L1: one\nL2: two\nL3: three\nL4: four")
    expect(await read({ file_path: folder.at("a.txt"), offset: 2, limit: 2 })).toBe("L2: two\nL3: three")
    expect(await read({ file_path: "a.txt", offset: "4", limit: null })).toBe("L4: four")
  })

  test("end at LF, CRLF, and the end of the file", async () => {
    folder.write({ "b.txt": "one\r\n\r\ntwo\n\nthree" })
    expect(await read({ file_path: "b.txt" })).toBe("L1: one\nL2: \nL3: two\nL4: \nL5: three")
  })

  test("are cut after 500 characters, never inside of one", async () => {
    folder.write({ "long.txt": `${"x".repeat(500)}\n${"🎈".repeat(501)}\n${"é".repeat(2000)}\n${"y".repeat(1_000_000)}\nend\n` })
    expect((await read({ file_path: "long.txt" })).split("\n")).toEqual([
      `L1: ${"x".repeat(500)}`,
      `L2: ${"🎈".repeat(500)}`,
      `L3: ${"é".repeat(500)}`,
      `L4: ${"y".repeat(500)}`,
      "L5: end",
      "[cut after 500 characters: lines 2, 3, 4]",
    ])
  })

  test("that are not valid UTF-8 are shown as well as possible", async () => {
    writeFileSync(folder.at("latin.txt"), Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]))
    expect(await read({ file_path: "latin.txt" })).toBe("L1: caf\ufffd")
  })

  test("are 2000 unless asked for more, and the answer says where it goes on", async () => {
    folder.write({ "many.txt": "x\n".repeat(2001) })
    const lines = (await read({ file_path: "many.txt" })).split("\n")
    expect(lines.slice(-2)).toEqual(["L2000: x", "[the file goes on: continue with offset 2001]"])
    expect((await read({ file_path: "many.txt", limit: 5000 })).split("\n")).toHaveLength(2001)
    expect(await read({ file_path: "many.txt", limit: 1 })).toBe("L1: x")
  })
})

describe("bad arguments", () => {
  test.each([
    [{ file_path: "a.txt", offset: 0 }, "offset must be a 1-indexed line number"],
    [{ file_path: "a.txt", offset: -1 }, "offset must be a 1-indexed line number"],
    [{ file_path: "a.txt", limit: 0 }, "limit must be greater than zero"],
    [{ file_path: "a.txt", offset: 5 }, "offset exceeds file length"],
    [{ file_path: "a.txt", offset: 1.5 }, "'offset' must be a whole number"],
    [{ file_path: "a.txt", limit: "many" }, "'limit' must be a whole number"],
    [{ path: "a.txt" }, "'file_path' must be a string; the call has path"],
    [{ file_path: 12 }, "'file_path' must be a string"],
    [{ file_path: "" }, "the path must not be empty"],
    [{ file_path: "nope.txt" }, "cannot use 'nope.txt': there is no such file"],
    [{ file_path: "." }, "it is a folder"],
    [{ file_path: "../x" }, "tools work inside the workspace"],
    ["[1]", "failed to parse function arguments"],
    ["{", "failed to parse function arguments"],
  ])("%j: %s", async (args, reason) => {
    const answer = await read(args)
    expect(answer).toMatch(/^failed: /)
    expect(answer).toContain(reason)
  })

  test("a payload of another kind ends the turn", async () => {
    expect(await callWith(new FileReadHandler(folder.workspace), { type: "custom", input: "a.txt" })).toBe(
      "failed: Fatal error: tool tool invoked with incompatible payload",
    )
  })
})

describe("files", () => {
  test("that are empty say so", async () => {
    folder.write({ "empty.txt": "" })
    expect(await read({ file_path: "empty.txt" })).toBe("[the file is empty]")
    expect(await read({ file_path: "empty.txt", offset: 2 })).toBe("failed: offset exceeds file length")
  })

  test("that are binary say so", async () => {
    writeFileSync(folder.at("image.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]))
    expect(await read({ file_path: "image.png" })).toContain("it is a binary file of 8 bytes")
  })

  test("of 100 MB are read only as far as needed", async () => {
    const file = openSync(folder.at("big.log"), "w")
    const block = Buffer.from("0123456789abcde\n".repeat(65_536))
    for (let written = 0; written < 100; written += 1) writeSync(file, block)
    closeSync(file)
    const before = process.memoryUsage().arrayBuffers
    expect(await read({ file_path: "big.log", offset: 6_553_600 })).toBe("L6553600: 0123456789abcde")
    expect(await read({ file_path: "big.log", offset: 6_553_601 })).toBe("failed: offset exceeds file length")
    expect(await read({ file_path: "big.log", limit: 100_000_000 })).toMatch(/\[the file goes on: continue with offset \d+\]$/)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000)
  })

  test("of 100 MB without a line break are one line", async () => {
    writeFileSync(folder.at("line.txt"), "x".repeat(10_000))
    truncateSync(folder.at("line.txt"), 100 * 1024 * 1024)
    expect(await read({ file_path: "line.txt" })).toBe(`L1: ${"x".repeat(500)}\n[cut after 500 characters: line 1]`)
  })

  test("with strange names", async () => {
    folder.write({ "new\nline \u001b[31m.txt": "x" })
    expect(await read({ file_path: "new\nline \u001b[31m.txt" })).toBe("L1: x")
    expect(await read({ file_path: "no\u001b[31m" })).not.toContain("\u001b")
  })

  test("that are pipes do not keep the call waiting", async () => {
    execFileSync("mkfifo", [folder.at("pipe")])
    expect(await read({ file_path: "pipe" })).toContain("it is not a regular file")
  })

  test("outside are not read through links", async () => {
    symlinkSync("/etc/passwd", folder.at("passwd"))
    expect(await read({ file_path: "passwd" })).toContain("the link 'passwd' leads out of it")
  })

  test("are not read for a cancelled call", async () => {
    const args = { file_path: "a.txt" }
    expect(await call(new FileReadHandler(folder.workspace), args, { signal: AbortSignal.abort() })).toBe("failed: aborted")
  })
})
