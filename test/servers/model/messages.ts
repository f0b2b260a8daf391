// The Messages API of Anthropic, as a scripted model speaks it.
import type { ApiError, Frame, ModelWriter } from "./frame.ts"
import type { FinishReason, FramePart, FullAnswer, FullCall, ModelUsage } from "./turn.ts"
import { piecesOf } from "./turn.ts"

type Block = { readonly part: FramePart; readonly whole: object; readonly empty: object; readonly deltas: readonly object[] }

export const messagesWriter: ModelWriter = {
  body: (answer) => ({
    ...headOf(answer),
    content: blocksOf(answer).map((block) => block.whole),
    stop_reason: stopReasons[answer.finish],
    usage: usageOf(answer.usage),
  }),
  frames(answer) {
    const frame = (part: FramePart, type: string, fields: object = {}): Frame => ({ part, event: type, data: { type, ...fields } })
    const begun = { ...headOf(answer), content: [], stop_reason: null, usage: { ...usageOf(answer.usage), output_tokens: 1 } }
    return [
      frame("start", "message_start", { message: begun }),
      frame("start", "ping"),
      ...blocksOf(answer).flatMap((block, index) => [
        frame(block.part, "content_block_start", { index, content_block: block.empty }),
        ...block.deltas.map((delta) => frame(block.part, "content_block_delta", { index, delta })),
        frame(block.part === "call" ? "call_done" : block.part, "content_block_stop", { index }),
      ]),
      frame("end", "message_delta", {
        delta: { stop_reason: stopReasons[answer.finish], stop_sequence: null },
        usage: { output_tokens: answer.usage.output },
      }),
      frame("end", "message_stop"),
    ]
  },
  error: (error) => ({ type: "error", error: errorOf(error) }),
  errorFrame: (error) => ({ part: "end", event: "error", data: { type: "error", error: errorOf(error) } }),
}

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
}

const errorOf = ({ status, message }: ApiError): object => ({ type: errorTypes[status] ?? "api_error", message })

const stopReasons: Readonly<Record<FinishReason, string>> = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  content_filter: "refusal",
}

const headOf = (answer: FullAnswer): object => ({
  id: `msg_${answer.id}`,
  type: "message",
  role: "assistant",
  model: answer.model,
  stop_sequence: null,
})

function blocksOf(answer: FullAnswer): Block[] {
  const signature = `signature-${answer.id}`
  const thinking: Block = {
    part: "reasoning",
    whole: { type: "thinking", thinking: answer.reasoning, signature },
    empty: { type: "thinking", thinking: "", signature: "" },
    deltas: [
      ...piecesOf(answer.reasoning).map((piece) => ({ type: "thinking_delta", thinking: piece })),
      { type: "signature_delta", signature },
    ],
  }
  const text: Block = {
    part: "text",
    whole: { type: "text", text: answer.text },
    empty: { type: "text", text: "" },
    deltas: piecesOf(answer.text).map((piece) => ({ type: "text_delta", text: piece })),
  }
  return [...(answer.reasoning === "" ? [] : [thinking]), ...(answer.text === "" ? [] : [text]), ...answer.calls.map(callBlock)]
}

/** The API carries arguments as an object; a script's text that is no JSON is streamed as it is. */
function callBlock(call: FullCall): Block {
  if (call.type !== "function") throw new Error(`The Messages API has no ${call.type} calls: script them for /v1/responses`)
  const head = { type: "tool_use", id: call.id, name: call.name }
  return {
    part: "call",
    get whole() {
      return { ...head, input: call.arguments === "" ? {} : (JSON.parse(call.arguments) as unknown) }
    },
    empty: { ...head, input: {} },
    deltas: piecesOf(call.arguments).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
  }
}

const usageOf = (usage: ModelUsage): object => ({
  input_tokens: usage.input,
  output_tokens: usage.output,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: usage.cached,
})
