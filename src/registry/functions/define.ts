// `defineFunctions`: the allow-list of functions that tools may call.
//
// A synchronous function runs in a thread, which imports the module that defined it and finds it there by its name. So
// what was defined is kept per thread, under a symbol that all copies of this package share.
import { types } from "node:util"
import { ExecutorError } from "../../core/errors.ts"
import { isRecord } from "../../core/json/record.ts"

/** Gets the arguments of the call, a JSON object of the type that it wants, and returns what can be written as JSON. */
export type FunctionBody = (args: never) => unknown

/** With `reads: true` it says that it only reads, so that calling it needs no approval. */
export type FunctionDeclaration = { readonly run: FunctionBody; readonly reads?: boolean; readonly description?: string }

export type DefinedFunction = {
  readonly name: string
  readonly description: string
  readonly reads: boolean
  /** `thread`: it blocks the thread that runs it, so it runs in one of its own. */
  readonly runsIn: "thread" | "process"
  readonly moduleUrl: string
  readonly run: FunctionBody
}

export type DefinedFunctions = { readonly functions: readonly DefinedFunction[] }

const namePattern = /^[A-Za-z_][A-Za-z0-9_.-]{0,126}$/
const descriptionCharsMax = 1000

/** `moduleUrl`: `import.meta.url` of the module that calls it, so that a thread can import the same module. */
export function defineFunctions(
  moduleUrl: string,
  functions: Readonly<Record<string, FunctionBody | FunctionDeclaration>>,
): DefinedFunctions {
  if (typeof moduleUrl !== "string" || URL.parse(moduleUrl)?.protocol !== "file:")
    throw invalid("its first argument must be import.meta.url of the module that defines the functions")
  if (!isRecord(functions)) throw invalid("its second argument must be an object of functions by their names")
  const defined = Object.entries(functions).map(([name, given]) => define(name, given, moduleUrl))
  const here = definedHere()
  for (const one of defined) here.functions.set(`${moduleUrl}#${one.name}`, one)
  for (const listener of here.listeners) listener()
  return { functions: defined }
}

/** Made here, or by another copy of this package. */
export const isDefined = (value: unknown): value is DefinedFunctions =>
  isRecord(value) &&
  Array.isArray(value["functions"]) &&
  value["functions"].every(
    (one) => isRecord(one) && typeof one["name"] === "string" && typeof one["run"] === "function" && typeof one["moduleUrl"] === "string",
  )

function define(name: string, given: unknown, moduleUrl: string): DefinedFunction {
  if (!namePattern.test(name)) throw invalid(`the name '${name.slice(0, 80)}' must match ${namePattern.source}`)
  const declaration = typeof given === "function" ? { run: given } : given
  if (!isRecord(declaration) || typeof declaration["run"] !== "function")
    throw invalid(`'${name}' must be a function, or { run, reads, description } with a function as run`)
  const { run, reads = false, description = "" } = declaration
  if (typeof reads !== "boolean") throw invalid(`'${name}.reads' must be true or false`)
  if (typeof description !== "string" || description.length > descriptionCharsMax)
    throw invalid(`'${name}.description' must be a text of at most ${descriptionCharsMax} characters`)
  const body = run as FunctionBody // a function; what it takes and returns is checked when it is called
  return { name, description, reads, runsIn: types.isAsyncFunction(body) ? "process" : "thread", moduleUrl, run: body }
}

type Definitions = {
  /** By the URL of their module, `#`, and their name. */
  readonly functions: Map<string, DefinedFunction>
  /** Told after each definition. */
  readonly listeners: Set<() => void>
}

const key = Symbol.for("executor.functions")

/** What the modules of this thread have defined. */
export function definedHere(): Definitions {
  const scope = globalThis as { [key]?: Definitions } // nobody else uses this symbol
  return (scope[key] ??= { functions: new Map(), listeners: new Set() })
}

const threadKey = Symbol.for("executor.functionThread")

/** In such a thread a program that defines functions is imported for them alone, and must not start a second product. */
export const isFunctionThread = (): boolean => threadKey in globalThis
export const markFunctionThread = (): void => void Object.defineProperty(globalThis, threadKey, { value: true })

const invalid = (reason: string): ExecutorError => new ExecutorError("invalid_request", `defineFunctions cannot be used so: ${reason}`)
