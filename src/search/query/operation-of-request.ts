// Determines which operation a request asks for: reading, creating, changing or removing something.
import { articles, commandOperations, leadIns, neutralCommands, particles, questionWords, thingOperations } from "../language/verb-lists.ts"
import type { Operation } from "../language/verb-lists.ts"
import { stopWords, weakWords } from "../language/word-lists.ts"
import { isPlural } from "../language/words.ts"

/** `said`: whether a known verb says the operation. `thing`: the word for what it is done to; empty where that is not clear. */
export type Wanted = { readonly operation: Operation; readonly said: boolean; readonly thing: string }

/** Endings that no command has: "billing this month" and "members the team has" name things. */
const nounEnding = /(?:[^s]s|ing|ed|ion|ment|ity|ness|ance|ence)$/

/** Null where a request does not say what it wants done. */
export function wantedOf(words: readonly string[]): Wanted | null {
  const said = words.slice(leadInLength(words))
  const [first = "", second = ""] = said
  if (first === "") return null
  if (questionWords.has(first)) {
    const asked = first === "what" || first === "which" ? said.slice(1) : []
    return { operation: "read", said: true, thing: thingIn(asked) }
  }
  const rest = said.slice(1)
  const command = newOperation(first, rest) ?? commandOperations.get(first) ?? thingOperation(first, second)
  if (command !== undefined) return { operation: command, said: true, thing: thingIn(rest) }
  // "Star repo" may be short for a command, and "commit status" is a thing.
  const isEither = thingOperations.has(first) && number(rest) !== true
  if (neutralCommands.has(first) || first === "open" || isEither) return null
  if (isUnknownCommand(first, second)) return { operation: "change", said: false, thing: thingIn(rest) }
  const later = said.map((word) => commandOperations.get(word)).find((operation) => operation !== undefined)
  return { operation: later ?? "read", said: false, thing: thingIn(said) }
}

/** The last word before something else begins: `protection` of "the branch protection of a repo". */
function thingIn(words: readonly string[]): string {
  let thing = ""
  for (const word of words) {
    if (thing !== "" && stopWords.has(word)) return thing
    if (!stopWords.has(word) && !weakWords.has(word) && !commandOperations.has(word) && !/^\d+$/.test(word)) thing = word
  }
  return thing
}

/** "Make a new branch" and "new branch" make one; "new messages" are read. */
function newOperation(first: string, rest: readonly string[]): Operation | undefined {
  if (first === "new" && number(rest) === true) return "read"
  return first === "make" && rest.slice(0, 2).includes("new") ? "create" : undefined
}

function thingOperation(first: string, second: string): Operation | undefined {
  // Who opens a ticket makes one, who opens the file reads it.
  if (first === "open") return second === "a" || second === "an" || second === "new" ? "create" : undefined
  return articles.has(second) || particles.has(second) ? thingOperations.get(first) : undefined
}

/** "Frobnicate the pod" has a verb, whatever it means. */
const isUnknownCommand = (first: string, second: string): boolean =>
  articles.has(second) && !articles.has(first) && !nounEnding.test(first) && !/\d/.test(first)

/** "a server" is one, "servers" are many, and so is "all". */
function number(words: readonly string[]): boolean | null {
  for (const [at, word] of words.entries()) {
    if (word === "a" || word === "an" || /^\d+$/.test(word)) return false
    if (word === "all" || word === "every" || isPlural(word)) return true
    if (at > 0 && ["of", "in", "for", "from", "on", "to", "with", "by"].includes(word)) return null
  }
  return null
}

/** How many words at the beginning only lead up to the request. */
export function leadInLength(words: readonly string[]): number {
  let at = 0
  for (;;) {
    const skipped = leadIns.find((leadIn) => leadIn.every((word, index) => words[at + index] === word))
    if (skipped === undefined) return at
    at += skipped.length
  }
}
