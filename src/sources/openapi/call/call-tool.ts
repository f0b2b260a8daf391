// Performs the call of one OpenAPI tool: builds the request, sends it, reads the answer.
import type { ToolFailure, ToolResult } from "../../../core/result.ts"
import { fail } from "../../../core/result.ts"
import { largeAnswerBytes } from "../../../io/answer-turn.ts"
import type { OutboundRequest } from "../../../io/network/outbound.ts"
import { unconfirmedOrigin } from "../../origin-unconfirmed.ts"
import type { CallRequest } from "../../source-adapter.ts"
import type { OpenApiConfig } from "../binding.ts"
import { buildBody } from "./body-build.ts"
import { withDigits } from "./body-digits.ts"
import { buildHeaders } from "./request-headers.ts"
import type { RequestBase, RequestPlan } from "./request-plan.ts"
import { baseOf, planOf } from "./request-plan.ts"
import { buildUrl } from "./request-url.ts"
import { sequenceReading } from "./response-events.ts"
import { readFailure } from "../../response-error.ts"
import { readMethods } from "../compile/facts.ts"
import { readResponseInSlices } from "./response-read.ts"
import { isJsonType } from "./serialize-argument.ts"
import { ArgumentProblem } from "./serialize-problem.ts"

type Call = CallRequest<OpenApiConfig>
type HttpRequest = Pick<OutboundRequest, "method" | "url" | "headers" | "body">

export async function callOpenApiTool(call: Call): Promise<ToolResult> {
  const plan = planOf(call.tool.binding)
  const base = baseOf(call.config.baseUrl ?? plan.binding.servers[0] ?? "")
  if (base === null)
    return fail("upstream_unreachable", "The document does not name a server for this tool; set baseUrl in the integration's config", {
      retryable: false,
    })
  if (!call.credential.origins.includes(base.origin)) return unconfirmedOrigin(base.origin)

  const isJsonSent = plan.binding.body !== null && isJsonType(plan.binding.body.contentType)
  const args = isJsonSent ? await withDigits(call.args, call.tool.inputSchema, call.definitions) : call.args
  const request = buildRequest({ ...call, args }, plan, base)
  if ("ok" in request) return request
  const answer = await call.outbound.send({
    ...request,
    signal: call.signal,
    timeoutMs: call.limits.callTimeoutMs,
    responseBytesMax: call.limits.responseBytesMax,
    arrive: call.answerTurn.arrive,
    stream: sequenceReading(call.limits),
  })
  if (!answer.ok) return readFailure(answer, readMethods.has(request.method) ? "read" : "change")
  if (answer.bytes.byteLength > largeAnswerBytes) await call.answerTurn.take()
  if (call.signal.aborted) return fail("timeout", "The call was stopped before its answer was read")
  return readResponseInSlices(answer, request.method, call.limits)
}

function buildRequest({ config, credential, args }: Call, plan: RequestPlan, base: RequestBase): HttpRequest | ToolFailure {
  const trust = { headers: config.headers, placements: plan.binding.anonymous ? [] : credential.placements }
  try {
    const body = plan.binding.body && buildBody(plan.binding.body, args, plan.parameterArgs)
    return {
      method: plan.binding.method.toUpperCase(),
      url: buildUrl(plan, base, args, trust.placements),
      headers: buildHeaders(plan, base, args, trust, body?.contentType ?? null),
      ...(body ? { body: body.content } : {}),
    }
  } catch (error) {
    if (!(error instanceof ArgumentProblem)) throw error
    return fail("invalid_arguments", error.message, {
      details: { issues: [{ path: error.arg, code: "invalid_value", message: error.message }] },
    })
  }
}
