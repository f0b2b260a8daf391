// The options that say what an artifact is.
import type { Command } from "commander"
import type { ArtifactInput } from "../../../core/registry/binding.ts"
import { collect } from "../option-parse.ts"
import { UsageError } from "../usage-error.ts"

export type ArtifactOptions = { readonly name?: string; readonly code?: string; readonly input?: string[] }

export const addArtifactOptions = (command: Command): Command =>
  command
    .option("--name <name>", "The name, for people.")
    .option("--code <code>", "TypeScript that reads `input` and returns the answer; @file, or - for stdin.")
    .option(
      "--input <name:type[:required][=default]>",
      "An input, e.g. 'title:string:required' or 'limit:integer=10'. Repeat for more; these are then all of them.",
      collect,
    )

const types = ["string", "number", "integer", "boolean", "object", "array", "any"]

export function parseArtifactInput(text: string): ArtifactInput {
  const [, name, type = "any", need, fallback] = /^([A-Za-z_$][\w$]*)(?::(\w+))?(?::(required|optional))?(?:=(.*))?$/s.exec(text) ?? []
  if (name === undefined || !types.includes(type))
    throw new UsageError(`--input takes name:type[:required][=default] with a type of ${types.join(", ")}, not '${text}'`)
  return { name, type, required: need === "required", ...(fallback === undefined ? {} : { default: readDefault(fallback, type) }) }
}

function readDefault(text: string, type: string): unknown {
  if (type === "string") return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    if (type === "any") return text
    throw new UsageError(`--input: the default '${text}' is not JSON of the type ${type}`)
  }
}
