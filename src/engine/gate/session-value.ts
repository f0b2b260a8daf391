// `store` and `load`: what code keeps from one execution to the next of the same session.
import type { Principal } from "../../core/principal.ts"
import type { Limits } from "../../core/limits.ts"
import type { Clock } from "../../io/clock.ts"
import type { ExecutionStore } from "../../store/execution-store.ts"
import type { BuiltinAnswer, BuiltinCall } from "./call.ts"

export type SessionParts = { readonly limits: Limits; readonly clock: Clock; readonly executions: Pick<ExecutionStore, "values"> }
export type Session = { readonly principal: Principal; readonly session: string }

/** What keeps values for all sessions of a principal; one of an MCP client adds its own name. */
export const sessionOf = (principal: Pick<Principal, "user" | "tokenId">): string => `${principal.user}/${principal.tokenId ?? "local"}`

export async function keepValue(context: Session, call: BuiltinCall, parts: SessionParts): Promise<BuiltinAnswer> {
  const { limits, clock } = parts
  const expiresAt = new Date(clock.now().getTime() + limits.sessionValueMs).toISOString()
  const key = { tenant: context.principal.tenant, session: context.session, name: call.path }
  const room = {
    bytesMax: limits.sessionBytesMax,
    principal: sessionOf(context.principal),
    principalBytesMax: limits.sessionsBytesPerPrincipalMax,
  }
  const kept = await parts.executions.values.put(key, call.argsJson, expiresAt, room)
  if (kept === "kept") return { form: "value", json: "null" }
  const message =
    kept === "session_full"
      ? `store() holds at most ${limits.sessionBytesMax} bytes in total, which this value would exceed. Store less, or overwrite values you no longer need`
      : `store() holds at most ${limits.sessionsBytesPerPrincipalMax} bytes for all your sessions together, which this value would exceed. Store less, or wait: values are kept for ${Math.round(limits.sessionValueMs / 3_600_000)} hours`
  return { form: "reject", json: JSON.stringify({ code: "budget_exceeded", message }) }
}

export async function loadValue(context: Session, call: BuiltinCall, parts: SessionParts): Promise<BuiltinAnswer> {
  const key = { tenant: context.principal.tenant, session: context.session, name: call.path }
  const json = await parts.executions.values.get(key, parts.clock.now().toISOString())
  return { form: "value", json: json ?? "null" }
}
