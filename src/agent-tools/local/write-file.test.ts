// Files as models write them.
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { call, makeFolder } from "./testing/local-tool.ts"
import type { Folder } from "./testing/local-tool.ts"
import { TurnDiffTracker } from "./turn-diff-tracker.ts"
import { FileWriteHandler } from "./write-file.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder({ "a.txt": "a\n" })
})
afterEach(() => folder.remove())

const write = (file_path: string, content: unknown): Promise<string> => call(new FileWriteHandler(folder.workspace), { file_path, content })

describe("writing", () => {
  test("creates files and their folders", async () => {
    expect(await write("new/deep/b.txt", "Grüße\r\n🎈")).toBe("Success. Updated the following files:\nA new/deep/b.txt\n")
    expect(folder.read()).toEqual({ "a.txt": "a\n", "new/deep/b.txt": "Grüße\r\n🎈" })
  })

  test("replaces files, keeps their permissions, and leaves nothing beside them", async () => {
    chmodSync(folder.at("a.txt"), 0o750)
    expect(await write(folder.at("a.txt"), "")).toBe("Success. Updated the following files:\nM a.txt\n")
    expect(statSync(folder.at("a.txt")).mode & 0o777).toBe(0o750)
    expect(statSync(folder.at("a.txt")).size).toBe(0)
    expect(readdirSync(folder.path)).toEqual(["a.txt"])
  })

  test("goes through links that stay inside, and leaves other names of a file alone", async () => {
    symlinkSync("a.txt", folder.at("link"))
    linkSync(folder.at("a.txt"), folder.at("hard"))
    expect(await write("link", "new")).toContain("M a.txt")
    expect(folder.read()).toEqual({ "a.txt": "new", hard: "a\n", link: "<link>" })
  })

  test("makes files with the longest name", async () => {
    const name = `${"n".repeat(251)}.txt`
    expect(await write(name, "x")).toContain("A n")
    expect(readFileSync(folder.at(name), "utf8")).toBe("x")
  })

  test("is in the diff of the turn", async () => {
    const tracker = new TurnDiffTracker()
    await call(new FileWriteHandler(folder.workspace), { file_path: "a.txt", content: "b\n" }, { tracker })
    expect(tracker.unifiedDiff()).toContain("-a\n+b\n")
  })
})

describe("refused", () => {
  test("what leaves the workspace", async () => {
    const outside = makeFolder({ "secret.txt": "secret" })
    symlinkSync(outside.path, folder.at("out"))
    symlinkSync(outside.at("new.txt"), folder.at("dangling"))
    symlinkSync(outside.at("secret.txt"), folder.at("secret"))
    for (const path of ["../x.txt", "/tmp/x.txt", "out/x.txt", "out/new/x.txt", "dangling", "secret"]) {
      expect(await write(path, "x")).toMatch(/^failed: cannot use/)
    }
    expect(outside.read()).toEqual({ "secret.txt": "secret" })
    outside.remove()
  })

  test("folders, hooks of Git, files in files, names that are too long", async () => {
    mkdirSync(folder.at("dir"))
    expect(await write("dir", "x")).toContain("it is a folder")
    expect(await write(".", "x")).toContain("it is a folder")
    expect(await write(".git/hooks/pre-commit", "x")).toContain("read-only for tools")
    expect(await write("a.txt/b.txt", "x")).toContain("is a file")
    expect(await write("n".repeat(256), "x")).toContain("a name in it is too long")
    expect(folder.read()).toEqual({ "a.txt": "a\n", "dir/": "" })
  })

  test("a program does not keep the rights of its owner with another content", async () => {
    writeFileSync(folder.at("tool"), "old")
    chmodSync(folder.at("tool"), 0o4755)
    expect(await write("tool", "new")).toContain("tool")
    expect(statSync(folder.at("tool")).mode & 0o7777).toBe(0o755)
  })

  test("content that is too large, or not text", async () => {
    expect(await write("big.txt", "x".repeat(8 * 1024 * 1024 + 1))).toContain(
      "content has 8388609 bytes; write_file writes at most 8388608",
    )
    expect(await write("b.txt", { a: 1 })).toContain("'content' must be a string")
    expect(await call(new FileWriteHandler(folder.workspace), { file_path: "b.txt" })).toContain("'content' must be a string")
  })
})
