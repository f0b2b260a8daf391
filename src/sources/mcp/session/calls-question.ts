// Answers a question that a server asks during a call: by the human of that call, or not at all.
import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client"
import type { Calls } from "./calls.ts"

/** Several calls ask at once over one pipe, and nobody can say which question is whose. */
export class QuestionsMixed extends Error {
  override readonly name = "QuestionsMixed"
}

export type QuestionEvents = { onToolsAsk(tools: readonly string[]): void }

const cancel: ElicitResult = { action: "cancel" }

export async function answerQuestion(params: ElicitRequestParams, calls: Calls, events: QuestionEvents): Promise<ElicitResult> {
  const asker = await calls.asker()
  switch (asker.kind) {
    case "nobody":
      return cancel
    case "several":
      events.onToolsAsk(asker.calls.map((call) => call.tool))
      for (const call of asker.calls) call.abort(new QuestionsMixed("The server asked for input in several calls at once"))
      return cancel
    case "call":
      return asker.call.elicit(params)
  }
}
