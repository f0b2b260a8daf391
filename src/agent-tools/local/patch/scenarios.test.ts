// Folders before a patch and after it. A scenario without an `after` is refused, and its folder stays as it was.
import { describe, expect, test } from "vitest"
import { ApplyPatchHandler } from "../apply-patch.ts"
import { call, callWith, makeFolder } from "../testing/local-tool.ts"
import type { Files } from "../testing/local-tool.ts"

type Scenario = {
  readonly name: string
  readonly before: Files
  /** The lines between the first and the last of the patch. */
  readonly patch: readonly string[]
  readonly after?: Files
  readonly answer: string | RegExp
}

const success = (...lines: readonly string[]): string =>
  `Success. Updated the following files:\n${lines.map((line) => `${line}\n`).join("")}`
const song = "one\ntwo\nthree\nfour\nfive\n"

const scenarios: readonly Scenario[] = [
  {
    name: "a new file in new folders",
    before: {},
    patch: ["*** Add File: docs/deep/note.md", "+# Note", "+", "+Text"],
    after: { "docs/deep/note.md": "# Note\n\nText\n" },
    answer: success("A docs/deep/note.md"),
  },
  {
    name: "an empty new file",
    before: {},
    patch: ["*** Add File: empty.txt"],
    after: { "empty.txt": "" },
    answer: success("A empty.txt"),
  },
  {
    name: "a new file where one is",
    before: { "a.txt": "mine\n" },
    patch: ["*** Add File: a.txt", "+other"],
    answer: /Failed to add file a\.txt: it exists\. Update it, or delete it in the same patch first/,
  },
  {
    name: "a deleted file",
    before: { "a.txt": "a\n", "b.txt": "b\n" },
    patch: ["*** Delete File: a.txt"],
    after: { "b.txt": "b\n" },
    answer: success("D a.txt"),
  },
  {
    name: "a deleted file that is not there",
    before: { "b.txt": "b\n" },
    patch: ["*** Update File: b.txt", "@@", "-b", "+c", "*** Delete File: a.txt"],
    answer: /Failed to delete file a\.txt: there is no such file/,
  },
  {
    name: "a deleted folder",
    before: { "dir/a.txt": "a\n" },
    patch: ["*** Delete File: dir"],
    answer: /dir is a folder/,
  },
  {
    name: "one replaced line",
    before: { "a.txt": song },
    patch: ["*** Update File: a.txt", "@@", " two", "-three", "+3", " four"],
    after: { "a.txt": "one\ntwo\n3\nfour\nfive\n" },
    answer: success("M a.txt"),
  },
  {
    name: "a first hunk without its marker",
    before: { "a.txt": song },
    patch: ["*** Update File: a.txt", "-one", "+1"],
    after: { "a.txt": "1\ntwo\nthree\nfour\nfive\n" },
    answer: success("M a.txt"),
  },
  {
    name: "several hunks in one file",
    before: { "a.txt": song },
    patch: ["*** Update File: a.txt", "@@", "-one", "+1", " two", "@@", "-four", "@@", " five", "+six"],
    after: { "a.txt": "1\ntwo\nthree\nfive\nsix\n" },
    answer: success("M a.txt"),
  },
  {
    name: "the same file twice: the second part sees what the first made",
    before: { "a.txt": song },
    patch: ["*** Update File: a.txt", "@@", "-one", "+uno", "*** Update File: a.txt", "@@", "-uno", "+eins"],
    after: { "a.txt": "eins\ntwo\nthree\nfour\nfive\n" },
    answer: success("M a.txt"),
  },
  {
    name: "a third hunk that does not match, after a new file, a deletion and two good hunks",
    before: { "a.txt": song, "b.txt": "b\n" },
    patch: [
      "*** Add File: new.txt",
      "+new",
      "*** Delete File: b.txt",
      "*** Update File: a.txt",
      "@@",
      "-one",
      "+1",
      "@@",
      "-two",
      "+2",
      "@@",
      "-nowhere",
      "+x",
    ],
    answer: /Failed to find expected lines in a\.txt \(hunk 3 of 3\):\nnowhere\n.*\nNothing was changed\./s,
  },
  {
    name: "hunks against the order of the file",
    before: { "a.txt": song },
    patch: ["*** Update File: a.txt", "@@", "-four", "+4", "@@", "-one", "+1"],
    answer: /They are at line 1, which is before the context or hunk above them: hunks follow the order of the file/,
  },
  {
    name: "a context that chooses between equal lines",
    before: { "a.py": "def f():\n    return 1\n\ndef g():\n    return 1\n" },
    patch: ["*** Update File: a.py", "@@ def g():", "-    return 1", "+    return 2"],
    after: { "a.py": "def f():\n    return 1\n\ndef g():\n    return 2\n" },
    answer: success("M a.py"),
  },
  {
    name: "contexts inside of each other",
    before: { "a.py": "class A:\n  def f():\n    pass\nclass B:\n  def f():\n    pass\n" },
    patch: ["*** Update File: a.py", "@@ class B:", "@@   def f():", "-    pass", "+    return"],
    after: { "a.py": "class A:\n  def f():\n    pass\nclass B:\n  def f():\n    return\n" },
    answer: success("M a.py"),
  },
  {
    name: "a context that the hunk repeats",
    before: { "a.py": "def f():\n    pass\n" },
    patch: ["*** Update File: a.py", "@@ def f():", " def f():", "-    pass", "+    return"],
    after: { "a.py": "def f():\n    return\n" },
    answer: success("M a.py"),
  },
  {
    name: "a context that is not there",
    before: { "a.py": "def f():\n    pass\n" },
    patch: ["*** Update File: a.py", "@@ def h():", "-    pass", "+    return"],
    answer: /Failed to find context 'def h\(\):' in a\.py/,
  },
  {
    name: "an addition after its context",
    before: { "a.txt": song },
    patch: ["*** Update File: a.txt", "@@ two", "+two and a half"],
    after: { "a.txt": "one\ntwo\ntwo and a half\nthree\nfour\nfive\n" },
    answer: success("M a.txt"),
  },
  {
    name: "an addition without surroundings goes to the end",
    before: { "a.txt": song },
    patch: ["*** Update File: a.txt", "@@", "+six"],
    after: { "a.txt": `${song}six\n` },
    answer: success("M a.txt"),
  },
  {
    name: "the end of the file, where the same lines are elsewhere too",
    before: { "a.txt": "x\ny\nx\n" },
    patch: ["*** Update File: a.txt", "@@", "-x", "+z", "*** End of File"],
    after: { "a.txt": "x\ny\nz\n" },
    answer: success("M a.txt"),
  },
  {
    name: "the end of the file, where it is not",
    before: { "a.txt": song },
    patch: ["*** Update File: a.txt", "@@", "-one", "+1", "*** End of File"],
    answer: /Failed to find expected lines at the end of the file in a\.txt:\none\nThey are at line 1, which is not the end/,
  },
  {
    name: "spaces that the model forgot; the file keeps those of lines that stay",
    before: { "a.ts": "  if (x) {  \n    go()\n  }\n" },
    patch: ["*** Update File: a.ts", "@@", " if (x) {", "-go()", "+    stop()", "   }"],
    after: { "a.ts": "  if (x) {  \n    stop()\n  }\n" },
    answer: success("M a.ts"),
  },
  {
    name: "typographic characters that the model wrote as plain ones",
    before: { "a.md": "“Yes” – it’s\u00a0here\nend\n" },
    patch: ["*** Update File: a.md", "@@", ' "Yes" - it\'s here', "-end", "+END"],
    after: { "a.md": "“Yes” – it’s\u00a0here\nEND\n" },
    answer: success("M a.md"),
  },
  {
    name: "CRLF stays CRLF, also in a patch with CRLF of its own",
    before: { "a.txt": "one\r\ntwo\r\nthree\r\n" },
    patch: ["*** Update File: a.txt\r", "@@\r", " one\r", "-two\r", "+2\r", "+2b\r"],
    after: { "a.txt": "one\r\n2\r\n2b\r\nthree\r\n" },
    answer: success("M a.txt"),
  },
  {
    name: "mixed line breaks: lines that stay keep theirs",
    before: { "a.txt": "one\r\ntwo\nthree\nfour\n" },
    patch: ["*** Update File: a.txt", "@@", " one", "-two", "+2", " three"],
    after: { "a.txt": "one\r\n2\nthree\nfour\n" },
    answer: success("M a.txt"),
  },
  {
    name: "no line break at the end: stays so if the last line stays",
    before: { "a.txt": "one\ntwo\nthree" },
    patch: ["*** Update File: a.txt", "@@", "-one", "+1", " two", " three"],
    after: { "a.txt": "1\ntwo\nthree" },
    answer: success("M a.txt"),
  },
  {
    name: "no line break at the end: a new last line has one",
    before: { "a.txt": "one\ntwo" },
    patch: ["*** Update File: a.txt", "@@", " two", "+three"],
    after: { "a.txt": "one\ntwo\nthree\n" },
    answer: success("M a.txt"),
  },
  {
    name: "a byte order mark stays",
    before: { "a.txt": "\ufeffone\ntwo\n" },
    patch: ["*** Update File: a.txt", "@@", "-one", "+1"],
    after: { "a.txt": "\ufeff1\ntwo\n" },
    answer: success("M a.txt"),
  },
  {
    name: "all lines deleted",
    before: { "a.txt": "one\ntwo\n" },
    patch: ["*** Update File: a.txt", "@@", "-one", "-two"],
    after: { "a.txt": "" },
    answer: success("M a.txt"),
  },
  {
    name: "an empty file filled",
    before: { "a.txt": "" },
    patch: ["*** Update File: a.txt", "@@", "+one"],
    after: { "a.txt": "one\n" },
    answer: success("M a.txt"),
  },
  {
    name: "a moved and changed file",
    before: { "old/a.txt": song },
    patch: ["*** Update File: old/a.txt", "*** Move to: new/deep/b.txt", "@@", "-one", "+1"],
    after: { "new/deep/b.txt": "1\ntwo\nthree\nfour\nfive\n", "old/": "" },
    answer: success("M new/deep/b.txt"),
  },
  {
    name: "a file moved as it is",
    before: { "a.txt": song },
    patch: ["*** Update File: a.txt", "*** Move to: b.txt"],
    after: { "b.txt": song },
    answer: success("M b.txt"),
  },
  {
    name: "a move onto another file",
    before: { "a.txt": "a\n", "b.txt": "b\n" },
    patch: ["*** Update File: a.txt", "*** Move to: b.txt", "@@", "-a", "+c"],
    answer: /Failed to move a\.txt to b\.txt: that file exists\. Delete it in the same patch first/,
  },
  {
    name: "a move onto a file that the patch deletes",
    before: { "a.txt": "a\n", "b.txt": "b\n" },
    patch: ["*** Delete File: b.txt", "*** Update File: a.txt", "*** Move to: b.txt"],
    after: { "b.txt": "a\n" },
    answer: success("M b.txt", "D a.txt"),
  },
  {
    name: "two files that change their names",
    before: { "a.txt": "a\n", "b.txt": "b\n" },
    patch: [
      "*** Update File: a.txt",
      "*** Move to: c.txt",
      "*** Update File: b.txt",
      "*** Move to: a.txt",
      "*** Update File: c.txt",
      "*** Move to: b.txt",
    ],
    after: { "a.txt": "b\n", "b.txt": "a\n" },
    answer: success("M a.txt", "M b.txt"),
  },
  {
    name: "a file deleted and written anew",
    before: { "a.txt": "a\n" },
    patch: ["*** Delete File: a.txt", "*** Add File: a.txt", "+new"],
    after: { "a.txt": "new\n" },
    answer: success("M a.txt"),
  },
  {
    name: "an update of a file that is not there",
    before: {},
    patch: ["*** Update File: a.txt", "@@", "-a", "+b"],
    answer: /Failed to read file to update a\.txt: there is no such file/,
  },
  {
    name: "spaces around markers, empty lines between files",
    before: { "a.txt": "a\n" },
    patch: ["  *** Add File: b.txt  ", "+b", "", "   *** Update File: a.txt", "@@", "-a", "+A", "", "*** Add File: c.txt", "+c", ""],
    after: { "a.txt": "A\n", "b.txt": "b\n", "c.txt": "c\n" },
    answer: success("A b.txt", "A c.txt", "M a.txt"),
  },
  {
    name: "empty lines whose space is missing",
    before: { "a.txt": "one\n\ntwo\n" },
    patch: ["*** Update File: a.txt", "@@", " one", "", "-two", "+2"],
    after: { "a.txt": "one\n\n2\n" },
    answer: success("M a.txt"),
  },
  {
    name: "the header of a unified diff",
    before: { "a.txt": song },
    patch: ["*** Update File: a.txt", "@@ -2,2 +2,2 @@", "-two", "+2"],
    after: { "a.txt": "one\n2\nthree\nfour\nfive\n" },
    answer: success("M a.txt"),
  },
  {
    name: "names and text of all the world",
    before: { "données/naïve 文件.txt": "Grüße 🎈\n" },
    patch: ["*** Update File: données/naïve 文件.txt", "@@", "-Grüße 🎈", "+Grüße 🎉 ‮"],
    after: { "données/naïve 文件.txt": "Grüße 🎉 ‮\n" },
    answer: success("M données/naïve 文件.txt"),
  },
  {
    name: "lines that look like markers, as content",
    before: { "a.txt": "*** End Patch\n@@\n" },
    patch: ["*** Update File: a.txt", "@@", " *** End Patch", "-@@", "+*** Begin Patch", "*** Add File: b.txt", "+*** End Patch", "+-x"],
    after: { "a.txt": "*** End Patch\n*** Begin Patch\n", "b.txt": "*** End Patch\n-x\n" },
    answer: success("A b.txt", "M a.txt"),
  },
  {
    name: "a file inside of a file",
    before: { "a.txt": "a\n" },
    patch: ["*** Add File: b.txt", "+b", "*** Add File: a.txt/c.txt", "+c"],
    answer: /'a\.txt' is a file, so nothing can be in it/,
  },
  {
    name: "a new file inside of another new file",
    before: {},
    patch: ["*** Add File: a", "+a", "*** Add File: a/b", "+b"],
    answer: /failed: cannot use 'a'/,
  },
  {
    name: "a path that leaves the workspace, in the second part",
    before: { "a.txt": "a\n" },
    patch: ["*** Update File: a.txt", "@@", "-a", "+b", "*** Add File: ../evil.txt", "+x"],
    answer: /cannot use '\.\.\/evil\.txt': tools work inside the workspace/,
  },
  {
    name: "a move that leaves the workspace",
    before: { "a.txt": "a\n" },
    patch: ["*** Update File: a.txt", "*** Move to: /tmp/evil.txt", "@@", "-a", "+b"],
    answer: /tools work inside the workspace/,
  },
  {
    name: "a hook of Git",
    before: { ".git/config": "[core]\n" },
    patch: ["*** Add File: .git/hooks/pre-commit", "+rm -rf /"],
    answer: /files in '\.git' are read-only for tools/,
  },
  { name: "no file at all", before: { "a.txt": "a\n" }, patch: [], answer: "failed: No files were modified." },
  {
    name: "an update without hunks",
    before: { "a.txt": "a\n" },
    patch: ["*** Update File: a.txt"],
    answer: /Update file hunk for path 'a\.txt' is empty/,
  },
  {
    name: "a hunk without lines",
    before: { "a.txt": "a\n" },
    patch: ["*** Update File: a.txt", "@@"],
    answer: /Update hunk does not contain any lines/,
  },
  {
    name: "a line without a mark",
    before: { "a.txt": "a\n" },
    patch: ["*** Update File: a.txt", "@@", "what is this"],
    answer: /invalid hunk at line 4, Unexpected line found in update hunk: 'what is this'\. Every line should start with/,
  },
  {
    name: "a second hunk without its marker",
    before: { "a.txt": song },
    patch: ["*** Update File: a.txt", "@@", "-one", "*** End of File", "-two"],
    answer: /Expected update hunk to start with a @@ context marker, got: '-two'/,
  },
  {
    name: "an unknown header",
    before: { "a.txt": "a\n" },
    patch: ["*** Rename File: a.txt"],
    answer: /invalid hunk at line 2, '\*\*\* Rename File: a\.txt' is not a valid hunk header\. Valid hunk headers:/,
  },
  {
    name: "lines of a new file without a plus",
    before: {},
    patch: ["*** Add File: a.txt", "+one", " two"],
    answer: /'two' is not a valid hunk header/,
  },
]

