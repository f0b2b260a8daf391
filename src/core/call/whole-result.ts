// The whole result of an execution, also where a reply carries only its beginning.
import type { ExecutionReply } from "../execution.ts"
import type { ExecutorApi } from "../executor-api.ts"

type ResultReader = { readonly executions: Pick<ExecutorApi["executions"], "result"> }

export async function readWholeResult(reply: ExecutionReply, api: ResultReader): Promise<unknown> {
  const { structured, executionId } = reply
  if (structured.status === "waiting_for_interaction") return null
  if (!isBeginning(structured.result, executionId)) return structured.result
  let text = ""
  for (let offset: number | null = 0; offset !== null;) {
    const piece = await api.executions.result(executionId, { offset })
    text += piece.text
    offset = piece.nextOffset
  }
  return JSON.parse(text) as unknown
}

/** A result that only looks like one is read once more, and is the same. */
function isBeginning(result: unknown, executionId: string): boolean {
  if (typeof result !== "object" || result === null) return false
  const { truncated, readMore } = result as { truncated?: unknown; readMore?: unknown } // read as unknown here
  return truncated === true && typeof readMore === "string" && readMore.includes(executionId)
}
