// Names the value that was called and is not a function: the engine only reports the position.
import type { CodeTokens } from "./tokens.ts"
import { isDot, isWord } from "./tokens.ts"

const calleeCharsMax = 60

export type Callee = { readonly text: string; readonly isNew: boolean }

/** What is called at this offset, as it was written: several where it may be any of them, none where that cannot be told. */
export function calleesAt(code: CodeTokens, written: string, offset: number): readonly Callee[] {
  const at = code.tokens.findIndex((token) => token.start === offset)
  if (at < 0) return []
  const isFunction = /^(?:function|async)$/.test(code.tokens[at]?.text ?? "") || code.functions.some(({ start }) => start === at)
  if (isFunction) return calleesAround(code, written, at)
  const callee = calleeFrom(code, written, at)
  return callee === null ? [] : [callee]
}

function calleeFrom({ tokens, partners }: CodeTokens, written: string, at: number): Callee | null {
  if (!isWord(tokens[at]?.text)) return null
  let last = at
  while (tokens[last + 1]?.text === "[") last = partners.get(last + 1) ?? tokens.length
  const next = tokens[last + 1]?.text
  const closing = partners.get(last + 1)
  // In `f()()` it is the first result that is called.
  if (next !== "(" || closing === undefined || tokens[closing + 1]?.text === "(") return null
  let first = at
  while (isDot(tokens[first - 1]?.text) && isWord(tokens[first - 2]?.text)) first -= 2
  if (isDot(tokens[first - 1]?.text)) first -= 1
  const text = written.slice(tokens[first]?.start, tokens[last]?.end).replaceAll(/\s+/g, "")
  return text.length > calleeCharsMax ? null : { text, isNew: tokens[first - 1]?.text === "new" }
}

/** What is always there to be called. */
const wellKnown = /^(?:Object|Array|Promise|JSON|Math|Number|String|Boolean|Date|Symbol|Reflect|console)(?:\.|$)/

/**
 * A function that is passed as an argument is the last place that the engine notes before the call: one of the calls
 * around it has failed.
 */
function calleesAround(code: CodeTokens, written: string, at: number): Callee[] {
  const { tokens, partners, functions } = code
  const around = functions.filter(({ start, end }) => start < at && at < end).map(({ start }) => start)
  const outermost = Math.max(-1, ...around)
  const callees: Callee[] = []
  for (let opening = at - 1; opening > outermost; opening--) {
    const closing = partners.get(opening)
    if (closing === undefined) continue
    if (closing < opening) opening = closing
    else if (tokens[opening]?.text === "(") {
      const callee = calleeFrom(code, written, opening - 1)
      if (callee !== null && !wellKnown.test(callee.text)) callees.push(callee)
    }
  }
  return callees
}
