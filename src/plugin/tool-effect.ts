// The effect of a plugin's tool: as declared, or else derived from its name.
import type { Effect } from "../core/tool.ts"
import type { Plugin, PluginTool } from "./definition.ts"

type Declared = Pick<PluginTool, "path" | "destructive">

const readingVerbs = new Set(
  "check compare count describe diff exists explain fetch find get has inspect is list lookup peek preview query read search show stat stats status summarize view".split(
    " ",
  ),
)

/** `find_or_create`, `read_and_delete`, `check_in`: the second word says what the first does not. */
const secondThoughts = new Set(["and", "or", "then"])
const checkWords = new Set(["in", "out", "off"])

export function effectOfTool(tool: Declared): Effect {
  if (tool.destructive === true) return "destroy"
  return tool.destructive === false || soundsLikeReading(tool.path) ? "read" : "write"
}

/** `items.list_all`, and not `events.listen`. */
function soundsLikeReading(path: string): boolean {
  const [verb = "", ...others] = (path.split(".").at(-1) ?? "").split("_")
  if (verb === "check" && checkWords.has(others[0] ?? "")) return false
  return readingVerbs.has(verb) && !others.some((word) => secondThoughts.has(word))
}

/** For their author: tools that ask only because nobody said what they do. */
export const undeclaredTools = (plugin: Plugin): string[] =>
  plugin.tools.filter((tool) => tool.destructive === undefined && effectOfTool(tool) !== "read").map((tool) => tool.path)

export const undeclaredMessage = (path: string): string =>
  `'${path}' does not declare \`destructive\`, so every call requires approval. Declare destructive: false if the tool only reads, or destructive: true if it changes data`
