// Reads the path and the arguments of a call that is explained, and not made.
import { ExecutorError } from "../../../core/errors.ts"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import type { ToolSchemaView } from "../../../core/tool.ts"
import { readJsonObject } from "../prompt/input-read.ts"
import { convertArgs } from "./convert.ts"
import { splitCallWords } from "./words.ts"

/** `args` null: none were given, so that the decision is that of a list. */
type Explained = { readonly path: string; readonly args: Record<string, unknown> | null }

export async function readExplained(words: readonly string[], given: readonly string[], api: ExecutorApi): Promise<Explained> {
  const { path, input, pairs } = splitCallWords(words)
  const named = [...pairs, ...given]
  if (input === null && named.length === 0) return { path, args: null }
  const converted = named.length === 0 ? {} : convertArgs(named, await schemaIfShown(path, api))
  return { path, args: { ...(input === null ? {} : await readJsonObject(input, "The arguments")), ...converted } }
}

/** A tool that is blocked shows no schema, and is still to be explained: its arguments are then read as they look. */
const schemaIfShown = (path: string, api: ExecutorApi): Promise<ToolSchemaView | null> =>
  api.tools.schema(path).catch((error: unknown) => {
    if (error instanceof ExecutorError && error.code === "tool_blocked") return null
    throw error
  })
