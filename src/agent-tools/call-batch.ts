// The calls of one answer of a model: each starts as soon as it has arrived, and all are answered together.
import { FunctionCallError } from "./function-call-error.ts"
import type { ResponseInputItem, ResponseItem } from "./response-item.ts"
import type { ToolRouter } from "./router.ts"
import type { ToolCall } from "./tool.ts"

export type ToolCallBatch = {
  /** Starts the item's call. False if the item is not one. */
  add(item: ResponseItem): boolean
  /** One output for each call, in the order of the calls. Throws what ends the turn, after all calls have ended. */
  outputs(): Promise<readonly ResponseInputItem[]>
}

type Handle = (call: ToolCall, signal: AbortSignal) => Promise<ResponseInputItem>

export function startBatch(router: ToolRouter, handle: Handle, signal: AbortSignal): ToolCallBatch {
  const fatal = new AbortController()
  const batchSignal = AbortSignal.any([signal, fatal.signal])
  const pending: Promise<ResponseInputItem>[] = []

  const start = async (item: ResponseItem, call: ToolCall | FunctionCallError): Promise<ResponseInputItem> => {
    if (call instanceof FunctionCallError) return unreadable(item, call)
    try {
      return await handle(call, batchSignal)
    } catch (error) {
      // The turn ends, so that nobody reads what the other calls would answer.
      fatal.abort()
      throw error
    }
  }

  return {
    add(item) {
      const call = read(router, item)
      if (call === null) return false
      const output = start(item, call)
      // Whoever asks for the outputs gets the error; until then it is nobody's.
      output.catch(() => {})
      pending.push(output)
      return true
    },
    async outputs() {
      await Promise.allSettled(pending)
      return Promise.all(pending)
    },
  }
}

function read(router: ToolRouter, item: ResponseItem): ToolCall | FunctionCallError | null {
  try {
    return router.buildToolCall(item)
  } catch (error) {
    if (error instanceof FunctionCallError && error.kind !== "fatal") return error
    throw error
  }
}

/** A call without an id gets its answer as well: it tells the model what was wrong. */
function unreadable(item: ResponseItem, error: FunctionCallError): ResponseInputItem {
  const callId = "call_id" in item && typeof item.call_id === "string" ? item.call_id : ""
  if (item.type === "custom_tool_call") return { type: "custom_tool_call_output", call_id: callId, output: error.message }
  return { type: "function_call_output", call_id: callId, output: { content: error.message, success: false } }
}
