// Writes the operation of a helper: the arguments that were given as variables, and the default selection or the caller's own.
import type { ArgEntry, FieldBinding } from "../binding.ts"
import type { Operation } from "./request-build.ts"

export function fieldOperation(binding: FieldBinding, args: Readonly<Record<string, unknown>>, selection: string): Operation {
  const given = givenArgs(binding, args)
  const variables = Object.fromEntries(given.map(([name]) => [name, args[name]]))
  return { query: writeOperation(binding, given, selection), variables, operationName: binding.field }
}

/** These are declared as variables, which a caller's selection can use as well. */
export const givenArgs = (binding: FieldBinding, args: Readonly<Record<string, unknown>>): ArgEntry[] =>
  binding.args.filter(([name]) => Object.hasOwn(args, name) && args[name] !== undefined)

/** Only what is given is declared, so that the server's own defaults hold for the rest. */
export function writeOperation(binding: FieldBinding, given: readonly ArgEntry[], selection: string): string {
  const declared = given.map(([name, type]) => `$${name}: ${type}`).join(", ")
  const passed = given.map(([name]) => `${name}: $${name}`).join(", ")
  const head = `${binding.operation} ${binding.field}${declared === "" ? "" : `(${declared})`}`
  const field = `${binding.field}${passed === "" ? "" : `(${passed})`}`
  return `${head} { ${[field, selection].filter(Boolean).join(" ")} }`
}
