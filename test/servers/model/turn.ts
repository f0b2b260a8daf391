// What a scripted model is told to answer: a normal answer, or one of the ways in which real endpoints fail.
import type { ModelRequest } from "./request.ts"

/** Objects become JSON; a text is sent as it is, also if it is none. */
export type ModelCall =
  | { readonly type?: "function"; readonly name: string; readonly arguments?: string | object; readonly id?: string }
  | { readonly type: "custom"; readonly name: string; readonly input: string; readonly id?: string }
  | {
      readonly type: "local_shell"
      readonly command: readonly string[]
      readonly workdir?: string
      readonly timeoutMs?: number
      /** Null leaves the call without `call_id`. */
      readonly id?: string | null
    }

export type ModelUsage = { readonly input: number; readonly output: number; readonly cached: number; readonly reasoning: number }

export type FinishReason = "stop" | "tool_calls" | "length" | "content_filter"

/** What a frame of a stream carries: the start, a piece of content, the end of a call, or the end of the answer. */
export type FramePart = "start" | "reasoning" | "text" | "call" | "call_done" | "end"
export type FrameSeen = { readonly index: number; readonly part: FramePart }

export type ModelAnswer = {
  readonly reasoning?: string
  readonly text?: string
  readonly calls?: readonly ModelCall[]
  /** `tool_calls` if there are any, otherwise `stop`. */
  readonly finish?: FinishReason
  /** Otherwise counted from the request and the answer. */
  readonly usage?: Partial<ModelUsage>
  /** Awaited before anything is sent, the status included. */
  readonly before?: () => Promise<unknown>
  /** Awaited before each frame of a stream, so that a test decides when the next one leaves. */
  readonly hold?: (frame: FrameSeen) => Promise<unknown> | undefined
}

export type ModelFailure =
  /** An error of the API, in its own shape. */
  | { readonly fail: "status"; readonly status: number; readonly code?: string; readonly message?: string; readonly retryAfter?: string }
  | { readonly fail: "rate_limit"; readonly retryAfter?: string }
  | { readonly fail: "context_too_long"; readonly limit?: number }
  /** Status 200, and then JSON that breaks off. */
  | { readonly fail: "invalid_json" }
  /** A page instead of an answer, such as that of a proxy. */
  | { readonly fail: "content_type" }
  /** Status 200 without a byte. */
  | { readonly fail: "empty_body" }
  /** The stream ends properly, but too early: after so many frames. */
  | { readonly fail: "half_stream"; readonly frames: number; readonly answer: ModelAnswer }
  /** The connection breaks off after so many frames; with 0, before the status. */
  | { readonly fail: "disconnect"; readonly frames?: number; readonly answer?: ModelAnswer }
  /** An error inside the stream, after so many frames. */
  | { readonly fail: "stream_error"; readonly frames: number; readonly answer: ModelAnswer; readonly message?: string }
  /** Never answers; the request ends when its client gives up. */
  | { readonly fail: "hang" }
  | { readonly fail: "raw"; readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }

export type ModelTurn = ModelAnswer | ModelFailure
export type ScriptedTurn = ModelTurn | ((request: ModelRequest) => ModelTurn | Promise<ModelTurn>)
/** Turns one after another, or one function for all of them. */
export type ModelScript = readonly ScriptedTurn[] | ((request: ModelRequest) => ModelTurn | Promise<ModelTurn>)

export const isFailure = (turn: ModelTurn): turn is ModelFailure => "fail" in turn

/** An answer with everything filled in, ready to be written in any API. */
export type FullAnswer = {
  readonly id: string
  readonly model: string
  readonly created: number
  readonly reasoning: string
  readonly text: string
  readonly calls: readonly FullCall[]
  readonly finish: FinishReason
  readonly usage: ModelUsage
}

export type FullCall =
  | { readonly type: "function"; readonly id: string; readonly name: string; readonly arguments: string }
  | { readonly type: "custom"; readonly id: string; readonly name: string; readonly input: string }
  | {
      readonly type: "local_shell"
      readonly id: string | null
      readonly command: readonly string[]
      readonly workdir?: string
      readonly timeoutMs?: number
    }

export function completeAnswer(answer: ModelAnswer, request: ModelRequest): FullAnswer {
  const calls = (answer.calls ?? []).map((call, index) => completeCall(call, `call_${request.number}_${index}`))
  const written = (answer.reasoning ?? "") + (answer.text ?? "") + JSON.stringify(calls)
  const counted = { input: tokensOf(JSON.stringify(request.body)), output: tokensOf(written), cached: 0, reasoning: 0 }
  return {
    id: `${request.number}`,
    model: request.model,
    created: 1_780_000_000 + request.number,
    reasoning: answer.reasoning ?? "",
    text: answer.text ?? "",
    calls,
    finish: answer.finish ?? (calls.length > 0 ? "tool_calls" : "stop"),
    usage: { ...counted, ...answer.usage },
  }
}

function completeCall(call: ModelCall, id: string): FullCall {
  if (call.type === "custom") return { id, ...call }
  if (call.type === "local_shell") return { id, ...call }
  const text = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments ?? {})
  return { type: "function", id: call.id ?? id, name: call.name, arguments: text }
}

const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

/** A text in pieces of some characters, as models stream it. */
export const piecesOf = (text: string): string[] => text.match(/.{1,12}/gsu) ?? []
