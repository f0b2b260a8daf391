// A program that writes all `a` of some files as `b`, then back, for ever, and tells when it is about to; tests kill it.
import { writeSync } from "node:fs"
import { commitFiles } from "../file-commit.ts"
import { locate, openWorkspace } from "../workspace.ts"

const [path = "", ...names] = process.argv.slice(2)
const workspace = openWorkspace(path)
/** It is asked for the last time right before the first file changes. */
const signal = new Proxy(new AbortController().signal, {
  get(target, key) {
    if (key === "aborted") writeSync(1, "now\n")
    return Reflect.get(target, key, target) as unknown
  },
})
for (let letter = "b"; ; letter = letter === "a" ? "b" : "a") {
  const content = Buffer.from(`${letter.repeat(1000)}\n`.repeat(500))
  const places = await Promise.all(names.map((name) => locate(workspace, name)))
  await commitFiles(
    workspace,
    places.map((place) => ({ place, content })),
    signal,
  )
}
