// Determines which operation a tool performs, from the words of its name and the effect that its source states.
import type { Effect } from "../../core/tool.ts"
import { nameOperations } from "../language/verb-lists.ts"
import type { Operation } from "../language/verb-lists.ts"
import { isPlural, isStopWord, nameParts } from "../language/words.ts"

/** Verbs that are nothing else, so that they may stand in the middle or at the end: `folderListForPath`, `ticketCreate`. */
const plainVerbs: ReadonlySet<string> = new Set(
  "list get fetch find search create add insert update edit patch delete remove retrieve".split(" "),
)

/**
 * `verb`: the word of the name that was read as its operation; empty when none was. `spoken`: what people say for it, where
 * it is a method of HTTP. `thing`: what it is done to.
 */
export type ToolOperation = { readonly operation: Operation; readonly verb: string; readonly spoken: string; readonly thing: string }

/**
 * The verb stands at the beginning of the last part of a name (`issues.createComment`, `read_file`), at its end
 * (`ticketCreate`, `users_list`), or nowhere. A name that says "read" is believed before a source that does not say what a tool
 * does: of an MCP server without annotations everything may destroy.
 */
export function operationOfTool(name: string, effect: Effect): ToolOperation {
  const words = nameParts(name.slice(name.lastIndexOf(".") + 1))
  const groups = nameParts(name).slice(0, -words.length)
  const at = nameOperations.has(words[0] ?? "") ? 0 : words.findLastIndex((word) => plainVerbs.has(word))
  const verb = words[at]
  if (verb === undefined) {
    const thing = words.length > 1 ? (words.at(-1) ?? "") : collectionIn(groups)
    return { operation: effect === "read" ? "read" : "change", verb: "", spoken: "", thing }
  }
  const phrase = phraseOf(at === 0 ? words.slice(1) : words.slice(0, at))
  const operation = operationOf(verb, phrase)
  const spoken = spokenFor(verb, operation, phrase.at(-1) ?? "")
  if (phrase.length > 0) return { operation, verb, spoken, thing: thingOf(phrase) }
  const collection = collectionIn(groups)
  // `servers.reboot.create` makes nothing: an operation that is posted stands in for a thing.
  const isAction = verb === "create" && collection !== groups.at(-1)
  return { operation: isAction ? "change" : operation, verb, spoken, thing: collection }
}

/** The words for what a name is about: `user tasks` of `getUserTasksForProject`. */
function phraseOf(words: readonly string[]): readonly string[] {
  const end = words.findIndex(isStopWord)
  return end < 0 ? words : words.slice(0, end)
}

/** The innermost collection of a path, or its last part: `servers` of `servers.actions.reboot`. */
const collectionIn = (groups: readonly string[]): string =>
  groups.findLast((word) => isPlural(word) && word !== "actions") ?? groups.at(-1) ?? ""

function operationOf(verb: string, phrase: readonly string[]): Operation {
  const operation = nameOperations.get(verb) ?? "change"
  // `postCharges` makes one, `postChargesCharge` changes it, `postChargesChargeRefund` does something else with it.
  if (verb === "post" && phrase.length > 1 && !isPlural(phrase.at(-1) ?? "")) return isItem(phrase) ? "update" : "change"
  return operation
}

/** Who lists things does not say "get". */
function spokenFor(verb: string, operation: Operation, last: string): string {
  if (verb === "get") return isPlural(last) ? "list" : verb
  return ["post", "put", "patch"].includes(verb) && operation !== "change" ? operation : verb
}

/** `charges` of `charges`, `charges charge`, `charges id` and `charges charge refund`. */
function thingOf(phrase: readonly string[]): string {
  const last = phrase.at(-1) ?? ""
  if (isPlural(last)) return last
  const end = isItem(phrase) ? phrase.length - 1 : phrase.length - 2
  return isItem(phrase.slice(0, end + 1)) ? (phrase[end - 1] ?? last) : last
}

/** Whether a path ends in one thing of a collection: `charges charge`, `users id`. */
function isItem(phrase: readonly string[]): boolean {
  const last = phrase.at(-1) ?? ""
  const before = phrase.at(-2) ?? ""
  return isItemOf(last, before) || (last === "id" && isPlural(before))
}

/** `charge` is one of `charges`. */
export const isItemOf = (item: string, collection: string): boolean =>
  item.length > 2 && isPlural(collection) && collection.startsWith(item.slice(0, -1))
