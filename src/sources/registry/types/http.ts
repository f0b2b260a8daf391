// A tool that sends one HTTP request.
//
// `{name}` in the URL is filled with an encoded argument; the other arguments become the query of a GET, HEAD, DELETE or
// OPTIONS, and the JSON body of everything else. What the config itself says in `query`, `body` and `headers` is fixed:
// an argument of the same name does not change it. A fixed body that is no object is sent as it is, and the arguments
// become the query.
import type { RequestPreview } from "../../../core/execution.ts"
import { isRecord } from "../../../core/json/record.ts"
import { isSecretReference } from "../../../core/registry/binding.ts"
import type { ToolFailure } from "../../../core/result.ts"
import type { CallPlan } from "../call-plan.ts"
import type { Implementation } from "../credential.ts"
import { fillRequest, httpMethods, sendHttp } from "../http-call.ts"
import type { FilledRequest } from "../http-call.ts"
import { headersOf, textOf, unusable } from "./typed-call.ts"
import type { PerformCall } from "./typed-call.ts"

type Args = Readonly<Record<string, unknown>>

export const callHttp: PerformCall = async (call) => {
  const { plan, implementation, request, timeoutMs } = call
  const own = headersOf(call)
  if (!own.ok) return own
  const filled = fill(plan, implementation, request.args)
  if ("ok" in filled) return filled
  const { limits, signal, answerTurn } = request
  return sendHttp({ ...filled, headers: own.headers }, { outbound: plan.outbound, limits, timeoutMs, signal, answerTurn })
}

/** Without the values that are secret. */
export function previewHttp(plan: CallPlan, args: Args): RequestPreview | null {
  const { implementation } = plan.binding
  const { query } = implementation
  const shown = isRecord(query) ? Object.fromEntries(Object.entries(query).filter(([, value]) => !isSecretReference(value))) : {}
  const filled = fill(plan, { ...implementation, query: shown }, args)
  return "ok" in filled ? null : { method: filled.method, url: filled.url }
}

function fill(plan: CallPlan, implementation: Implementation, args: Args): ({ readonly method: string } & FilledRequest) | ToolFailure {
  const method = textOf(implementation, "method").toUpperCase()
  if (!httpMethods.some((known) => known === method)) return unusable(plan, `its method must be one of ${httpMethods.join(", ")}`)
  const url = textOf(implementation, "url")
  if (!hasFixedOrigin(url)) return unusable(plan, "its url must be an http or https address without {name} in scheme, host or port")
  const query = isRecord(implementation["query"]) ? implementation["query"] : {}
  const { body } = implementation
  const isSentAsIs = body !== undefined && !isRecord(body)
  const filled = fillRequest({ method: isSentAsIs ? "GET" : method, url, query }, args)
  if ("ok" in filled || body === undefined) return "ok" in filled ? filled : { method, ...filled }
  return { method, url: filled.url, body: isRecord(body) ? { ...(isRecord(filled.body) ? filled.body : {}), ...body } : body }
}

const hasFixedOrigin = (url: string): boolean => /^https?:\/\/[^/?#\\{}@\s]+(?:[/?#]|$)/i.test(url)
