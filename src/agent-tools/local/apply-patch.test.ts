// A patch is applied as a whole or not at all, whatever the disk does.
import { spawn } from "node:child_process"
import { chmodSync, lstatSync, mkdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { ApplyPatchHandler } from "./apply-patch.ts"
import { commitFiles } from "./file-commit.ts"
import { call, callWith, makeFolder } from "./testing/local-tool.ts"
import type { Folder } from "./testing/local-tool.ts"
import { TurnDiffTracker } from "./turn-diff-tracker.ts"
import { locate } from "./workspace.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const apply = (...lines: readonly string[]): Promise<string> =>
  callWith(new ApplyPatchHandler(folder.workspace), { type: "custom", input: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") })
const never = new AbortController().signal

describe("as a handler", () => {
  test("takes freeform input and functions, and nothing else", async () => {
    const handler = new ApplyPatchHandler(folder.workspace)
    expect(handler.matchesKind({ type: "custom", input: "" })).toBe(true)
    expect(handler.matchesKind({ type: "function", arguments: "" })).toBe(true)
    expect(handler.matchesKind({ type: "local_shell", params: { command: [] } })).toBe(false)
    expect(await handler.isMutating()).toBe(true)
    expect(await call(handler, { input: "*** Begin Patch\n*** Add File: a\n+a\n*** End Patch" })).toContain("A a\n")
  })

  test("says what is wrong with the arguments of a function", async () => {
    const handler = new ApplyPatchHandler(folder.workspace)
    expect(await call(handler, "")).toContain("'input' must be a string; the call has no arguments")
    expect(await call(handler, { patch: "x" })).toContain("'input' must be a string; the call has patch")
    expect(await call(handler, "{ bad")).toContain("failed to parse function arguments")
  })

  test("refuses a patch of hundreds of megabytes and of thousands of files", async () => {
    expect(await apply("*** Add File: a", `+${"x".repeat(9_000_000)}`)).toContain("at most 8388608 bytes")
    expect(await apply(...Array.from({ length: 201 }, (_, index) => `*** Delete File: ${index}`))).toContain("at most 200 files")
  })
})

describe("files", () => {
  test("keep their permissions, also when they move", async () => {
    folder.write({ "run.sh": "#!/bin/sh\n", "secret.env": "A=1\n" })
    chmodSync(folder.at("run.sh"), 0o755)
    chmodSync(folder.at("secret.env"), 0o600)
    await apply("*** Update File: run.sh", "@@", "+exit", "*** Update File: secret.env", "*** Move to: other.env", "@@", "-A=1", "+A=2")
    expect(statSync(folder.at("run.sh")).mode & 0o777).toBe(0o755)
    expect(statSync(folder.at("other.env")).mode & 0o777).toBe(0o600)
  })

  test("that are read-only are not replaced", async () => {
    folder.write({ "a.txt": "a\n", "b.txt": "b\n" })
    chmodSync(folder.at("b.txt"), 0o444)
    expect(await apply("*** Update File: a.txt", "@@", "-a", "+A", "*** Update File: b.txt", "@@", "-b", "+B")).toContain("it is read-only")
    expect(folder.read()).toEqual({ "a.txt": "a\n", "b.txt": "b\n" })
  })

  test("that are not text are not damaged, but can be moved and deleted", async () => {
    writeFileSync(folder.at("a.bin"), Buffer.from([0x66, 0xff, 0xfe, 0x0a]))
    expect(await apply("*** Update File: a.bin", "@@", "+x")).toContain("it is not UTF-8 text")
    expect(await apply("*** Update File: a.bin", "*** Move to: b.bin")).toContain("M b.bin")
    expect(await apply("*** Delete File: b.bin")).toContain("D b.bin")
  })

  test("that are huge can be deleted, not changed", async () => {
    writeFileSync(folder.at("big.log"), "")
    truncateSync(folder.at("big.log"), 100 * 1024 * 1024)
    expect(await apply("*** Update File: big.log", "@@", "+x")).toContain("big.log is too large")
    expect(await apply("*** Update File: big.log", "*** Move to: other.log")).toContain("too large")
    expect(await apply("*** Delete File: big.log")).toContain("D big.log")
    expect(folder.read()).toEqual({})
  })

  test("behind links that stay inside are changed, and the links stay", async () => {
    folder.write({ "real/a.txt": "a\n" })
    symlinkSync("real", folder.at("link"))
    symlinkSync("real/a.txt", folder.at("b.txt"))
    // Both names mean the same file.
    expect(await apply("*** Update File: link/a.txt", "@@", "-a", "+A", "*** Update File: b.txt", "@@", "-A", "+AA")).toContain(
      "M real/a.txt",
    )
    expect(folder.read()).toEqual({ "b.txt": "<link>", link: "<link>", "real/a.txt": "AA\n" })
    expect(await apply("*** Delete File: b.txt")).toContain("name the file itself")
  })

  test("behind links that lead out are not written, changed, moved or deleted", async () => {
    const outside = makeFolder({ "secret.txt": "secret\n" })
    folder.write({ "a.txt": "a\n" })
    symlinkSync(outside.path, folder.at("out"))
    symlinkSync(outside.at("secret.txt"), folder.at("file"))
    symlinkSync(outside.at("new.txt"), folder.at("dangling"))
    for (const lines of [
      ["*** Add File: out/new.txt", "+x"],
      ["*** Add File: dangling", "+x"],
      ["*** Update File: file", "@@", "-secret", "+x"],
      ["*** Update File: out/secret.txt", "*** Move to: b.txt"],
      ["*** Update File: a.txt", "*** Move to: out/a.txt"],
      ["*** Delete File: out/secret.txt"],
    ]) {
      expect(await apply(...lines)).toMatch(/failed: .*(?:leads out of it|leads to nothing)/)
    }
    expect(outside.read()).toEqual({ "secret.txt": "secret\n" })
    outside.remove()
  })
})

describe("all or nothing", () => {
  const files = { "a.txt": "a\n", "b.txt": "b\n", "gone.txt": "gone\n" }

  test("a change that fails after others were made puts them back", async () => {
    folder.write(files)
    const contents = { "a.txt": Buffer.from("A\n"), "gone.txt": null, "new/deep/n.txt": Buffer.from("n\n"), clash: Buffer.from("c\n") }
    const changes = await Promise.all(
      Object.entries(contents).map(async ([path, content]) => ({ place: await locate(folder.workspace, path), content })),
    )
    // The signal is asked after all checks, right before the first change: at this moment somebody makes a folder of the last file's name.
    const signal = new Proxy(never, {
      get(target, key) {
        if (key === "aborted") mkdirSync(folder.at("clash"))
        return Reflect.get(target, key, target) as unknown
      },
    })
    await expect(commitFiles(folder.workspace, changes, signal)).rejects.toThrow("cannot use 'clash': somebody else has just created it")
    expect(folder.read()).toEqual({ ...files, "clash/": "" })
  })

  test("a file that somebody changed since it was read is not overwritten", async () => {
    folder.write(files)
    const places = await Promise.all(["a.txt", "b.txt"].map((path) => locate(folder.workspace, path)))
    folder.write({ "b.txt": "mine, longer\n" })
    const changes = places.map((place) => ({ place, content: Buffer.from("x\n") }))
    await expect(commitFiles(folder.workspace, changes, never)).rejects.toThrow("'b.txt': somebody else has just changed it; read it again")
    expect(folder.read()).toEqual({ ...files, "b.txt": "mine, longer\n" })
  })

  test("a file that somebody created meanwhile is not overwritten", async () => {
    const place = await locate(folder.workspace, "new.txt")
    folder.write({ "new.txt": "mine\n" })
    await expect(commitFiles(folder.workspace, [{ place, content: Buffer.from("x") }], never)).rejects.toThrow("just created it")
    expect(folder.read()).toEqual({ "new.txt": "mine\n" })
  })

  test("a link that somebody put in the file's place is not followed", async () => {
    const outside = makeFolder({ "secret.txt": "secret\n" })
    const place = await locate(folder.workspace, "new.txt")
    symlinkSync(outside.at("secret.txt"), folder.at("new.txt"))
    await expect(commitFiles(folder.workspace, [{ place, content: Buffer.from("x") }], never)).rejects.toThrow("just created it")
    expect(lstatSync(folder.at("new.txt")).isSymbolicLink()).toBe(true)
    expect(outside.read()).toEqual({ "secret.txt": "secret\n" })
    outside.remove()
  })

  test("a cancelled call changes nothing, not even folders", async () => {
    folder.write(files)
    const place = await locate(folder.workspace, "new/deep/n.txt")
    await expect(commitFiles(folder.workspace, [{ place, content: Buffer.from("x") }], AbortSignal.abort())).rejects.toThrow(
      "aborted before anything was changed",
    )
    expect(folder.read()).toEqual(files)
  })

  test("a failed patch is not part of the turn's diff", async () => {
    folder.write(files)
    const tracker = new TurnDiffTracker()
    const input = "*** Begin Patch\n*** Delete File: a.txt\n*** Delete File: nope\n*** End Patch"
    await callWith(new ApplyPatchHandler(folder.workspace), { type: "custom", input }, { tracker })
    expect(tracker.unifiedDiff()).toBeNull()
  })
})

test("a process that is killed leaves every file complete, old or new", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `file-${index}.txt`)
  const content = (letter: string): string => `${letter.repeat(1000)}\n`.repeat(500)
  folder.write(Object.fromEntries(names.map((name) => [name, content("a")])))
  const program = join(import.meta.dirname, "testing/patch-loop.ts")
  for (let round = 0; round < 5; round += 1) {
    const child = spawn(process.execPath, [program, folder.path, ...names], { stdio: ["ignore", "pipe", "inherit"] })
    // It tells when the files are about to change; the kill hits some moment after that.
    for (let patches = 0; patches <= round % 2; patches += 1) await once(child.stdout, "data")
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    expect(await ended).toEqual([null, "SIGKILL"])
    const left = Object.entries(folder.read()).filter(([name]) => !name.endsWith(".tmp"))
    expect(left.map(([name]) => name)).toEqual(names.toSorted())
    for (const [name, text] of left) expect([name, [content("a"), content("b")].includes(text)]).toEqual([name, true])
  }
})
