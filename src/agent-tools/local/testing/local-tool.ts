// A folder with files on the real disk, and calls of local tools in it, for tests.
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { FunctionCallError } from "../../function-call-error.ts"
import type { ToolHandler, ToolPayload } from "../../tool.ts"
import { TurnDiffTracker } from "../turn-diff-tracker.ts"
import { openWorkspace } from "../workspace.ts"
import type { Workspace } from "../workspace.ts"

export type Files = { readonly [path: string]: string }

export type Folder = {
  readonly path: string
  readonly workspace: Workspace
  at(path: string): string
  write(files: Files): void
  /** All files, by their paths; other things are shown as `<link>` and the like. */
  read(): Files
  remove(): void
}

export function makeFolder(files: Files = {}): Folder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "local-tools-")))
  const at = (inner: string): string => join(path, inner)
  const write = (added: Files): void => {
    for (const [name, content] of Object.entries(added)) {
      mkdirSync(dirname(at(name)), { recursive: true })
      writeFileSync(at(name), content)
    }
  }
  write(files)
  const remove = (): void => rmSync(path, { recursive: true, force: true })
  return { path, workspace: openWorkspace(path), at, write, read: () => readFolder(path, ""), remove }
}

function readFolder(root: string, prefix: string): Files {
  const files: Record<string, string> = {}
  for (const name of readdirSync(join(root, prefix)).toSorted()) {
    const path = join(prefix, name)
    const stats = lstatSync(join(root, path))
    if (stats.isDirectory())
      Object.assign(files, readdirSync(join(root, path)).length === 0 ? { [`${path}/`]: "" } : readFolder(root, path))
    else files[path] = stats.isFile() ? readFileSync(join(root, path), "utf8") : stats.isSymbolicLink() ? "<link>" : "<special>"
  }
  return files
}

/** The answer as the model reads it; a failed one begins with `failed: `. */
export async function call(
  handler: ToolHandler,
  args: unknown,
  options: { signal?: AbortSignal; tracker?: TurnDiffTracker } = {},
): Promise<string> {
  return callWith(handler, { type: "function", arguments: typeof args === "string" ? args : JSON.stringify(args) }, options)
}

export async function callWith(
  handler: ToolHandler,
  payload: ToolPayload,
  { signal = new AbortController().signal, tracker = new TurnDiffTracker() }: { signal?: AbortSignal; tracker?: TurnDiffTracker } = {},
): Promise<string> {
  try {
    const turn = { toolCallGate: { waitReady: async () => undefined } }
    const output = await handler.handle({ session: {}, turn, tracker, callId: "call-1", toolName: "tool", payload, signal })
    if (output.type !== "function") throw new Error("A local tool answers with a function's output")
    return output.success === false ? `failed: ${output.content}` : output.content
  } catch (error) {
    if (!(error instanceof FunctionCallError)) throw error
    return `failed: ${error.message}`
  }
}
