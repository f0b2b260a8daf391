// Compiles an agent's code in a guest: the shapes it may have, first as JavaScript, then with its types stripped.
import type { CodeShape } from "./code-shape.ts"
import {
  asExpression,
  mayBeExpression,
  mayBeModule,
  hasSignsOfTypes,
  mayHaveTypeArguments,
  withoutFence,
  wrapCode,
  wrapperFirstLine,
  wrapperLines,
} from "./code-shape.ts"
import type { ThrownError } from "../sandbox.ts"
import { sourceColumn, stripTypes } from "./code-typescript.ts"
import type { Vm } from "./vm.ts"

export const codeFilename = "code.ts"

export type CompiledCode = {
  readonly shape: CodeShape
  /** The boxed async function. */
  readonly pointer: number
  /** What was written, in its wrapper, when types were stripped from it; columns are mapped back through it. */
  readonly typed: string | null
}

export type CodeCompilation = { readonly ok: true; readonly code: CompiledCode } | { readonly ok: false; readonly error: ThrownError }

type Attempt = { readonly shape: CodeShape; readonly wrapped: string }

type Failure = { readonly name: string; readonly message: string; readonly line: number | undefined; readonly column: number | undefined }

/** `describe` reads a boxed exception as name, message and stack, and frees it. */
export function compileCode(source: string, vm: Vm, describe: (exception: number) => readonly [string, string, string]): CodeCompilation {
  const code = withoutFence(source)
  const attempts = attemptsFor(code)
  const isModule = attempts[0]?.shape === "module"
  let failure: Failure | undefined
  if (!isModule && !mayHaveTypeArguments(code) && !hasSignsOfTypes(code)) {
    for (const attempt of attempts) {
      const result = evaluate(attempt, attempt.wrapped, vm, describe)
      if (typeof result === "number") return { ok: true, code: { shape: attempt.shape, pointer: result, typed: null } }
      failure = result
    }
  }
  for (const attempt of attempts) {
    const stripped = stripTypes(isModule ? code : attempt.wrapped, isModule)
    if (!stripped.ok) {
      failure = { name: "SyntaxError", message: stripped.message, line: lineOf(stripped.line, isModule), column: stripped.column }
      continue
    }
    const text = isModule ? wrapCode(stripped.code, "module") : stripped.code
    const result = evaluate(attempt, text, vm, describe)
    if (typeof result === "number")
      return { ok: true, code: { shape: attempt.shape, pointer: result, typed: isModule ? code : attempt.wrapped } }
    failure = result
  }
  return { ok: false, error: syntaxError(code, failure) }
}

function attemptsFor(code: string): Attempt[] {
  if (mayBeModule(code)) return [{ shape: "module", wrapped: wrapCode(code, "module") }]
  const body: Attempt = { shape: "body", wrapped: wrapCode(code, "body") }
  return mayBeExpression(code) ? [{ shape: "expression", wrapped: wrapCode(asExpression(code), "expression") }, body] : [body]
}

/** The box of the function, or why there is none. */
function evaluate(
  attempt: Attempt,
  text: string,
  vm: Vm,
  describe: (exception: number) => readonly [string, string, string],
): number | Failure {
  const pointer = vm.evaluate(text, codeFilename, wrapperFirstLine)
  if (!vm.isException(pointer)) return pointer
  const [name, message, stack] = describe(vm.takeException())
  const at = framePosition(stack)
  return { name, message, line: at?.line, column: attempt.shape === "module" && at?.line === 1 ? undefined : at?.column }
}

const lineOf = (line: number | undefined, isModule: boolean): number | undefined =>
  line === undefined || isModule ? line : Math.max(1, line - wrapperLines)

/** The first frame of a stack that is in the agent's code. */
export function framePosition(stack: string): { readonly line: number; readonly column: number } | null {
  const frame = /\bcode\.ts:(\d+):(\d+)/.exec(stack)
  return frame ? { line: Number(frame[1]), column: Number(frame[2]) } : null
}

/** Where a position of the running code is in the code as it was written. */
export function writtenPosition(stack: string, code: CompiledCode): { readonly line: number; readonly column: number } | null {
  const at = framePosition(stack)
  if (!at || code.typed === null) return at
  const isModule = code.shape === "module"
  return { line: at.line, column: sourceColumn(code.typed, isModule, isModule ? at.line : at.line + wrapperLines, at.column) }
}

function syntaxError(code: string, failure: Failure | undefined): ThrownError {
  const lines = code.split("\n").length
  const line = failure?.line === undefined ? {} : { line: Math.min(failure.line, lines) }
  const column = failure?.line === undefined || failure.column === undefined || failure.line > lines ? {} : { column: failure.column }
  const hint = /^[ \t]*import\s/m.test(code) ? " `import` is not available in the sandbox: there are no modules; call a tool instead." : ""
  return {
    code: "syntax",
    name: failure?.name ?? "SyntaxError",
    message: (failure?.message ?? "The code could not be read.") + hint,
    ...line,
    ...column,
  }
}
