// A call of the pass-through: through the gate, with the client's own rounds where the upstream asks, and a human where policy does.
//
// The first round calls. Where a human must approve, the client asks them (native), or the call waits for the approval
// page; once accepted, the same call passes once. Where an MCP server asks for input, its questions go to the client
// with a word about who asks. What belongs to the next round travels in a state that is signed and bound to token, tool and arguments.
import { ProtocolErrorCode, inputRequired, inputResponse, isInputRequiredResult } from "@modelcontextprotocol/server"
import type { InputRequiredResult } from "@modelcontextprotocol/server"
import { ExecutorError } from "../../../core/errors.ts"
import type { DirectTool } from "../../../core/call/direct.ts"
import type { McpPassThrough } from "../../../core/call/pass-through.ts"
import { isRecord } from "../../../core/json/record.ts"
import { fail } from "../../../core/result.ts"
import type { ToolResult } from "../../../core/result.ts"
import { abilitiesOf } from "../native/client-abilities.ts"
import { noticesTo, passThroughOf } from "./pass-through.ts"
import { callHash } from "../native/rounds.ts"
import { attributeRequests, toInputRequests } from "../native/requests.ts"
import type { HostCall, HostCallParts } from "../tools/execute.ts"

/** What the upstream is told in the next round. */
type Upstream = Pick<McpPassThrough, "inputResponses" | "requestState">
export type DirectState = { readonly call: string; readonly approvalId: string | null; readonly upstream: Upstream | null }

export type DirectRequest = {
  readonly tool: DirectTool
  readonly args: Record<string, unknown>
  readonly kind: string
  /** Another method of the protocol, for which the tool stands. */
  readonly instead: McpPassThrough["instead"]
}

/** The result of the tool, or what must be answered before there is one. */
export type DirectAnswer = { readonly result: ToolResult } | { readonly question: InputRequiredResult }

export async function callDirect(request: DirectRequest, call: HostCall, parts: HostCallParts): Promise<DirectAnswer> {
  const { asker, ctx } = call
  const hash = callHash(`direct ${request.tool.address} ${request.instead?.method ?? ""}`, request.args)
  const state = ctx.mcpReq.requestState<DirectState>() ?? null
  if (state !== null && state.call !== hash) throw new ExecutorError("invalid_request", "The requestState belongs to another call")
  if (state !== null && state.approvalId !== null) await takeApproval(state.approvalId, call, parts)
  const upstream = upstreamOf(state, call)
  const result = await send(request, upstream, call, parts)
  const approvalId = approvalOf(result)
  if (approvalId === null) return settle(result, request, hash, call, parts)
  const question = asker.options.mode === "native" ? await askNatively(approvalId, { call: hash, upstream }, call, parts) : null
  if (question !== null) return { question }
  parts.showApproval(asker.principal, approvalId)
  const wait = { ms: parts.limits.mcpAnswerWaitMs, signal: ctx.mcpReq.signal }
  const status = await parts.hostApi.approvals.wait(asker.principal, approvalId, wait)
  // The same call, made again, is told what the human said.
  if (status !== "pending") return settle(await send(request, upstream, call, parts), request, hash, call, parts)
  const url = parts.hostApi.approvals.url(approvalId) ?? "with `executor approvals`"
  const who = (await parts.hostApi.approvals.find(asker.principal, approvalId))?.answerers ?? "The user"
  const told = `${who.charAt(0).toUpperCase()}${who.slice(1)} must approve this first, at ${url}. Once they have, call it again with the same arguments.`
  return { result: fail("approval_required", told, { details: { ...detailsOf(result), approvalId, approvalUrl: url } }) }
}

function send(request: DirectRequest, upstream: Upstream, call: HostCall, parts: HostCallParts): Promise<ToolResult> {
  const passThrough = request.kind === "mcp" ? { passThrough: { ...passThroughOf(call), ...upstream, instead: request.instead } } : {}
  const { signal } = call.ctx.mcpReq
  return parts.hostApi.callDirect(call.asker.principal, request.tool.address, request.args, {
    signal,
    notify: noticesTo(call.ctx),
    ...passThrough,
  })
}

/** What came back, or what the upstream wants to know first. Only an MCP server can ask; an API's answer that looks like a question is data. */
async function settle(
  result: ToolResult,
  { kind, tool }: DirectRequest,
  hash: string,
  { asker, ctx }: HostCall,
  parts: HostCallParts,
): Promise<DirectAnswer> {
  const data: unknown = kind === "mcp" && result.ok ? result.data : null
  if (!isInputRequiredResult(data)) return { result: unasked(result, asker.options.mode) }
  const { inputRequests = {} } = data
  // The server was told that it cannot ask this client's human, and asks all the same.
  if (asker.options.mode !== "native" && Object.values(inputRequests).some(({ method }) => method === "elicitation/create"))
    return { result: fail("upstream_error", mayNotAsk) }
  const upstream: Upstream = { inputResponses: null, requestState: data.requestState ?? null }
  const requestState = await parts.rounds.mint({ call: hash, approvalId: null, upstream }, ctx)
  return { question: inputRequired({ inputRequests: attributeRequests(inputRequests, tool.address), requestState }) }
}

const mayNotAsk =
  "The server asks the user a question, which this client cannot pass on. Call the tool from code with execute, or allow native elicitation for the token"

/** Servers of older revisions ask for a visit to a page with an error of the protocol. */
function unasked(result: ToolResult, mode: string): ToolResult {
  if (result.ok || mode === "native") return result
  const { details } = result.error
  const code: unknown = typeof details === "object" && details !== null && "code" in details ? details.code : null
  return code === ProtocolErrorCode.UrlElicitationRequired ? fail("upstream_error", mayNotAsk) : result
}

/** After an approval the answers are those that waited with it; otherwise the client has brought them. */
function upstreamOf(state: DirectState | null, { ctx }: HostCall): Upstream {
  const requestState = state?.upstream?.requestState ?? null
  if (state !== null && state.approvalId !== null) return { inputResponses: state.upstream?.inputResponses ?? null, requestState }
  return { inputResponses: ctx.mcpReq.inputResponses ?? null, requestState }
}

async function askNatively(
  approvalId: string,
  next: { readonly call: string; readonly upstream: Upstream },
  { asker, server, ctx }: HostCall,
  parts: HostCallParts,
): Promise<InputRequiredResult | null> {
  const interaction = await parts.hostApi.approvals.find(asker.principal, approvalId)
  const inputRequests =
    interaction === null || interaction.answerers !== undefined
      ? null
      : toInputRequests([interaction], parts.hostApi.approvals.url(approvalId), abilitiesOf(server, ctx), null)
  if (inputRequests === null) return null
  return inputRequired({ inputRequests, requestState: await parts.rounds.mint({ ...next, approvalId }, ctx) })
}

/** The human's answer, relayed by the client. */
async function takeApproval(approvalId: string, { asker, ctx }: HostCall, parts: HostCallParts): Promise<void> {
  const answer = inputResponse(ctx.mcpReq.inputResponses, approvalId)
  if (answer.kind === "elicit") await parts.hostApi.approvals.relay(asker.principal, approvalId, { mode: "native", action: answer.action })
}

/** An agent's run that waits is an execution, whose id is among them. */
const detailsOf = (result: ToolResult): object => (!result.ok && isRecord(result.error.details) ? result.error.details : {})

function approvalOf(result: ToolResult): string | null {
  if (result.ok || result.error.code !== "approval_required") return null
  const { details } = result.error
  const id = typeof details === "object" && details !== null && "approvalId" in details ? details.approvalId : null
  return typeof id === "string" ? id : null
}
