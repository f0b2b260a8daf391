// How the reader of a hint starts the command line: `executor` where the package is installed, the script at the root in a clone.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
// The published package leaves the sources out.
const isClone = existsSync(join(root, "src"))

/** For pages and documents, whose readers sit elsewhere: in a clone it is typed at its root. */
export const executorCommandOnPages = isClone ? "./executor" : "executor"

/** For whoever sits in this terminal: it works from the working directory they are in. */
export const executorCommand = isClone && join(process.cwd(), "/") !== root ? shellWord(join(root, "executor")) : executorCommandOnPages

/** For programs that start it, from any directory. */
export function executorProgram(args: readonly string[]): { readonly command: string; readonly args: readonly string[] } {
  if (isClone && process.platform !== "win32") return { command: join(root, "executor"), args }
  return { command: process.execPath, args: [join(root, "bin", "executor.js"), ...args] }
}

function shellWord(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