describe("scenarios", () => {
  test.each(scenarios)("$name", async ({ before, patch, after, answer }) => {
    const folder = makeFolder(before)
    try {
      const input = ["*** Begin Patch", ...patch, "*** End Patch"].join("\n")
      const given = await callWith(new ApplyPatchHandler(folder.workspace), { type: "custom", input })
      expect(given).toEqual(typeof answer === "string" ? answer : expect.stringMatching(answer))
      expect(folder.read()).toEqual(after ?? before)
      expect(given.startsWith("failed: ")).toBe(after === undefined)
    } finally {
      folder.remove()
    }
  })
})

describe("around the patch", () => {
  const patch = "*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch"
  test.each([
    ["nothing", patch],
    ["a line break at the end", `${patch}\n\n`],
    [
      "spaces around its first and last line",
      patch.replace("*** Begin Patch", "  *** Begin Patch ").replace("*** End Patch", "*** End Patch  "),
    ],
    ["a here-document", `<<'EOF'\n${patch}\nEOF\n`],
    ["a command with a here-document", `apply_patch <<"PATCH"\n${patch}\nPATCH`],
  ])("%s", async (_, input) => {
    const folder = makeFolder()
    expect(await callWith(new ApplyPatchHandler(folder.workspace), { type: "custom", input })).toBe(success("A a.txt"))
    expect(await call(new ApplyPatchHandler(folder.workspace), { input })).toContain("it exists")
    folder.remove()
  })

  test.each([
    ["", "The first line of the patch must be '*** Begin Patch'"],
    ["hello", "The first line of the patch must be '*** Begin Patch'"],
    ["*** Begin Patch", "The last line of the patch must be '*** End Patch'"],
    ["*** Begin Patch\n*** Add File: a.txt\n+a", "The last line of the patch must be '*** End Patch'"],
  ])("%j is not a patch", async (input, reason) => {
    const folder = makeFolder()
    expect(await callWith(new ApplyPatchHandler(folder.workspace), { type: "custom", input })).toContain(reason)
    folder.remove()
  })
})
