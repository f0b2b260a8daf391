// Names what was called and is no function: the engine only says where.
import type { CodeTokens } from "./code-tokens.ts"

const calleeCharsMax = 60

/** What is called at this offset, as it was written; null when that cannot be told. */
export function calleeAt(code: CodeTokens, written: string, offset: number): { readonly text: string; readonly isNew: boolean } | null {
  const { tokens, partners } = code
  const at = tokens.findIndex((token) => token.start === offset)
  if (at < 0 || !/^[\p{ID_Start}$_#]/u.test(tokens[at]?.text ?? "")) return null
  let last = at
  while (tokens[last + 1]?.text === "[") last = partners.get(last + 1) ?? tokens.length
  const next = tokens[last + 1]?.text
  const closing = partners.get(last + 1)
  // In `f()()` it is the first result that is called.
  if (next !== "(" || closing === undefined || tokens[closing + 1]?.text === "(") return null
  let first = at
  while (/^(?:\.|\?\.)$/.test(tokens[first - 1]?.text ?? "") && /^[\p{ID_Start}$_#]/u.test(tokens[first - 2]?.text ?? "")) first -= 2
  if (/^(?:\.|\?\.)$/.test(tokens[first - 1]?.text ?? "")) first -= 1
  const text = written.slice(tokens[first]?.start, tokens[last]?.end).replaceAll(/\s+/g, "")
  return text.length > calleeCharsMax ? null : { text, isNew: tokens[first - 1]?.text === "new" }
}
