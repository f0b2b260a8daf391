// Turns a handler's exception into a failure: with its own code if it chose one, or else with its message and without the stack.
import type { Credential } from "../../core/auth.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import { toolErrorCodes } from "../../plugin/tool-error.ts"
import type { HandlerCall } from "./handler-call.ts"
import { toJson } from "./output-json.ts"
import type { JsonOutput } from "./output-json.ts"
import { maskSecrets } from "./secret-mask.ts"

const messageCharsMax = 1000

export function handlerFailure(error: unknown, { plugin, tool, credential, limits, log }: HandlerCall): ToolFailure {
  const thrown = readThrown(error)
  const code = toolErrorCodes.find((one) => one === thrown.code)
  if (code === undefined) {
    const stack = maskSecrets(thrown.stack ?? thrown.message, credential.secrets)
    log.warn({ plugin: plugin.id, tool: tool.path, error: stack.slice(0, 4000) }, "The handler of a plugin threw")
  }
  // Cut afterwards, since nobody would recognise half a secret.
  const said = maskSecrets(thrown.message, credential.secrets) || `'${tool.path}' of the plugin '${plugin.id}' failed without saying why`
  const message = said.slice(0, messageCharsMax)
  const details = thrown.details === undefined ? connectDetails(code, credential) : toJson(thrown.details, limits.errorDetailsBytesMax)
  return fail(code ?? "upstream_error", message, {
    ...(typeof thrown.status === "number" && thrown.status >= 100 && thrown.status <= 599 ? { status: thrown.status } : {}),
    ...(details?.ok === true ? { details: details.value } : {}),
    ...(typeof thrown.retryable === "boolean" ? { retryable: thrown.retryable } : {}),
  })
}

const connectDetails = (code: string | undefined, { connectUrl }: Credential): JsonOutput | null =>
  code === "auth_required" && connectUrl !== undefined ? { ok: true, value: { connectUrl } } : null

type Thrown = {
  readonly code?: unknown
  readonly message: string
  readonly stack?: string
  readonly status?: unknown
  readonly details?: unknown
  readonly retryable?: unknown
}

/** Anything can be thrown, also what throws when it is looked at. Only an error chooses its code: a plain object may be a body that an upstream sent. */
function readThrown(error: unknown): Thrown {
  try {
    if (typeof error === "string" || typeof error === "number" || typeof error === "symbol") return { message: String(error) }
    if (typeof error !== "object" || error === null) return { message: "" }
    const { code, message, stack, status, details, retryable } = error as Record<string, unknown> // every field is read as unknown
    const text = typeof message === "string" ? message : ""
    if (!(error instanceof Error)) return { message: text }
    return { code, message: text, status, details, retryable, ...(typeof stack === "string" ? { stack } : {}) }
  } catch {
    return { message: "" }
  }
}
