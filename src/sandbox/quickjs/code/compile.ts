// Compiles an agent's code in a guest: the shapes it may have, first as JavaScript, then with its types stripped.
import { bracketBalance, isNestedTooDeeply } from "./balance.ts"
import type { CodeShape } from "./shape.ts"
import {
  asExpression,
  bareCode,
  fenceProblem,
  mayBeExpression,
  mayBeModule,
  hasSignsOfTypes,
  mayHaveTypeArguments,
  wrapCode,
  wrapOtherwise,
  wrapperFirstLine,
  wrapperLines,
} from "./shape.ts"
import type { ThrownError } from "../../sandbox.ts"
import type { StrippedCode } from "./typescript.ts"
import { charColumn, sourceColumn, stripTypes } from "./typescript.ts"
import type { Vm } from "../vm/vm.ts"

export const codeFilename = "code.ts"

export type CompiledCode = {
  readonly shape: CodeShape
  /** The boxed async function. */
  readonly pointer: number
  /** What was written, in its wrapper, when types were stripped from it; columns are mapped back through it. */
  readonly typed: string | null
}

/** Both from 1. */
export type Position = { readonly line: number; readonly column: number }

export type CodeCompilation = { readonly ok: true; readonly code: CompiledCode } | { readonly ok: false; readonly error: ThrownError }

/** `guard`: the same code in another wrapper, when it might close the first one. */
type Attempt = { readonly shape: CodeShape; readonly wrapped: string; readonly guard: string | null }

type Failure = { readonly name: string; readonly message: string; readonly line: number | undefined; readonly column: number | undefined }

/** Reads a boxed exception as name, message and stack, and frees it. */
type Describe = (exception: number) => readonly [name: string, message: string, stack: string, ...unknown[]]

export function compileCode(source: string, vm: Vm, describe: Describe): CodeCompilation {
  const code = bareCode(source)
  if (isNestedTooDeeply(code)) return { ok: false, error: nestedTooDeeply }
  const problem = fenceProblem(code)
  if (problem !== null) return { ok: false, error: { code: "syntax", name: "SyntaxError", message: problem } }
  const balance = bracketBalance(code)
  if (balance.is === "foreign") {
    return { ok: false, error: { code: "syntax", name: "SyntaxError", message: closesWrapper, ...positionAt(code, balance.at) } }
  }
  const attempts = attemptsFor(code, balance.is === "unsure")
  const isModule = attempts[0]?.shape === "module"
  let failure: Failure | undefined
  if (!isModule && !mayHaveTypeArguments(code) && !hasSignsOfTypes(code)) {
    for (const attempt of attempts) {
      const result = evaluate(attempt.shape, attempt.wrapped, attempt.guard, vm, describe)
      if (typeof result === "number") return { ok: true, code: { shape: attempt.shape, pointer: result, typed: null } }
      // What is too deep for the engine takes a parser of types a hundred milliseconds to give up.
      if (result.message === stackOverflow) return { ok: false, error: nestedTooDeeply }
      failure = result
    }
  }
  for (const attempt of attempts) {
    const typed = isModule ? code : attempt.wrapped
    const stripped = stripTypes(typed, isModule)
    const guard = attempt.guard === null ? null : stripTypes(attempt.guard, isModule)
    const broken = stripped.ok ? guard : stripped
    if (!stripped.ok || broken?.ok === false) {
      failure = strippingFailure(broken, isModule)
      continue
    }
    const text = isModule ? wrapCode(stripped.code, "module") : stripped.code
    const result = evaluate(attempt.shape, text, guard?.ok ? guard.code : null, vm, describe)
    if (typeof result === "number") return { ok: true, code: { shape: attempt.shape, pointer: result, typed } }
    failure = result
  }
  return { ok: false, error: syntaxError(code, failure) }
}

function attemptsFor(code: string, mayCloseWrapper: boolean): Attempt[] {
  if (mayBeModule(code)) return [{ shape: "module", wrapped: wrapCode(code, "module"), guard: null }]
  const attempt = (text: string, shape: "body" | "expression"): Attempt => ({
    shape,
    wrapped: wrapCode(text, shape),
    guard: mayCloseWrapper ? wrapOtherwise(text, shape) : null,
  })
  const body = attempt(code, "body")
  return mayBeExpression(code) ? [attempt(asExpression(code), "expression"), body] : [body]
}

/** The box of the function, or why there is none. */
function evaluate(shape: CodeShape, text: string, guard: string | null, vm: Vm, describe: Describe): number | Failure {
  const unguarded = guard === null ? null : parse(shape, guard, vm, describe)
  // What is wrong in both wrappers is told as it is seen in the first one.
  if (unguarded) return parse(shape, text, vm, describe) ?? { ...unguarded, name: "SyntaxError", message: closesWrapper }
  const pointer = vm.evaluate(text, codeFilename, wrapperFirstLine)
  return vm.isException(pointer) ? readFailure(shape, vm, describe) : pointer
}

const stackOverflow = "Maximum call stack size exceeded"
const nestedTooDeeply: ThrownError = { code: "syntax", name: "SyntaxError", message: "The code is nested too deeply." }
const closesWrapper = "The code closes a bracket that it did not open."

