// Determines which operation a request asks for: reading, creating, changing or removing something.
import { articles, commandOperations, leadIns, questionWords, stateWords, thingOperations } from "../language/verb-lists.ts"
import type { Operation } from "../language/verb-lists.ts"
import { stopWords, weakWords } from "../language/word-lists.ts"

/** `said`: whether a known verb says the operation. `thing`: the word for what it is done to; empty where that is not clear. */
export type Wanted = { readonly operation: Operation; readonly said: boolean; readonly thing: string }

/** Endings that no command has: "billing this month" and "members the team has" name things. */
const nounEnding = /(?:[^s]s|ing|ed|ion|ment|ity|ness|ance|ence)$/

/** Null where a request does not say what it wants done. */
export function wantedOf(words: readonly string[]): Wanted | null {
  const said = words.slice(leadInLength(words))
  const [first = "", second = ""] = said
  if (first === "") return null
  if (questionWords.has(first)) return { operation: "read", said: true, thing: "" }
  const rest = said.slice(1)
  const command = commandOperations.get(first) ?? thingOperation(first, second)
  if (command !== undefined) return { operation: command, said: true, thing: thingIn(rest) }
  if (first === "open") return null
  if (isUnknownCommand(first, second)) return { operation: "change", said: false, thing: thingIn(rest) }
  const later = said.map((word) => commandOperations.get(word)).find((operation) => operation !== undefined)
  return { operation: later ?? "read", said: false, thing: thingIn(said) }
}

/** The last word before something else begins: `protection` of "the branch protection of a repo". */
function thingIn(words: readonly string[]): string {
  let thing = ""
  for (const word of words) {
    if (thing !== "" && stopWords.has(word)) return thing
    if ([stopWords, weakWords, commandOperations, stateWords].every((known) => !known.has(word)) && !/^\d+$/.test(word)) thing = word
  }
  return thing
}

function thingOperation(first: string, second: string): Operation | undefined {
  // Who opens a ticket makes one, who opens the file reads it.
  if (first === "open") return second === "a" || second === "an" || second === "new" ? "create" : undefined
  return stopWords.has(second) ? thingOperations.get(first) : undefined
}

/** "Frobnicate the pod" has a verb, whatever it means. */
const isUnknownCommand = (first: string, second: string): boolean =>
  articles.has(second) && !articles.has(first) && !nounEnding.test(first) && !/\d/.test(first)

/** How many words at the beginning only lead up to the request. */
export function leadInLength(words: readonly string[]): number {
  let at = 0
  for (;;) {
    const skipped = leadIns.find((leadIn) => leadIn.every((word, index) => words[at + index] === word))
    if (skipped === undefined) return at
    at += skipped.length
  }
}
