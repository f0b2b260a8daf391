// The Responses API of OpenAI, as a scripted model speaks it.
import type { ApiError, Frame, ModelWriter } from "./frame.ts"
import type { FramePart, FullAnswer, FullCall, ModelUsage } from "./turn.ts"
import { piecesOf } from "./turn.ts"

type Item = { readonly id: string; readonly type: string; readonly [field: string]: unknown }

export const responsesWriter: ModelWriter = {
  body: (answer) => responseOf(answer, "completed"),
  frames(answer) {
    let number = 0
    const frame = (part: FramePart, type: string, fields: object): Frame => ({
      part,
      event: type,
      data: { type, sequence_number: number++, ...fields },
    })
    const begun = responseOf(answer, "in_progress")
    const last = answer.finish === "length" || answer.finish === "content_filter" ? "response.incomplete" : "response.completed"
    return [
      frame("start", "response.created", { response: begun }),
      frame("start", "response.in_progress", { response: begun }),
      ...itemsOf(answer).flatMap((item, index) => itemFrames(item, index, frame)),
      frame("end", last, { response: responseOf(answer, "completed") }),
    ]
  },
  error: (error) => ({ error: errorOf(error) }),
  errorFrame: ({ code, message }) => ({
    part: "end",
    event: "error",
    data: { type: "error", sequence_number: 1_000_000, code, message, param: null },
  }),
}

const errorOf = ({ status, code, message }: ApiError): object => ({
  message,
  type: status === 429 ? "rate_limit_error" : status < 500 ? "invalid_request_error" : "server_error",
  param: null,
  code,
})

function responseOf(answer: FullAnswer, status: "in_progress" | "completed"): object {
  const isDone = status === "completed"
  const cut = answer.finish === "length" ? "max_output_tokens" : answer.finish === "content_filter" ? "content_filter" : null
  return {
    id: `resp_${answer.id}`,
    object: "response",
    created_at: answer.created,
    model: answer.model,
    status: isDone && cut !== null ? "incomplete" : status,
    error: null,
    incomplete_details: isDone && cut !== null ? { reason: cut } : null,
    output: isDone ? itemsOf(answer) : [],
    parallel_tool_calls: true,
    usage: isDone ? usageOf(answer.usage) : null,
  }
}

function itemsOf(answer: FullAnswer): Item[] {
  const reasoning: Item = { id: `rs_${answer.id}`, type: "reasoning", summary: [{ type: "summary_text", text: answer.reasoning }] }
  const message: Item = {
    id: `msg_${answer.id}`,
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: answer.text, annotations: [], logprobs: [] }],
  }
  return [
    ...(answer.reasoning === "" ? [] : [reasoning]),
    ...(answer.text === "" ? [] : [message]),
    ...answer.calls.map((call, index) => callItem(call, `${answer.id}_${index}`)),
  ]
}

function callItem(call: FullCall, id: string): Item {
  switch (call.type) {
    case "function":
      return { id: `fc_${id}`, type: "function_call", call_id: call.id, name: call.name, arguments: call.arguments, status: "completed" }
    case "custom":
      return { id: `ctc_${id}`, type: "custom_tool_call", call_id: call.id, name: call.name, input: call.input, status: "completed" }
    case "local_shell":
      return {
        id: `lsh_${id}`,
        type: "local_shell_call",
        ...(call.id === null ? {} : { call_id: call.id }),
        status: "completed",
        action: {
          type: "exec",
          command: call.command,
          env: {},
          ...(call.workdir === undefined ? {} : { working_directory: call.workdir }),
          ...(call.timeoutMs === undefined ? {} : { timeout_ms: call.timeoutMs }),
        },
      }
  }
}

type WriteFrame = (part: FramePart, type: string, fields: object) => Frame

/** An item that is added empty, filled piece by piece, and repeated whole when it is done. */
function itemFrames(item: Item, index: number, frame: WriteFrame): Frame[] {
  const at = { item_id: item.id, output_index: index }
  const added = (part: FramePart, empty: object): Frame =>
    frame(part, "response.output_item.added", { output_index: index, item: { ...item, status: "in_progress", ...empty } })
  const done = (part: FramePart): Frame => frame(part, "response.output_item.done", { output_index: index, item })
  const callFrames = (field: "arguments" | "input", type: string): Frame[] => [
    added("call", { [field]: "" }),
    ...piecesOf(String(item[field])).map((delta) => frame("call", `response.${type}.delta`, { ...at, delta })),
    frame("call", `response.${type}.done`, { ...at, [field]: item[field] }),
    done("call_done"),
  ]
  switch (item.type) {
    case "function_call":
      return callFrames("arguments", "function_call_arguments")
    case "custom_tool_call":
      return callFrames("input", "custom_tool_call_input")
    case "local_shell_call":
      return [added("call", {}), done("call_done")]
    case "reasoning":
      return reasoningFrames(item, at, frame, added, done)
    default:
      return messageFrames(item, at, frame, added, done)
  }
}

type Place = { readonly item_id: string; readonly output_index: number }
type Added = (part: FramePart, empty: object) => Frame
type Done = (part: FramePart) => Frame

function reasoningFrames(item: Item, at: Place, frame: WriteFrame, added: Added, done: Done): Frame[] {
  const [summary] = item["summary"] as { text: string }[]
  const place = { ...at, summary_index: 0 }
  return [
    added("reasoning", { summary: [] }),
    frame("reasoning", "response.reasoning_summary_part.added", { ...place, part: { type: "summary_text", text: "" } }),
    ...piecesOf(summary?.text ?? "").map((delta) => frame("reasoning", "response.reasoning_summary_text.delta", { ...place, delta })),
    frame("reasoning", "response.reasoning_summary_part.done", { ...place, part: summary }),
    done("reasoning"),
  ]
}

function messageFrames(item: Item, at: Place, frame: WriteFrame, added: Added, done: Done): Frame[] {
  const [content] = item["content"] as { text: string }[]
  const place = { ...at, content_index: 0 }
  const text = content?.text ?? ""
  return [
    added("text", { content: [] }),
    frame("text", "response.content_part.added", { ...place, part: { ...content, text: "" } }),
    ...piecesOf(text).map((delta) => frame("text", "response.output_text.delta", { ...place, delta, logprobs: [] })),
    frame("text", "response.output_text.done", { ...place, text, logprobs: [] }),
    frame("text", "response.content_part.done", { ...place, part: content }),
    done("text"),
  ]
}

const usageOf = (usage: ModelUsage): object => ({
  input_tokens: usage.input,
  input_tokens_details: { cached_tokens: usage.cached },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: usage.input + usage.output,
})
