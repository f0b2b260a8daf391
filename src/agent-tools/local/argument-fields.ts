// Reads single arguments of a call, with errors that say what is expected.
import { readArguments } from "../call-arguments.ts"
import { FunctionCallError } from "../function-call-error.ts"
import type { ToolInvocation } from "../tool.ts"

export type Fields = {
  /** Required. */
  text(name: string): string
  /** Empty and `null` count as absent: models fill in what they do not need. */
  optionalText(name: string): string | null
  /** Numbers may be quoted. */
  optionalInteger(name: string): number | null
}

export function argumentFields({ payload, toolName }: ToolInvocation): Fields {
  if (payload.type !== "function") throw FunctionCallError.fatal(`tool ${toolName} invoked with incompatible payload`)
  const given = readArguments(payload.arguments)
  const wrong = (name: string, expected: string): FunctionCallError => {
    const names = Object.keys(given).slice(0, 20)
    return FunctionCallError.respondToModel(
      `${toolName}: '${name}' must be ${expected}; the call has ${names.length === 0 ? "no arguments" : names.join(", ").slice(0, 500)}`,
    )
  }
  return {
    text(name) {
      const value = given[name]
      if (typeof value !== "string") throw wrong(name, "a string")
      return value
    },
    optionalText(name) {
      const value = given[name]
      if (value === undefined || value === null || value === "") return null
      if (typeof value !== "string") throw wrong(name, "a string")
      return value
    },
    optionalInteger(name) {
      const value = given[name]
      if (value === undefined || value === null || value === "") return null
      const number = typeof value === "string" ? Number(value) : value
      if (typeof number !== "number" || !Number.isSafeInteger(number)) throw wrong(name, "a whole number")
      return number
    },
  }
}
