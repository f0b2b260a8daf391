// Asks a human through their own MCP client: a round ends with a question, and the next one brings the answer.
//
// Nothing is held in between. The question is the pause in the store; the client carries a state that is signed, bound
// to the token, the tool and its arguments, and runs out with the pause. An answer that comes twice finds the execution
// as the first one left it.
import { setTimeout as sleep } from "node:timers/promises"
import { createRequestStateCodec, inputRequired } from "@modelcontextprotocol/server"
import type { InputRequiredResult, RequestStateCodec, Server, ServerContext } from "@modelcontextprotocol/server"
import { ExecutorError } from "../../../core/errors.ts"
import type { ExecutionReply, Interaction } from "../../../core/execution.ts"
import { canonicalJson } from "../../../core/json/canonical.ts"
import { sha256 } from "../../../io/ids.ts"
import { abilitiesOf } from "./client-abilities.ts"
import type { McpHostParts } from "../host-parts.ts"
import { readAnswers, toInputRequests } from "./requests.ts"
import { replySoon } from "../tools/reply-soon.ts"
import { askerOf, ownerOf } from "../request-principal.ts"
import type { Asker } from "../request-principal.ts"

export type RoundState = { readonly executionId: string; readonly call: string }

/** An execution between two rounds. */
export type Round =
  /** What it waits for is asked, if it waits; `note` says why it is asked again. */
  | { readonly next: "ask"; readonly reply: ExecutionReply; readonly note: string | null }
  /** The human was sent to the page, and is still there. */
  | { readonly next: "tell"; readonly reply: ExecutionReply }

export type NativeRounds = {
  readonly verify: RequestStateCodec["verify"]
  /** Signs a state for the next round of the same token. */
  mint(state: unknown, ctx: ServerContext): Promise<string>
  /** Null where the client cannot ask what is to be asked. */
  ask(round: Round, call: string, server: Server, ctx: ServerContext): Promise<InputRequiredResult | null>
  /** Takes the answers that came with a state. */
  answer(state: RoundState, call: string, asker: Asker, ctx: ServerContext): Promise<Round>
}

/** The same for the same tool with the same arguments, whatever the order of their keys. */
export const callHash = (tool: string, args: unknown): string => sha256(canonicalJson([tool, args ?? {}]))

export function createNativeRounds(parts: McpHostParts): NativeRounds {
  const codec = createRequestStateCodec({
    key: parts.requestStateKey,
    ttlSeconds: Math.ceil(parts.limits.pausedMsMax / 1000),
    bind: (ctx) => `${ctx.mcpReq.method}\0${ownerOf(askerOf(ctx).principal)}`,
  })
  return {
    verify: codec.verify,
    mint: codec.mint,
    async ask(round, call, server, ctx) {
      const { reply, next } = round
      const { structured } = reply
      if (next === "tell") return null
      if (structured.status !== "waiting_for_interaction") return null
      const inputRequests = toInputRequests(
        structured.interactions.filter(isForUser),
        structured.approvalUrl,
        abilitiesOf(server, ctx),
        round.note,
      )
      // A question without anything in it would leave the client with nothing to answer.
      if (inputRequests === null || Object.keys(inputRequests).length === 0) return null
      return inputRequired({ inputRequests, requestState: await codec.mint({ executionId: reply.executionId, call }, ctx) })
    },
    async answer(state, call, { principal }, ctx) {
      if (state.call !== call) throw new ExecutorError("invalid_request", "The requestState belongs to another call")
      const wait = { ms: parts.limits.mcpAnswerWaitMs, signal: ctx.mcpReq.signal }
      const read = (): Promise<ExecutionReply> => whileItRuns(() => parts.api(principal).executions.get(state.executionId), wait)
      const now = await read()
      if (now.structured.status !== "waiting_for_interaction") return { next: "ask", reply: now, note: null }
      const answer = readAnswers(now.structured.interactions.filter(isForUser), ctx.mcpReq.inputResponses)
      if (answer.kind === "none") return { next: "ask", reply: now, note: null }
      if (answer.kind === "page")
        return { next: "tell", reply: (await parts.hostApi.waitForAnswer(principal, state.executionId, wait)).reply }
      try {
        const relay = (left: AbortSignal): Promise<ExecutionReply> =>
          parts.hostApi.relay(principal, state.executionId, {
            mode: "native",
            answers: answer.answers,
            signal: AbortSignal.any([left, wait.signal]),
          })
        const reply = await replySoon(relay, () => parts.hostApi.progressOf(principal, state.executionId), parts.limits.mcpRunWaitMs)
        return { next: "ask", reply, note: null }
      } catch (error) {
        return againAfter(error, read)
      }
    },
  }
}

/** Nobody is asked what they may not answer. */
const isForUser = ({ answerers }: Interaction): boolean => answerers === undefined

const pollMs = 200

/** An execution that was answered elsewhere goes on: what comes of it is waited for, within bounds. */
async function whileItRuns(
  read: () => Promise<ExecutionReply>,
  wait: { readonly ms: number; readonly signal: AbortSignal },
): Promise<ExecutionReply> {
  for (const endMs = performance.now() + wait.ms; ;) {
    const reply = await read()
    const { structured } = reply
    const isMoving =
      structured.status === "running" || (structured.status === "waiting_for_interaction" && structured.interactions.length === 0)
    if (!isMoving || wait.signal.aborted || performance.now() >= endMs) return reply
    await sleep(pollMs, undefined, { signal: wait.signal }).catch(() => {})
  }
}

/** What does not fit the form is asked again; what somebody else has answered meanwhile is told as it is. */
async function againAfter(error: unknown, read: () => Promise<ExecutionReply>): Promise<Round> {
  if (!(error instanceof ExecutorError)) throw error
  if (error.code === "already_answered") return { next: "ask", reply: await read(), note: null }
  if (error.code === "invalid_request") return { next: "ask", reply: await read(), note: error.message }
  throw error
}
