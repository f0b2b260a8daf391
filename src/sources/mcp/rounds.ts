// A request that the server answers with questions until it has what it needs (revision 2026-07-28).
//
// The questions of a round, and the state that the server wants back with their answers, are kept with what the human is
// asked. When they have answered, the call is run again, here or on another node, and goes on with that round instead of
// beginning at the first one.
import { ProtocolError, ProtocolErrorCode, isInputRequiredResult } from "@modelcontextprotocol/client"
import type { ElicitRequestParams, ElicitResult, InputRequests, InputResponses } from "@modelcontextprotocol/client"
import { setTimeout } from "node:timers/promises"
import { ExecutorError } from "../../core/errors.ts"
import type { Limits } from "../../core/limits.ts"

/** What is added to the parameters of a request. */
export type RoundParams = { readonly inputResponses?: InputResponses; readonly requestState?: string }

export type RoundParts = {
  readonly limits: Limits
  /** Of the round that was interrupted; null at the beginning. */
  readonly state: string | null
  readonly signal: AbortSignal
  /** `state` is given back when the call is run again. */
  ask(params: ElicitRequestParams, state: string | null): Promise<ElicitResult>
}

type Round = { readonly number: number; readonly requests: InputRequests; readonly requestState: string | null }

const pollMs = { first: 250, most: 5000 }

export async function inRounds<T>(send: (params: RoundParams) => Promise<T>, parts: RoundParts): Promise<T> {
  const interrupted = parts.state === null ? null : (JSON.parse(parts.state) as Round) // written below
  let params = interrupted === null ? {} : await answerRound(interrupted, parts)
  for (let number = (interrupted?.number ?? 0) + 1; number <= parts.limits.mcpServerRoundsMax; number += 1) {
    const answer = await sendOnce(send, params, parts)
    if (answer === retried) continue
    if (!isInputRequiredResult(answer)) return answer
    const round = { number, requests: answer.inputRequests ?? {}, requestState: answer.requestState ?? null }
    if (Object.keys(round.requests).length === 0) await setTimeout(Math.min(pollMs.most, pollMs.first * 2 ** (number - 1)), null, parts)
    params = await answerRound(round, parts)
  }
  throw new ExecutorError("upstream_error", `The server asked for input ${parts.limits.mcpServerRoundsMax} times, the maximum for one call`)
}

const retried = Symbol("retried")
const urlRequired: number = ProtocolErrorCode.UrlElicitationRequired

/** A server of the revision before refuses until its URL was visited. */
async function sendOnce<T>(send: (params: RoundParams) => Promise<T>, params: RoundParams, parts: RoundParts): Promise<T | typeof retried> {
  try {
    return await send(params)
  } catch (error) {
    const urls = urlsOf(error)
    if (urls.length === 0) throw error
    for (const url of urls) {
      const { action } = await parts.ask(url, null)
      if (action !== "accept")
        throw new ExecutorError(
          `approval_${action === "decline" ? "declined" : "cancelled"}`,
          `The human did not do what the server asked for: ${url.message}`,
        )
    }
    return retried
  }
}

async function answerRound(round: Round, parts: RoundParts): Promise<RoundParams> {
  const state = JSON.stringify(round)
  if (state.length > parts.limits.mcpServerStateBytesMax)
    throw new ExecutorError("upstream_error", "The state that the server expects back with an answer is too large to store")
  const inputResponses: InputResponses = {}
  for (const [key, request] of Object.entries(round.requests)) {
    if (request.method !== "elicitation/create")
      throw new ExecutorError(
        "upstream_error",
        `The server asked for ${request.method}, which Executor does not support: it has no model and no folders to offer`,
      )
    inputResponses[key] = await parts.ask(request.params, state)
  }
  return { inputResponses, ...(round.requestState === null ? {} : { requestState: round.requestState }) }
}

function urlsOf(error: unknown): ElicitRequestParams[] {
  if (!(error instanceof ProtocolError) || error.code !== urlRequired) return []
  const data = error.data
  const listed = typeof data === "object" && data !== null && "elicitations" in data ? data.elicitations : null
  return Array.isArray(listed) ? (listed as ElicitRequestParams[]).filter((one) => one.mode === "url" && typeof one.url === "string") : [] // checked field by field
}
