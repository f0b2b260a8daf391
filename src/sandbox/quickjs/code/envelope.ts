// Explains a missing property of an envelope, or of the promise of one: most often the code uses it as if it were the data.
//
// Code that is prepared for the property to be missing (`r.items ?? …`, `r?.items`, `if (r.items)`, destructuring) goes
// on, and is told at the end. Any other read would only fail later, or write `undefined` somewhere: it fails here. Where
// what was destructured makes the code fail or return nothing after all, the error says why.
import type { CompiledCode } from "./compile.ts"
import { framePosition, writtenPosition } from "./compile.ts"
import { offsetOf, unwrapHint, writtenText } from "./failure.ts"
import { bareCode } from "./shape.ts"
import type { CodeTokens } from "./tokens.ts"
import { isDot, isWord, tokensOf } from "./tokens.ts"

/** By place and property what was answered, and what is to be told at the end. */
export type MissingReads = {
  readonly messages: Map<string, string>
  readonly notices: string[]
  /** The latest of the notices that is about a destructuring, as far as can be seen; empty for none. */
  destructured: string
}

const noticesMax = 3
const messagesMax = 1000
const nameCharsMax = 60

type Run = { readonly code: string; readonly compiled: CompiledCode | null; readonly missingReads: MissingReads }

/** The message to throw; empty where the code goes on. `failed`: the call and its error, if it failed; `promise` for one that was not awaited. */
export function explainMissing(run: Run, frames: string, property: string, failed: string): string {
  const { messages, notices } = run.missingReads
  const place = framePosition(frames)
  const key = `${place?.line}:${place?.column} ${property} ${failed}`
  const known = messages.get(key)
  if (known !== undefined) return known
  // A built-in that is given the envelope is called where the engine says, not read there.
  const read = run.compiled === null || /^\s*at [^\n]*\(native\)/.test(frames) ? null : findRead(run.code, run.compiled, frames, property)
  const text = messageOf(read?.name ?? null, property, failed)
  const message = read?.isPrepared === false ? text : ""
  if (messages.size < messagesMax) messages.set(key, message)
  if (message === "" && notices.length < noticesMax) notices.push(text)
  if (message === "" && read === null) run.missingReads.destructured = text
  return message
}

/** Why the code has nothing, for the error that says so; it is not told a second time. */
export function takeDestructured({ missingReads }: Pick<Run, "missingReads">): string {
  const { destructured, notices } = missingReads
  if (notices.includes(destructured)) notices.splice(notices.indexOf(destructured), 1)
  return destructured
}

function messageOf(name: string | null, property: string, failed: string): string {
  const holder = name === null ? "The result of a call" : `\`${name}\``
  if (failed === "promise") {
    const use = property === "unwrap" ? "" : `: use (await ${name ?? "…"})${accessOf(property)}`
    return `${name === null ? "What a call returns" : holder} is a promise and has no \`${property}\`${use}`
  }
  if (property === "unwrap" && name !== null) return `\`${name}.unwrap\` is not a function${unwrapHint}`
  if (failed !== "") return `${holder} is { ok: false, error } and has no \`${property}\`: the call failed: ${failed}. Check \`ok\` first`
  return `${holder} is { ok, data } and has no \`${property}\`: use ${name ?? ""}.data${accessOf(property)} or .unwrap()`
}

const accessOf = (property: string): string =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(property) ? `.${property}` : /^\d+$/.test(property) ? `[${property}]` : ""

type Read = { readonly name: string | null; readonly isPrepared: boolean }

/** Null where the read is not written as `name.property`. */
function findRead(source: string, code: CompiledCode, frames: string, property: string): Read | null {
  const at = writtenPosition(frames, code, bareCode(source))
  const written = writtenText(source, code)
  const read = tokensOf(written)
  if (at === null || read === null) return null
  const offset = offsetOf(at, written, code)
  const first = read.tokens.findIndex((token) => token.start === offset)
  const last = first < 0 ? null : endOfHolder(read, written, first, property)
  if (last === null) return null
  const text = written.slice(offset, read.tokens[last]?.end).replaceAll(/\s+/g, "")
  const isName = text.length <= nameCharsMax && /^[\p{ID_Start}$_][\p{ID_Continue}$.[\]'"]*$/u.test(text) && !text.startsWith("await")
  return { name: isName ? text : null, isPrepared: isPrepared(read, first, last) }
}

/** The last token in front of `.property`, from the first of an expression on. */
function endOfHolder({ tokens, partners }: CodeTokens, written: string, first: number, property: string): number | null {
  for (let at = first; at < tokens.length;) {
    const next = tokens[at + 1]?.text
    const literal = tokens[at + 2]
    if (isDot(next) && literal?.text === property) return at
    if (next === "[" && literal && written.slice(literal.start, literal.end).replaceAll(/^['"`]|['"`]$/g, "") === property) return at
    if (isDot(next) && isWord(literal?.text)) at += 2
    else if (next === "[" || next === "(") at = partners.get(at + 1) ?? tokens.length
    else if (next === ")") at += 1
    else if (tokens[at]?.text === "await" || tokens[at]?.text === "(") at += 1
    else return null
  }
  return null
}

const preparedAfter = new Set(["??", "||", "&&", "?.", "?", "===", "!==", "==", "!=", "in", "instanceof", "??=", "||="])
const preparedBefore = new Set(["!", "typeof", "||", "??", "delete", "void"])
const preparedCalls = new Set(["if", "while", "isArray", "Boolean"])

/** Whether the code looks at the property as one that may be missing. */
function isPrepared({ tokens, partners }: CodeTokens, first: number, last: number): boolean {
  const dot = tokens[last + 1]?.text
  const end = dot === "[" ? (partners.get(last + 1) ?? last + 1) : last + 2
  const [before, after] = [tokens[first - 1]?.text ?? "", tokens[end + 1]?.text ?? ""]
  if (dot === "?." || preparedAfter.has(after) || preparedBefore.has(before)) return true
  return before === "(" && after === ")" && preparedCalls.has(tokens[first - 2]?.text ?? "")
}
