// Creates a directory and its parents one by one: Node's own recursive version never ends if a file system such as /proc refuses.
import { mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

/** For this user alone. What is there already stays as it is. */
export function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  const parent = dirname(path)
  if (parent !== path) makeDirectory(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}
