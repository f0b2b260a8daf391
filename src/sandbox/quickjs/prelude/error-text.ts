// Tells of an error what its reader needs: its message with what caused it, and the stack from where it was made.
import type { Kit } from "./kit.ts"

export function installErrorText(kit: Kit): void {
  const messageCharsMax = 8_000
  const causeCharsMax = 500
  const causesMax = 3
  const errorsMax = 3
  const prototypesMax = 20
  const stringify = JSON.stringify
  const prototypeOf = Object.getPrototypeOf as (value: object) => object | null // a prototype is one of these
  const ownDescriptor = Object.getOwnPropertyDescriptor
  const errorPrototype = Error.prototype
  const hints: Record<string, string> = {
    tools: "The code of an artifact has no tools; put it into a tool of the type `custom` to use them.",
    process: "There is no `process` in the sandbox; pass values in the code itself.",
    Buffer: "There is no `Buffer` in the sandbox; use Uint8Array, TextEncoder, atob and btoa.",
    module: "Code is not a CommonJS module here; use `return` or `export default`.",
    window: "There is no browser here; reach the network through `tools`.",
    document: "There is no browser here; reach the network through `tools`.",
    XMLHttpRequest: "There is no network here; reach it through `tools`.",
    WebSocket: "There is no network here; reach it through `tools`.",
    Response: "There is no `fetch` in the sandbox, and no `Response`; a call of a tool answers `{ ok, data }`.",
    Request: "There is no `fetch` in the sandbox, and no `Request`; call a tool with its arguments.",
    WeakRef: "There is no `WeakRef` in the sandbox: what is collected when is not part of the journal; hold the value itself.",
    __dirname: "There are no files in the sandbox; reach them through `tools`.",
    __filename: "There are no files in the sandbox; reach them through `tools`.",
    print: "There is no `print` here; use console.log, emit or `return`.",
    alert: "There is no browser here; use console.log, emit or `return`.",
  }

  const textOf = (read: () => unknown): string => {
    try {
      const value = read()
      return typeof value === "string" ? value.slice(0, messageCharsMax) : ""
    } catch {
      return ""
    }
  }

  /** The message with the errors it stands for and with what caused it, as far as that is short. */
  function fullMessage(error: Error, depth: number): string {
    const message = kit.toolErrorText(
      error,
      textOf(() => error.message),
    )
    const errors = textOf(() => (error instanceof AggregateError ? errorsText(error.errors, depth) : ""))
    const cause = textOf(() => ("cause" in error && depth < causesMax ? brief(error.cause, depth + 1) : ""))
    return message + (message && errors ? ": " : "") + errors + (cause ? ` (caused by: ${cause})` : "")
  }

  function errorsText(errors: unknown, depth: number): string {
    if (!Array.isArray(errors) || depth >= causesMax) return ""
    const shown: string[] = []
    for (let index = 0; index < errors.length && index < errorsMax; index++) shown[index] = brief(errors[index], depth + 1)
    return shown.join("; ") + (errors.length > errorsMax ? `; and ${errors.length - errorsMax} more` : "")
  }

  function brief(value: unknown, depth: number): string {
    if (value === undefined || value === null) return ""
    if (!(value instanceof Error)) return typeof value === "string" ? value.slice(0, causeCharsMax) : kit.preview(value, causeCharsMax)
    const name = textOf(() => value.name)
    const message = fullMessage(value, depth).slice(0, causeCharsMax)
    return name === "" || name === "Error" ? message || "Error" : `${name}: ${message}`
  }

  /** The names of the constructors that ran for an error, the innermost first: those of its classes, above `Error` itself. */
  function constructorNames(error: Error): string[] {
    const names: string[] = []
    let prototype = prototypeOf(error)
    for (let count = 0; prototype !== null && prototype !== errorPrototype && count < prototypesMax; count++) {
      const own: unknown = ownDescriptor(prototype, "constructor")?.value
      names.unshift(typeof own === "function" ? textOf(() => own.name) || "<anonymous>" : "")
      prototype = prototypeOf(prototype)
    }
    return names
  }

  /** The lines of a stack that are the code's own, without those of the prelude. */
  const ownFrames = (stack: string): string[] => stack.split("\n").filter((line) => /^\s*at /.test(line) && !line.includes("(executor:"))

  const stackText = (error: Error, frames: string): string => {
    const message = textOf(() => error.message)
    return [(textOf(() => error.name) || "Error") + (message ? `: ${message}` : ""), ...ownFrames(frames)].join("\n")
  }

  kit.framesOf = (error) => ownFrames(textOf(() => error.stack)).join("\n")
  kit.stackText = stackText

  const engineStack = ownDescriptor(errorPrototype, "stack")
  kit.lineOf = (error) => {
    const stack = textOf(() => engineStack?.get?.call(error))
    const at = stack.indexOf("(code.ts:")
    return at < 0 ? 0 : parseInt(stack.slice(at + 9), 10) || 0
  }
  const engineCapture = Error.captureStackTrace
  Object.defineProperty(errorPrototype, "stack", {
    ...engineStack,
    get(this: Error): unknown {
      const stack: unknown = engineStack?.get?.call(this)
      return typeof stack === "string" ? stackText(this, stack) : stack
    },
  })
  Error.captureStackTrace = (target: Error, above?: unknown) => {
    engineCapture(target, above as never) // it takes any function, or nothing
    const stack = stackText(
      target,
      textOf(() => target.stack),
    )
    Object.defineProperty(target, "stack", { value: stack, writable: true, configurable: true })
  }

  /** These have a stack each, instead of one that is read through the prototype. */
  kit.define(
    "DOMException",
    new Proxy(DOMException, {
      construct(target, args, made) {
        const exception = Reflect.construct(target, args, made) as Error // every exception is an error
        Error.captureStackTrace(exception)
        return exception
      },
    }),
  )

  /** Without the frames of the error's own constructors: what matters is where it was made, not how. */
  function stackOf(error: Error): string {
    const stack = textOf(() => error.stack)
    try {
      const frames = ownFrames(stack)
      let first = 0
      for (const name of constructorNames(error)) if (name !== "" && frames[first]?.trim().startsWith(`at ${name} (`)) first += 1
      return frames.slice(first).join("\n")
    } catch {
      return stack
    }
  }

  /** Written by hand, because the guest may have given arrays a `toJSON`. */
  const written = (name: string, message: string, stack: string, tool = ""): string =>
    `[${stringify(name)},${stringify(message)},${stringify(stack)},${stringify(tool)},${stringify(kit.hint())},${stringify(name === "TypeError" ? kit.shapes() : "")}]`

  function describe(error: unknown): string {
    if (kit.isNoValue(error)) return written("InternalError", "out of memory", "")
    if (!(error instanceof Error)) {
      return written("Error", typeof error === "string" ? error.slice(0, messageCharsMax) : kit.preview(error, messageCharsMax), "")
    }
    const message = fullMessage(error, 0)
    const missing = /^(?:'?)(\w+)(?:'?) is not defined$/.exec(message)?.[1]
    const hint = missing === undefined || !Object.hasOwn(hints, missing) ? "" : `. ${hints[missing]}`
    return written(
      textOf(() => error.name) || "Error",
      message.slice(0, messageCharsMax) + hint,
      stackOf(error),
      kit.toolErrorFields(error),
    )
  }

  kit.describeError = (error) => {
    kit.reportDropped()
    try {
      return describe(error)
    } catch {
      return '["Error","The error could not be read.","","","",""]'
    }
  }
}
