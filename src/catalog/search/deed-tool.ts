// Says what a tool does to a thing, by the words of its name and by what its source states about its effect.
import type { Effect } from "../../core/tool.ts"
import { nameDeeds } from "./verb-lists.ts"
import { isPlural, nameParts } from "./words.ts"

/** Reading is told apart by how many things it gives; `read` is any other reading. */
export type Kind = "list" | "get" | "read" | "create" | "update" | "delete" | "change"

export const kinds: readonly Kind[] = ["list", "get", "read", "create", "update", "delete", "change"]

/** Methods of HTTP that some names begin with, and the verbs that people use for them. */
const getters: ReadonlySet<string> = new Set(["get", "read", "fetch", "retrieve", "view", "show"])
const listers: ReadonlySet<string> = new Set(["list", "all", "search", "find", "query", "browse"])

/** Verbs that are nothing else, so that they may stand in the middle: `folderListForPath`. */
const innerVerbs: ReadonlySet<string> = new Set(["list", "get", "fetch", "find", "search", "create", "add", "update", "delete", "remove"])

/** Where the thing ends that a name is about: `tasks` of `getTasksForProject`. */
const thingEnds: ReadonlySet<string> = new Set(["for", "by", "in", "of", "from", "with", "to", "on", "at", "and", "or", "using"])

/** `verb`: the word of the name that was read as its deed; empty when none was. */
export type ToolDeed = { readonly kind: Kind; readonly verb: string }

/**
 * The verb stands at the beginning of the last part of a name (`issues.createComment`, `read_file`), at its end
 * (`ticketCreate`, `users_list`), or nowhere. A name that says "read" is believed before a source that does not say what a tool
 * does: of an MCP server without annotations everything may destroy.
 */
export function deedOfTool(name: string, effect: Effect): ToolDeed {
  const words = nameParts(name.slice(name.lastIndexOf(".") + 1))
  const found =
    verbAt(words, 0) ??
    verbAt(words, words.length - 1) ??
    verbAt(
      words,
      words.findIndex((word) => innerVerbs.has(word)),
    )
  if (found === undefined) return { kind: kindByEffect(words.at(-1) ?? "", effect), verb: "" }
  const { verb, at } = found
  const thing = thingOf(words, at) || (nameParts(name).at(-1 - words.length) ?? "")
  return { kind: kindOf(verb, thing, words.slice(at + 1), effect), verb }
}

function kindByEffect(thing: string, effect: Effect): Kind {
  if (effect !== "read") return "change"
  return isPlural(thing) ? "list" : "read"
}

function verbAt(words: readonly string[], at: number): { verb: string; at: number } | undefined {
  const word = words[at]
  return word !== undefined && nameDeeds.has(word) ? { verb: word, at } : undefined
}

function thingOf(words: readonly string[], verbAt: number): string {
  const rest = verbAt === 0 ? words.slice(1) : words.slice(0, verbAt)
  const end = rest.findIndex((word, index) => index > 0 && thingEnds.has(word))
  return rest.slice(0, end < 0 ? undefined : end).at(-1) ?? ""
}

function kindOf(verb: string, thing: string, rest: readonly string[], effect: Effect): Kind {
  const deed = nameDeeds.get(verb) ?? "change"
  if (listers.has(verb)) return "list"
  if (getters.has(verb)) return isPlural(thing) && rest.length > 0 ? "list" : "get"
  if (deed === "read") return effect === "read" ? "read" : "change"
  // `postCharges` makes one, `postChargesCharge` changes it, `postChargesChargeRefund` does something else with it.
  if (verb === "post" && rest.length > 1 && !isPlural(thing)) return isItem(rest) ? "update" : "change"
  return deed
}

/** Whether a path ends in one thing of a collection: `charges charge`, `users id`. */
function isItem(rest: readonly string[]): boolean {
  const last = rest.at(-1) ?? ""
  const before = rest.at(-2) ?? ""
  return last === "id" || (isPlural(before) && before.startsWith(last.slice(0, -1)))
}
