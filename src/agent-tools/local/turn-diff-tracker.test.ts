// The net diff of a turn, which Git can apply to the files that were there before it.
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { ApplyPatchHandler } from "./apply-patch.ts"
import { callWith, call, makeFolder } from "./testing/local-tool.ts"
import type { Files, Folder } from "./testing/local-tool.ts"
import { trackedContent, TurnDiffTracker } from "./turn-diff-tracker.ts"
import { FileWriteHandler } from "./write-file.ts"

const before: Files = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b", "dir/c.txt": "c\r\nd\r\n" }
let folder: Folder
let tracker: TurnDiffTracker
beforeEach(() => {
  folder = makeFolder(before)
  tracker = new TurnDiffTracker()
})
afterEach(() => folder.remove())

const patch = async (...lines: readonly string[]): Promise<void> => {
  const input = ["*** Begin Patch", ...lines, "*** End Patch"].join("\n")
  expect(await callWith(new ApplyPatchHandler(folder.workspace), { type: "custom", input }, { tracker })).toContain("Success")
}
const write = async (file_path: string, content: string): Promise<void> => {
  expect(await call(new FileWriteHandler(folder.workspace), { file_path, content }, { tracker })).toContain("Success")
}
/** What Git makes of the files before the turn with its diff. */
const applied = (files: Files, diff: string): Files => {
  const copy = makeFolder(files)
  execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: copy.path, input: diff, stdio: ["pipe", "ignore", "pipe"] })
  const after = copy.read()
  copy.remove()
  return after
}

describe("a turn", () => {
  test("that changed nothing has no diff", () => {
    expect(tracker.unifiedDiff()).toBeNull()
    expect(tracker.isComplete).toBe(true)
  })

  test("shows a changed file once", async () => {
    await write("a.txt", "one\n2\nthree\n")
    await patch("*** Update File: a.txt", "@@", "-three", "+3")
    expect(tracker.unifiedDiff()).toBe(
      "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+3\n",
    )
  })

  test("does not show what was changed back, added and deleted, or moved there and back", async () => {
    await write("a.txt", "x")
    await write("a.txt", before["a.txt"] ?? "")
    await write("new.txt", "new")
    await patch("*** Delete File: new.txt")
    await patch("*** Update File: b.txt", "*** Move to: moved.txt")
    await patch("*** Update File: moved.txt", "*** Move to: b.txt")
    await patch("*** Delete File: dir/c.txt")
    await write("dir/c.txt", before["dir/c.txt"] ?? "")
    expect(folder.read()).toEqual(before)
    expect(tracker.unifiedDiff()).toBeNull()
  })

  test("shows a renamed file as one", async () => {
    await patch("*** Update File: a.txt", "*** Move to: sub/z.txt", "@@", "-two", "+2")
    await patch("*** Update File: b.txt", "*** Move to: y.txt")
    expect(tracker.unifiedDiff()).toContain("rename from a.txt\nrename to sub/z.txt\n--- a/a.txt\n+++ b/sub/z.txt\n")
    expect(tracker.unifiedDiff()).toContain("diff --git a/b.txt b/y.txt\nrename from b.txt\nrename to y.txt\n")
  })

  test("is what Git needs to do the same", async () => {
    await write("new/file.txt", "no line break")
    await write('sp ace\t"quoted".txt', "x\n")
    await patch("*** Add File: naïve-文件.txt", "+ü")
    await patch("*** Delete File: b.txt", "*** Update File: a.txt", "*** Move to: renamed.txt", "@@", " two", "-three")
    await patch("*** Update File: dir/c.txt", "@@", "-c", "+C")
    await write("empty.txt", "")
    expect(applied(before, tracker.unifiedDiff() ?? "")).toEqual(folder.read())
  })

  test("shows a file that takes the place of a deleted one as a change of it", async () => {
    await patch("*** Delete File: b.txt", "*** Update File: a.txt", "*** Move to: b.txt")
    expect(applied(before, tracker.unifiedDiff() ?? "")).toEqual(folder.read())
    expect(tracker.unifiedDiff()).not.toContain("rename")
  })

  test("names binary and huge files without their content", async () => {
    writeFileSync(folder.at("bin"), Buffer.from([0, 1, 2]))
    await patch("*** Delete File: bin")
    await write("huge.txt", "x\n".repeat(600_000))
    await write("huge.txt", "y\n".repeat(600_000))
    expect(tracker.unifiedDiff()).toBe(
      "diff --git a/bin b/bin\ndeleted file mode 100644\nBinary files a/bin and /dev/null differ\n" +
        "diff --git a/huge.txt b/huge.txt\nnew file mode 100644\nBinary files /dev/null and b/huge.txt differ\n",
    )
  })

  test("in which a command ran may have changed more", async () => {
    await write("a.txt", "x\n")
    tracker.onUnknownChange()
    expect(tracker.isComplete).toBe(false)
    expect(tracker.unifiedDiff()).toContain("+x\n")
  })

  test("with texts that take too long to compare shows them as replaced", () => {
    const lines = (seed: number): string => Array.from({ length: 50_000 }, (_, index) => `${(index * seed) % 50_021}\n`).join("")
    tracker.onWrite("a.txt", trackedContent(Buffer.from(lines(7))), trackedContent(Buffer.from(lines(13))))
    expect(tracker.unifiedDiff()).toContain("@@ -1,50000 +1,50000 @@\n")
    expect(applied({ "a.txt": lines(7) }, tracker.unifiedDiff() ?? "")).toEqual({ "a.txt": lines(13) })
  })

  test("does not hold more than its limit in memory", () => {
    const text = trackedContent(Buffer.from("x".repeat(1_000_000)))
    for (let file = 0; file < 50; file += 1) tracker.onWrite(`${file}.txt`, null, text)
    const diff = tracker.unifiedDiff() ?? ""
    expect(diff.length).toBeLessThan(34_000_000)
    expect(diff).toContain("Binary files /dev/null and b/49.txt differ")
  })
})

test("any sequence of changes is one diff that leads to its result", async () => {
  const paths = ["a", "b", "c/d"]
  const step = fc.oneof(
    fc.record({
      type: fc.constant("write" as const),
      path: fc.constantFrom(...paths),
      content: fc.constantFrom("", "x", "x\n", "x\ny\n", "z\r\n"),
    }),
    fc.record({ type: fc.constant("delete" as const), path: fc.constantFrom(...paths) }),
    fc.record({ type: fc.constant("move" as const), path: fc.constantFrom(...paths), to: fc.constantFrom(...paths) }),
  )
  const content = (text: string): ReturnType<typeof trackedContent> => trackedContent(Buffer.from(text))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const start: Files = { a: "x\ny\n", b: "x" }
      const files: Record<string, string> = { ...start }
      const turn = new TurnDiffTracker()
      for (const one of steps) {
        const old = files[one.path]
        if (one.type === "write") {
          turn.onWrite(one.path, old === undefined ? null : content(old), content(one.content))
          files[one.path] = one.content
        } else if (old !== undefined && one.type === "delete") {
          turn.onDelete(one.path, content(old))
          delete files[one.path]
        } else if (old !== undefined && one.type === "move" && files[one.to] === undefined) {
          turn.onMove(one.path, one.to, content(old), content(old))
          files[one.to] = old
          delete files[one.path]
        }
      }
      const diff = turn.unifiedDiff()
      expect(diff === null ? start : withoutEmptyFolders(applied(start, diff))).toEqual(files)
    }),
    { numRuns: 60 },
  )
})

const withoutEmptyFolders = (files: Files): Files => Object.fromEntries(Object.entries(files).filter(([path]) => !path.endsWith("/")))
