// `resume`: goes on with an execution that waits for its human, or still runs.
import type { CallToolResult } from "@modelcontextprotocol/server"
import { ExecutorError } from "../../core/errors.ts"
import type { ExecutionReply, ResumeRequest } from "../../core/execution.ts"
import { readArguments, resumeInput } from "./call-input.ts"
import { replySoon } from "./reply-soon.ts"
import { toResult } from "./result-content.ts"
import type { HostCall, HostCallParts } from "./tool-execute.ts"
import { withNextStep } from "./waiting-text.ts"

export async function callResume(given: unknown, call: HostCall, parts: HostCallParts): Promise<CallToolResult> {
  const { executionId, ...answer } = readArguments(resumeInput, given)
  const { options, principal } = call.asker
  const reply = await answerAs(executionId, answer, call, parts)
  if (reply.status === "paused" && options.mode === "browser") parts.showApproval(principal, executionId)
  return toResult(withNextStep(reply, options.mode), parts.limits)
}

/** What runs is waited for, or stopped. What waits is answered: no is always possible, yes is the human's, in their browser or relayed. */
async function answerAs(executionId: string, answer: ResumeRequest, call: HostCall, parts: HostCallParts): Promise<ExecutionReply> {
  const { options, principal } = call.asker
  const { signal } = call.ctx.mcpReq
  const { mcpAnswerWaitMs, mcpRunWaitMs } = parts.limits
  const soon = (work: (signal: AbortSignal) => Promise<ExecutionReply>): Promise<ExecutionReply> =>
    replySoon(
      (left) => work(AbortSignal.any([left, signal])),
      () => executionId,
      mcpRunWaitMs,
    )
  if ((await parts.desk.statusOf(principal, executionId)) === "running")
    return answer.action === "cancel"
      ? soon(() => parts.api(principal).executions.cancel(executionId))
      : parts.desk.waitForAnswer(principal, executionId, { ms: mcpRunWaitMs, signal })
  if (answer.action !== "accept") return soon((left) => parts.api(principal).resume(executionId, { ...answer, signal: left }))
  switch (options.mode) {
    case "browser":
      return parts.desk.waitForAnswer(principal, executionId, { ms: mcpAnswerWaitMs, signal })
    case "model":
      return soon((left) => parts.desk.relay(principal, executionId, { mode: "model", answers: [answer], signal: left }))
    case "native":
      throw new ExecutorError("forbidden", "In this mode the client asks the user directly, so there is nothing to resume")
  }
}
