// Reads JSON as editors write it: with comments and trailing commas.
import { getNodeValue, parseTree, printParseErrorCode } from "jsonc-parser"
import type { ParseError } from "jsonc-parser"

/** Throws a `SyntaxError`, with the place in the text. */
export function parseJsonc(given: string): unknown {
  const text = given.replace(/^\uFEFF/, "")
  const errors: ParseError[] = []
  // By way of the tree, because its values have no prototype: `__proto__` is a plain name in them.
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first === undefined && tree !== undefined) return getNodeValue(tree)
  const before = text.slice(0, first?.offset ?? 0).split("\n")
  const reason = first === undefined ? "Nothing" : printParseErrorCode(first.error)
  throw new SyntaxError(`${reason} at line ${before.length} column ${(before.at(-1) ?? "").length + 1}`)
}
