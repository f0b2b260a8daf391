// Says of an error that the engine raised what it means for the code as it was written, and where in it that was.
import type { CompiledCode, Position } from "./code-compile.ts"
import { writtenPosition } from "./code-compile.ts"
import type { DestructuredKind } from "./code-destructuring.ts"
import { failedPattern } from "./code-destructuring.ts"
import { asExpression, bareCode, wrapCode, wrapperLines } from "./code-shape.ts"
import { tokensOf } from "./code-tokens.ts"

export type CodeFailure = { readonly message: string; readonly at: Position | null }

/** The engine's words for a value that cannot be taken apart. */
const destructured: Record<string, readonly [kind: DestructuredKind, message: string]> = {
  "Cannot convert undefined or null to object": ["fields", "Cannot destructure undefined or null"],
  "cannot read property 'Symbol.iterator' of undefined": ["items", "undefined is not iterable"],
  "cannot read property 'Symbol.iterator' of null": ["items", "null is not iterable"],
  "value is not iterable": ["items", ""],
}
const whatToDo = "check `ok` of the result first, or use `.unwrap()`"

export function explainFailure(message: string, stack: string, source: string, code: CompiledCode): CodeFailure {
  const at = writtenPosition(stack, code)
  const [kind, words] = destructured[message] ?? []
  // A built-in was given the value; it is called where the engine says.
  if (kind === undefined || at === null || /^\s*at [^\n]*\(native\)/.test(stack)) return { message, at }
  const found = patternPosition(at, stack, kind, source, code)
  return { message: words === "" ? message : `${words}: ${whatToDo}`, at: found }
}

function patternPosition(at: Position, stack: string, kind: DestructuredKind, source: string, code: CompiledCode): Position | null {
  const written = writtenText(source, code)
  const tokens = tokensOf(written)
  if (tokens === null) return null
  const lines = written.split("\n")
  const linesBefore = code.shape === "module" ? 0 : wrapperLines
  const lineStart = lines.slice(0, at.line - 1 + linesBefore).reduce((sum, line) => sum + line.length + 1, 0)
  const depth = stack.split("\n").filter((frame) => /\((?:native|code\.ts:[\d:]+)\)/.test(frame)).length
  const offset = failedPattern(tokens, lineStart + at.column - 1, kind, { depth })
  if (offset === null) return null
  const before = written.slice(0, offset).split("\n")
  return { line: before.length - linesBefore, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** The code in its wrapper, so that it can be read as what it was run as. */
function writtenText(source: string, { shape }: CompiledCode): string {
  const code = bareCode(source)
  if (shape === "module") return code
  return wrapCode(shape === "expression" ? asExpression(code) : code, shape)
}
