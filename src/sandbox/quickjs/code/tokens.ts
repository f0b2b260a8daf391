// Reads code as tokens, for messages about code that has failed.
import { createRequire } from "node:module"
import type { parse } from "sucrase/dist/types/parser/index.js"

export type CodeToken = {
  /** Empty for what is inside a text, a template or a type. */
  readonly text: string
  readonly start: number
  readonly end: number
  /** Whether it is the name of a variable that is read. */
  readonly isRead: boolean
  readonly startsLine: boolean
}

export type CodeTokens = {
  readonly tokens: readonly CodeToken[]
  /** The first token and the one behind the last, of every function with its parameters; those inside come before those around them. */
  readonly functions: readonly { readonly start: number; readonly end: number }[]
  /** By the index of a bracket, the index of the other one. */
  readonly partners: ReadonlyMap<number, number>
  /** By where a token starts, the number of its line among those that have tokens. */
  readonly lines: ReadonlyMap<number, number>
}

const requireFromHere = createRequire(import.meta.url)

/** Roles of sucrase: an access, one of what is exported, a shorthand property, one of what is imported. */
const readRoles: readonly unknown[] = [0, 1, 8, 11]
const notRead: readonly string[] = ["undefined", "async"]
const openers = new Set(["{", "${", "(", "["])

export const isWord = (text: string | undefined): boolean => /^[\p{ID_Start}$_#]/u.test(text ?? "")
export const isDot = (text: string | undefined): boolean => text === "." || text === "?."

/** Null when it cannot be read. */
export function tokensOf(code: string): CodeTokens | null {
  try {
    // The package has no other way to its parser; its version is pinned.
    const parser = requireFromHere("sucrase/dist/parser/index.js") as { parse: typeof parse } // the package's own types describe it
    const { TokenType } = requireFromHere("sucrase/dist/parser/tokenizer/types.js") as { TokenType: Record<string, number> } // as above
    const file = parser.parse(code, false, true, false)
    const tokens = file.tokens.map(({ type, start, end, isType, identifierRole }, index) => ({
      text: isType || type === TokenType["template"] || type === TokenType["string"] ? "" : code.slice(start, end),
      start,
      end,
      startsLine: code.slice(file.tokens[index - 1]?.end ?? 0, start).includes("\n"),
      isRead: readRoles.includes(identifierRole) && !notRead.includes(code.slice(start, end)),
    }))
    const functions = file.scopes
      // The body in braces is a scope of its own, inside that of the parameters.
      .filter((scope) => scope.isFunctionScope && (scope.startTokenIndex === 0 || tokens[scope.startTokenIndex]?.text !== "{"))
      .map(({ startTokenIndex, endTokenIndex }) => ({ start: startTokenIndex, end: endTokenIndex }))
    return { tokens, functions, partners: partnersOf(tokens), lines: linesOf(tokens) }
  } catch {
    return null
  }
}

function linesOf(tokens: readonly CodeToken[]): Map<number, number> {
  let line = 0
  return new Map(tokens.map(({ start, startsLine }) => [start, startsLine ? ++line : line]))
}

function partnersOf(tokens: readonly CodeToken[]): Map<number, number> {
  const partners = new Map<number, number>()
  const open: number[] = []
  tokens.forEach(({ text }, index) => {
    if (openers.has(text)) open.push(index)
    else if (text === "}" || text === ")" || text === "]") {
      const opener = open.pop()
      if (opener === undefined) return
      partners.set(opener, index)
      partners.set(index, opener)
    }
  })
  return partners
}
