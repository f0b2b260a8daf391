// The scope of one call in progress: its end, its questions to the human, and its notifications.
import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from "@modelcontextprotocol/client"
import type { ElicitRequestParams, ElicitResult, Progress } from "@modelcontextprotocol/client"
import { OutboundBreak } from "../../../io/network/outbound.ts"
import type { OutboundFailure } from "../../../io/network/outbound.ts"
import type { CallRequest } from "../../source-adapter.ts"
import type { CallInFlight } from "./calls.ts"
import type { StreamEnd } from "../http/body.ts"
import { plainWords, toElicitResult, toQuestion } from "../question.ts"

export type CallScope = {
  readonly signal: AbortSignal
  readonly inFlight: CallInFlight
  ask(params: ElicitRequestParams, state: string | null): Promise<ElicitResult>
  progress(progress: Progress): void
  /** One request whose answer is waited for: it fails when the stream of the answer is over without it. */
  sending<T>(send: () => Promise<T>): Promise<T>
  /** A human was asked and has not answered: the call is over, and run again when they have. */
  isPaused(): boolean
  /** Why the call was ended from within; null where it was not. */
  reason(): Error | null
  close(): void
}

/** An answer that is in the last piece of a stream is still being read when the stream is over. */
const lastPieceMs = 100
/** How often it is looked again whether a message that was there in time still waits for its turn. */
const lookMs = 200

const streamLost: OutboundFailure = {
  ok: false,
  code: "upstream_unreachable",
  message: "The server closed the stream before its answer",
  retryable: true,
}

/** What a call brings of its own. */
export type ScopedCall = Pick<CallRequest<unknown>, "signal" | "limits" | "log" | "elicit" | "answerTurn" | "notify">

export function openCallScope(call: ScopedCall, tool: string, timeoutMs: number, redact: (text: string) => string): CallScope {
  const controller = new AbortController()
  const stop = (): void => controller.abort(call.signal.reason)
  let isPaused = false
  let isClosed = false
  let reason: Error | null = null
  /** The request whose answer is waited for. */
  let sent: symbol | null = null
  /** How many of its messages have arrived and wait for their turn, and how long others have waited. */
  let waits = 0
  let waitedMs = 0
  call.signal.addEventListener("abort", stop)
  if (call.signal.aborted) stop()

  const abort = (why: Error): void => {
    if (isClosed) return
    reason ??= why
    controller.abort(why)
  }
  const clean = (text: unknown): string => redact(plainWords(text))

  const ask = async (params: ElicitRequestParams, state: string | null): Promise<ElicitResult> => {
    const question = toQuestion(params, redact, call.limits)
    if (question.kind === "refused") {
      call.log.warn({ tool, mode: params.mode ?? "form", reason: question.reason }, "An MCP server asked something that no human is shown")
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, question.reason)
    }
    try {
      return toElicitResult(params, await call.elicit({ ...question, ...(state === null ? {} : { state }) }))
    } catch (error) {
      isPaused = true
      throw error
    }
  }
  const streamListener = (): ((end: StreamEnd) => void) => {
    const waitedFor = sent
    return ({ isResumable, failure }) => {
      if (isResumable || waitedFor === null) return
      setTimeout(() => (sent === waitedFor ? abort(new OutboundBreak(failure ?? streamLost)) : undefined), lastPieceMs)
    }
  }

  const inFlight: CallInFlight = {
    tool,
    answerTurn: call.answerTurn,
    stopClock() {
      const startMs = performance.now()
      waits += 1
      return () => {
        waits -= 1
        waitedMs += performance.now() - startMs
      }
    },
    abort,
    streamListener,
    log: (level, text) => call.notify({ type: "log", level, text: clean(text) }),
    async elicit(params) {
      try {
        return await ask(params, null)
      } catch (error) {
        // What was wrong with its question the server is told in answer to it.
        if (!isPaused) throw error
        // The server is told to stop before the call is given up, so that it hears it.
        setImmediate(() => abort(new Error("A human was asked")))
        return { action: "cancel" }
      }
    },
  }
  return {
    signal: controller.signal,
    inFlight,
    ask,
    progress({ progress, total, message }) {
      call.notify({
        type: "progress",
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message: clean(message) }),
      })
    },
    async sending(send) {
      sent = Symbol("request")
      call.answerTurn.release()
      const endsAtMs = performance.now() + timeoutMs - waitedMs
      let timer = setTimeout(expire, timeoutMs)
      function expire(): void {
        const leftMs = waits > 0 ? lookMs : endsAtMs + waitedMs - performance.now()
        if (leftMs > 0) timer = setTimeout(expire, leftMs)
        else abort(new SdkError(SdkErrorCode.RequestTimeout, "The request timed out"))
      }
      try {
        return await send()
      } finally {
        clearTimeout(timer)
        sent = null
      }
    },
    isPaused: () => isPaused,
    reason: () => reason,
    close() {
      isClosed = true
      call.signal.removeEventListener("abort", stop)
    },
  }
}
