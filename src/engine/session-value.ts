// `store` and `load`: what code keeps from one execution to the next of the same session.
import type { SandboxCall } from "../sandbox/sandbox.ts"
import type { EngineParts } from "./engine-parts.ts"

type Session = { readonly principal: { readonly tenant: string }; readonly session: string }
type ValueAnswer = { readonly form: "value" | "reject"; readonly json: string }

export async function keepValue(context: Session, call: SandboxCall, parts: EngineParts): Promise<ValueAnswer> {
  const { limits, clock } = parts
  const expiresAt = new Date(clock.now().getTime() + limits.sessionValueMs).toISOString()
  const key = { tenant: context.principal.tenant, session: context.session, name: call.path }
  const isKept = await parts.executions.values.put(key, call.argsJson, expiresAt, limits.sessionBytesMax)
  if (isKept) return { form: "value", json: "null" }
  const message = `store() holds at most ${limits.sessionBytesMax} bytes in total, which this value would exceed. Store less, or overwrite values you no longer need`
  return { form: "reject", json: JSON.stringify({ code: "budget_exceeded", message }) }
}

export async function loadValue(context: Session, call: SandboxCall, parts: EngineParts): Promise<ValueAnswer> {
  const key = { tenant: context.principal.tenant, session: context.session, name: call.path }
  const json = await parts.executions.values.get(key, parts.clock.now().toISOString())
  return { form: "value", json: json ?? "null" }
}
