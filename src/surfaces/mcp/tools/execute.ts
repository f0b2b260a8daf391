// `execute`: runs code until its end, until it waits for a human, who is asked in the client's mode, or for as long as clients wait.
import type { CallToolResult, InputRequiredResult, Server, ServerContext } from "@modelcontextprotocol/server"
import type { ExecutionReply, ExecutionRequest } from "../../../core/execution.ts"
import type { ElicitationMode } from "../../../core/token.ts"
import { sha256 } from "../../../io/ids.ts"
import { executeInput, readArguments } from "./input.ts"
import type { McpHostParts } from "../host-parts.ts"
import { callHash } from "../native/rounds.ts"
import type { NativeRounds, Round, RoundState } from "../native/rounds.ts"
import { createProgress } from "./progress.ts"
import type { Asker } from "../request-principal.ts"
import { replySoon } from "./reply-soon.ts"
import { toResult } from "./result-content.ts"
import { withNextStep } from "../../../core/text/next-step.ts"
import type { AskedBy } from "../../../core/text/next-step.ts"
import { executorCommand } from "../../../io/executor-command.ts"

export type HostCall = { readonly asker: Asker; readonly server: Server; readonly ctx: ServerContext }
export type HostCallParts = McpHostParts & { readonly rounds: NativeRounds }
export type HostResult = CallToolResult | InputRequiredResult

export function callExecute(given: unknown, call: HostCall, parts: HostCallParts): Promise<HostResult> {
  const { code, timeoutMs } = readArguments(executeInput, given)
  const { results } = call.asker.options
  const request = { code, results, ...(timeoutMs === undefined ? {} : { timeoutMs }) }
  return runAsked(callHash("execute", given), request, call, (reply) => toResult(reply, parts.limits), parts)
}

/** Runs code for a call that may have to ask a human: in the first round it starts, in later ones it goes on. */
export async function runAsked(
  hash: string,
  request: ExecutionRequest,
  call: HostCall,
  present: (reply: ExecutionReply) => CallToolResult,
  parts: HostCallParts,
): Promise<HostResult> {
  const { asker, ctx, server } = call
  const { mode } = asker.options
  const state = mode === "native" ? ctx.mcpReq.requestState<RoundState>() : undefined
  const round =
    state === undefined
      ? await start(request, call, parts)
      : await followed(call, parts, (follow) => {
          follow(state.executionId)
          return parts.rounds.answer(state, hash, asker, ctx)
        })
  const question = mode === "native" ? await parts.rounds.ask(round, hash, server, ctx) : null
  if (question !== null) return question
  const { reply } = round
  if (reply.status === "paused" && mode === "browser") parts.showApproval(asker.principal, reply.executionId)
  return present(withNextStep(reply, askedBy(mode)))
}

/** The client's signal stops the run only while the client waits: it also aborts after every answer of the modern era. */
function start({ code, ...options }: ExecutionRequest, call: HostCall, parts: HostCallParts): Promise<Round> {
  const { signal } = call.ctx.mcpReq
  signal.throwIfAborted()
  const stop = new AbortController()
  const cancel = (): void => stop.abort(signal.reason)
  signal.addEventListener("abort", cancel, { once: true })
  return followed(call, parts, async (follow) => {
    let executionId = ""
    const onStart = (id: string): void => {
      executionId = id
      follow(id)
    }
    const work = (left: AbortSignal): Promise<ExecutionReply> =>
      parts
        .api(call.asker.principal)
        .run(code, { ...options, ...sessionOf(call), signal: stop.signal, left, onStart, questions: shownIn(call.asker.options.mode) })
    try {
      const stillRunning = (): Promise<ExecutionReply> => parts.hostApi.progressOf(call.asker.principal, executionId)
      return { next: "ask", reply: await replySoon(work, stillRunning, parts.limits.mcpRunWaitMs), note: null }
    } finally {
      signal.removeEventListener("abort", cancel)
    }
  })
}

export const askedBy = (mode: ElicitationMode): AskedBy => ({ mode, command: executorCommand })

/** Where the client asks by itself, it names what is answered, and shows all of it. */
export const shownIn = (mode: ElicitationMode): "all" | "first" => (mode === "native" ? "all" : "first")

/** Older clients keep a session; what their code stores belongs to it. */
const sessionOf = ({ ctx }: HostCall): { readonly session?: string } =>
  ctx.sessionId === undefined ? {} : { session: sha256(ctx.sessionId) }

async function followed<T>({ asker, ctx }: HostCall, parts: HostCallParts, work: (follow: (id: string) => void) => Promise<T>): Promise<T> {
  const progress = createProgress(parts.api(asker.principal), ctx)
  try {
    return await work(progress.follow)
  } finally {
    progress.stop()
  }
}