function parse(shape: CodeShape, text: string, vm: Vm, describe: Describe): Failure | null {
  const parsed = vm.evaluate(text, codeFilename, wrapperFirstLine, "parse")
  if (vm.isException(parsed)) return readFailure(shape, vm, describe)
  vm.exports.qjs_free_value(parsed)
  return null
}

function readFailure(shape: CodeShape, vm: Vm, describe: Describe): Failure {
  const [name, message, stack] = describe(vm.takeException())
  const at = framePosition(stack)
  return { name, message, line: at?.line, column: shape === "module" && at?.line === 1 ? undefined : at?.column }
}

const strippingFailure = (broken: StrippedCode | null, isModule: boolean): Failure => ({
  name: "SyntaxError",
  message: broken?.ok === false ? broken.message : "The code could not be read.",
  line: broken?.ok === false ? lineOf(broken.line, isModule) : undefined,
  column: broken?.ok === false ? broken.column : undefined,
})

const lineOf = (line: number | undefined, isModule: boolean): number | undefined =>
  line === undefined || isModule ? line : Math.max(1, line - wrapperLines)

/** The first frame of a stack that is in the agent's code. */
export function framePosition(stack: string): Position | null {
  const frame = /\bcode\.ts:(\d+):(\d+)/.exec(stack)
  return frame ? { line: Number(frame[1]), column: Number(frame[2]) } : null
}

/** Where a position of the running code is in the code as it was written. */
export function writtenPosition(stack: string, code: CompiledCode, bare: string): Position | null {
  const found = framePosition(stack)
  if (!found) return null
  if (code.typed === null) return { line: found.line, column: charColumn(bare.split("\n")[found.line - 1] ?? "", found.column) }
  const isModule = code.shape === "module"
  const line = isModule ? found.line : found.line + wrapperLines
  const column = sourceColumn(code.typed, isModule, line, found.column)
  // What an `import` was turned into is longer than the line it stands for.
  const isBehindLine = column > (code.typed.split("\n")[line - 1]?.length ?? 0) + 1
  return { line: found.line, column: isBehindLine ? 1 : column }
}

/** Where the first `import()` is. Its error comes later, when the frames of the code are gone. */
export function importPosition(source: string): Position | null {
  const code = bareCode(source)
  const found = /\bimport\s*\(/.exec(code)
  return found ? positionAt(code, found.index) : null
}

function positionAt(code: string, index: number): Position {
  const lines = code.slice(0, index + 1).split("\n")
  return { line: lines.length, column: lines.at(-1)?.length ?? 1 }
}

function syntaxError(code: string, failure: Failure | undefined): ThrownError {
  const lines = code.split("\n")
  // What the engine stumbled over then is the end of the wrapper.
  if (failure?.name === "SyntaxError" && failure.message !== closesWrapper && (failure.line ?? 0) > lines.length)
    return { code: "syntax", name: "SyntaxError", message: isIncomplete, line: lines.length }
  const imported = failure?.line === undefined ? null : /^[ \t]*import\b(?!\s*[(.])/.exec(lines[failure.line - 1] ?? "")
  if (failure && imported)
    return { code: "syntax", name: "SyntaxError", message: noImport, ...at(failure.line, imported[0].length - "import".length + 1) }
  const line = failure?.line === undefined ? undefined : Math.min(failure.line, lines.length)
  return {
    code: "syntax",
    name: failure?.name ?? "SyntaxError",
    message: declaredTwice(code, failure) ?? withPlace(failure, lines[(failure?.line ?? 0) - 1] ?? ""),
    ...at(line, line === failure?.line ? failure?.column : undefined),
  }
}

const placeChars = 40

/** The message with the code around the place: a position alone has to be counted out. */
function withPlace(failure: Failure | undefined, line: string): string {
  const message = failure?.message ?? "The code could not be read."
  const column = failure?.column ?? 1
  const token = message === "Unexpected token" ? /^(?:[\w$]+|\S)/.exec(line.slice(column - 1, column + placeChars))?.[0] : undefined
  const [from, to] = [Math.max(0, column - 1 - placeChars), column + placeChars]
  const around = `${from > 0 ? "…" : ""}${line.slice(from, to).trim()}${line.length > to ? "…" : ""}`
  return around === "" || message === closesWrapper ? message : `${message}${token === undefined ? "" : ` \`${token}\``} in \`${around}\``
}

/** So much of a line is read for a name: the expression goes over it again from each of its characters. */
const nameCharsRead = 200

/** The engine points behind the name that it has met before. */
function declaredTwice(code: string, failure: Failure | undefined): string | null {
  if (failure?.message !== "invalid redefinition of lexical identifier") return null
  const before = (code.split("\n")[(failure.line ?? 0) - 1] ?? "").slice(0, Math.max(0, (failure.column ?? 0) - 1))
  const name = /([\w$]+)\W*$/.exec(before.slice(-nameCharsRead))?.[1]
  const words: readonly string[] = code.match(/[\w$]+/g) ?? []
  return name === undefined || words.indexOf(name) === words.lastIndexOf(name) ? null : `\`${name}\` is declared twice.`
}

const isIncomplete = "The code ends before it is complete: a bracket or a statement is still open."
const noImport = "`import` is not available in the sandbox: there are no modules; call a tool instead."

const at = (line: number | undefined, column: number | undefined): { line?: number; column?: number } => ({
  ...(line === undefined ? {} : { line }),
  ...(line === undefined || column === undefined ? {} : { column }),
})
