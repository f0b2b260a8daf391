// Reads a streamed chat completion, so that calls can start before the answer has ended.
//
// A call is complete when the next one begins, or the answer ends. Servers differ: some send no index, some the same index for
// all calls, some repeat ids and names in every piece. What looks complete but is not JSON waits for the end of the answer.
import { isRecord } from "../../core/json/record.ts"
import type { ResponseItem } from "../response-item.ts"
import type { ToolSpec } from "../tool.ts"
import { createCallIds } from "./call-ids.ts"
import { type ReadChatAnswer, chatMessage } from "./chat-completions.ts"
import { parsed, toCallItem } from "./freeform.ts"

export type ChatStreamReader = {
  /** Takes one chunk, and gives the calls that are complete by now. */
  push(chunk: unknown): readonly ResponseItem[]
  /** Gives the calls that were not complete before, and the whole message. */
  end(): ReadChatAnswer
}

type Draft = { readonly index: unknown; readonly id: unknown; name: string; text: string }

export function createChatStreamReader(specs: readonly ToolSpec[]): ChatStreamReader {
  const drafts: Draft[] = []
  const callIdOf = createCallIds()
  const calls: { readonly name: string; readonly callId: string; readonly text: string }[] = []
  let content = ""

  /** In order: a call waits for those before it. */
  function complete(count: number, isComplete: (draft: Draft) => boolean): readonly ResponseItem[] {
    const items: ResponseItem[] = []
    for (const draft of drafts.slice(calls.length, count)) {
      if (!isComplete(draft)) break
      const call = { name: draft.name, callId: callIdOf(draft.id), text: draft.text }
      calls.push(call)
      items.push(toCallItem(call, specs))
    }
    return items
  }

  return {
    push(chunk) {
      const delta = deltaOf(chunk)
      if (typeof delta["content"] === "string") content += delta["content"]
      const pieces = Array.isArray(delta["tool_calls"]) ? delta["tool_calls"].filter(isRecord) : []
      for (const piece of pieces) addPiece(drafts, piece)
      return complete(drafts.length - 1, ({ text }) => isRecord(parsed(text)))
    },
    end() {
      const items = complete(drafts.length, () => true)
      return { message: chatMessage(content === "" ? null : content, calls), items }
    },
  }
}

function deltaOf(chunk: unknown): Record<string, unknown> {
  const choices = isRecord(chunk) ? chunk["choices"] : null
  const choice: unknown = Array.isArray(choices) ? choices[0] : null
  return isRecord(choice) && isRecord(choice["delta"]) ? choice["delta"] : {}
}

function addPiece(drafts: Draft[], piece: Record<string, unknown>): void {
  const callee = [piece["function"], piece["custom"]].find(isRecord) ?? {}
  const { name, arguments: text = callee["input"] } = callee
  const draft = draftOf(drafts, piece)
  if (draft.name === "" && typeof name === "string") draft.name = name
  if (typeof text === "string") draft.text += text
}

function draftOf(drafts: Draft[], { index, id }: Record<string, unknown>): Draft {
  const hasId = typeof id === "string" && id !== ""
  const known = index === undefined ? drafts.at(-1) : drafts.findLast((draft) => draft.index === index)
  if (known !== undefined && (!hasId || known.id === id)) return known
  const draft: Draft = { index, id, name: "", text: "" }
  drafts.push(draft)
  return draft
}
