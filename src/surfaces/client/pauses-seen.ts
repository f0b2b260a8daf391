// The pauses that this client has seen: an answer that names no approval is sent with the ids of the last one.
//
// A request that is sent again because its reply was lost then means the same approvals, whatever was asked since.
import type { ExecutionReply, ResumeRequest } from "../../core/execution.ts"
import { LruMap } from "../../core/lru-map.ts"

export type PausesSeen = {
  /** Takes note of what a reply shows, and passes it on. */
  see<Reply extends ExecutionReply>(reply: Reply): Reply
  /** The answer with ids, where the client has seen what it is about. */
  named(executionId: string, answer: ResumeRequest): ResumeRequest
}

const keptMax = 1000

export function createPausesSeen(): PausesSeen {
  const seen = new LruMap<string, readonly string[]>(keptMax)
  return {
    see(reply) {
      const { structured } = reply
      if (structured.status === "waiting_for_interaction" && structured.interactions.length > 0)
        seen.set(
          reply.executionId,
          structured.interactions.map((one) => one.approvalId),
        )
      return reply
    },
    named(executionId, answer) {
      const approvalIds = seen.get(executionId)
      if (approvalIds === undefined || answer.approvalId !== undefined || answer.approvalIds !== undefined) return answer
      return { ...answer, approvalIds }
    },
  }
}
