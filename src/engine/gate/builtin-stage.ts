// The built-in stage: answers what Executor itself brings to code, which reaches no source and asks no policy.
import { withoutRoot } from "../../core/address.ts"
import { ExecutorError, errorTable } from "../../core/errors.ts"
import { withoutClaims } from "../../credentials/redact.ts"
import type { Builtin } from "../../catalog/builtins/builtins.ts"
import type { BuiltinAnswer, BuiltinCall } from "./call.ts"
import { keepValue, loadValue } from "./session-value.ts"
import type { Session, SessionParts } from "./session-value.ts"

export type BuiltinStageParts = SessionParts & { readonly builtins: ReadonlyMap<string, Builtin> }

export function answerBuiltin(call: BuiltinCall, context: Session, parts: BuiltinStageParts): Promise<BuiltinAnswer> {
  switch (call.kind) {
    case "store":
      return keepValue(context, call, parts)
    case "load":
      return loadValue(context, call, parts)
    case "builtin":
      return callBuiltin(call, context, parts)
  }
}

async function callBuiltin({ path, args }: BuiltinCall, { principal }: Session, { builtins }: BuiltinStageParts): Promise<BuiltinAnswer> {
  const builtin = builtins.get(withoutRoot(path))
  if (builtin === undefined) throw new Error(`There is no built-in '${path}'`)
  try {
    return { form: "value", json: JSON.stringify(withoutClaims(await builtin(principal, args))) ?? "null" }
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    const { code, message, details } = error
    return { form: "reject", json: JSON.stringify({ code, message, details, retryable: errorTable[code].retryable }) }
  }
}
