// The chat completions API of OpenAI, as a scripted model speaks it.
import type { ApiError, Frame, ModelWriter } from "./frame.ts"
import type { FullAnswer, FullCall, ModelUsage } from "./turn.ts"
import { piecesOf } from "./turn.ts"

export const chatWriter: ModelWriter = {
  body: (answer) => ({
    id: `chatcmpl-${answer.id}`,
    object: "chat.completion",
    created: answer.created,
    model: answer.model,
    choices: [{ index: 0, message: messageOf(answer), finish_reason: answer.finish, logprobs: null }],
    usage: usageOf(answer.usage),
  }),
  frames(answer, request) {
    const chunk = (choices: readonly object[], rest: object = {}): object => ({
      id: `chatcmpl-${answer.id}`,
      object: "chat.completion.chunk",
      created: answer.created,
      model: answer.model,
      choices,
      ...rest,
    })
    const delta = (part: Frame["part"], fields: object): Frame => ({
      part,
      data: chunk([{ index: 0, delta: fields, finish_reason: null }]),
    })
    const wantsUsage = (request.body["stream_options"] as { include_usage?: boolean } | undefined)?.include_usage === true
    return [
      delta("start", { role: "assistant", content: "" }),
      ...piecesOf(answer.reasoning).map((piece) => delta("reasoning", { reasoning_content: piece })),
      ...piecesOf(answer.text).map((piece) => delta("text", { content: piece })),
      ...answer.calls.flatMap((call, index) => callDeltas(call, index).map(({ part, tool }) => delta(part, { tool_calls: [tool] }))),
      { part: "end", data: chunk([{ index: 0, delta: {}, finish_reason: answer.finish }]) },
      ...(wantsUsage ? [{ part: "end", data: chunk([], { usage: usageOf(answer.usage) }) } as const] : []),
      { part: "end", data: "[DONE]" },
    ]
  },
  error: (error) => ({ error: errorOf(error) }),
  errorFrame: (error) => ({ part: "end", data: { error: errorOf(error) } }),
}

const errorOf = ({ status, code, message }: ApiError): object => ({
  message,
  type: status === 429 ? "rate_limit_error" : status < 500 ? "invalid_request_error" : "server_error",
  param: null,
  code,
})

const messageOf = (answer: FullAnswer): object => ({
  role: "assistant",
  content: answer.text === "" ? null : answer.text,
  ...(answer.reasoning === "" ? {} : { reasoning_content: answer.reasoning }),
  ...(answer.calls.length === 0 ? {} : { tool_calls: answer.calls.map(toolCallOf) }),
})

function toolCallOf(call: FullCall): object {
  switch (call.type) {
    case "function":
      return { id: call.id, type: "function", function: { name: call.name, arguments: call.arguments } }
    case "custom":
      return { id: call.id, type: "custom", custom: { name: call.name, input: call.input } }
    case "local_shell":
      throw new Error("Chat completions have no local_shell calls: script them for /v1/responses")
  }
}

/** The name first, then the arguments in pieces; the last piece ends the call. */
function callDeltas(call: FullCall, index: number): { part: Frame["part"]; tool: object }[] {
  if (call.type === "local_shell") throw new Error("Chat completions have no local_shell calls: script them for /v1/responses")
  const kind = call.type
  const field = kind === "function" ? "arguments" : "input"
  const pieces = piecesOf(call.type === "function" ? call.arguments : call.input)
  return [
    { part: "call", tool: { index, id: call.id, type: kind, [kind]: { name: call.name, [field]: "" } } },
    ...pieces.map((piece, at) => ({
      part: at === pieces.length - 1 ? ("call_done" as const) : ("call" as const),
      tool: { index, [kind]: { [field]: piece } },
    })),
  ]
}

const usageOf = (usage: ModelUsage): object => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
  prompt_tokens_details: { cached_tokens: usage.cached },
  completion_tokens_details: { reasoning_tokens: usage.reasoning },
})
