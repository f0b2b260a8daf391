// Explains an error of the engine in terms of the code as it was written.
import { calleesAt } from "./callee.ts"
import type { CompiledCode, Position } from "./compile.ts"
import { writtenPosition } from "./compile.ts"
import type { DataShapes } from "./data-shape.ts"
import { dataText } from "./data-shape.ts"
import type { DestructuredKind } from "./destructuring.ts"
import { failedPattern } from "./destructuring.ts"
import { asExpression, bareCode, wrapCode, wrapperLines } from "./shape.ts"
import { tokensOf } from "./tokens.ts"

export type CodeFailure = { readonly message: string; readonly at: Position | null }

/** The engine's words for a value that cannot be taken apart. */
const destructured = new Map<string, readonly [kind: DestructuredKind, message: string]>([
  ["Cannot convert undefined or null to object", ["fields", "Cannot destructure undefined or null"]],
  ["cannot read property 'Symbol.iterator' of undefined", ["items", "undefined is not iterable"]],
  ["cannot read property 'Symbol.iterator' of null", ["items", "null is not iterable"]],
  ["value is not iterable", ["items", ""]],
])
const whatToDo = "check `ok` of the result first, or use `.unwrap()`"

export const unwrapHint = ": `unwrap` is on the call, not on its result: await tools.x(...).unwrap()"

/** `hint`: what an envelope was last taken for. `shapes`: what the data of calls is. */
type Known = { readonly hint: string; readonly shapes: DataShapes; readonly isRaw: boolean }

export function explainFailure(message: string, stack: string, source: string, code: CompiledCode, known?: Known): CodeFailure {
  const failure = explainPlace(message, stack, source, code)
  if (known === undefined) return failure
  if (known.hint !== "" && isOfNothing(message)) return { ...failure, message: `${failure.message}. ${known.hint}` }
  const data = known.shapes.size > 0 && mayBeOfData.test(message) ? dataAt(failure.at, source, code, known) : ""
  return data === "" ? failure : { ...failure, message: `${failure.message.replace(`: ${whatToDo}`, "")}: ${data}` }
}

const mayBeOfData = /^cannot read property .* of (?:undefined|null)$|not iterable$|^not a function$/

function dataAt(at: Position | null, source: string, code: CompiledCode, { shapes, isRaw }: Known): string {
  const written = writtenText(source, code)
  const tokens = at === null ? null : tokensOf(written)
  return at === null || tokens === null ? "" : dataText(tokens, offsetOf(at, written, code), isRaw, shapes)
}

/** The engine's words for something that is not there. */
export const isOfNothing = (message: string): boolean => /of undefined$|undefined or null|not iterable$|^not a function$/.test(message)

function explainPlace(message: string, stack: string, source: string, code: CompiledCode): CodeFailure {
  const at = writtenPosition(stack, code, bareCode(source))
  // A built-in was given the value; it is called where the engine says.
  if (/^\s*at [^\n]*\(native\)/.test(stack)) return { message, at }
  if (at !== null && message === "not a function") return { message: calleeMessage(at, source, code), at }
  const [kind, words] = destructured.get(message) ?? []
  if (kind === undefined || !stack.includes("(code.ts")) return { message, at }
  return { message: words === "" ? message : `${words}: ${whatToDo}`, at: patternPosition(at, stack, kind, source, code) }
}

const calleesMax = 3

function calleeMessage(at: Position, source: string, code: CompiledCode): string {
  const written = writtenText(source, code)
  const tokens = tokensOf(written)
  const callees = tokens ? calleesAt(tokens, written, offsetOf(at, written, code)) : []
  const [callee] = callees
  if (callee === undefined || callees.length > calleesMax) return "not a function"
  if (callees.length > 1) return `${callees.map(({ text }) => `\`${text}\``).join(" or ")} is not a function`
  return `\`${callee.text}\` is not a ${callee.isNew ? "constructor" : "function"}${callee.text.endsWith(".unwrap") ? unwrapHint : ""}`
}

/** Where the wrapper's own function begins: what the engine reports of code whose first statement fails. */
const wrapperStart = 1

function patternPosition(at: Position | null, stack: string, kind: DestructuredKind, source: string, code: CompiledCode): Position | null {
  const written = writtenText(source, code)
  const tokens = tokensOf(written)
  if (tokens === null) return null
  const reportedAt = at === null ? wrapperStart : offsetOf(at, written, code)
  const depth = stack.split("\n").filter((frame) => /\((?:native|code\.ts[\d:-]*)\)/.test(frame)).length
  const offset = failedPattern(tokens, reportedAt, kind, { depth })
  if (offset === null) return null
  const before = written.slice(0, offset).split("\n")
  return { line: before.length - linesBefore(code), column: (before.at(-1)?.length ?? 0) + 1 }
}

const linesBefore = (code: CompiledCode): number => (code.shape === "module" ? 0 : wrapperLines)

export function offsetOf(at: Position, written: string, code: CompiledCode): number {
  const lines = written.split("\n").slice(0, at.line - 1 + linesBefore(code))
  return lines.reduce((sum, line) => sum + line.length + 1, 0) + at.column - 1
}

/** The code in its wrapper, so that it can be read as what it was run as. */
export function writtenText(source: string, { shape }: CompiledCode): string {
  const code = bareCode(source)
  if (shape === "module") return code
  return wrapCode(shape === "expression" ? asExpression(code) : code, shape)
}
