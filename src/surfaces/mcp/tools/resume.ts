// `resume`: goes on with an execution that waits for its human, or still runs.
import type { CallToolResult } from "@modelcontextprotocol/server"
import { ExecutorError } from "../../../core/errors.ts"
import type { ExecutionReply, ExecutionStatus, ResumeRequest } from "../../../core/execution.ts"
import { readArguments, resumeInput } from "./input.ts"
import { replySoon } from "./reply-soon.ts"
import { toResult } from "./result-content.ts"
import { askedBy, shownIn } from "./execute.ts"
import type { HostCall, HostCallParts } from "./execute.ts"
import { withNextStep, withReminder } from "../../../core/text/next-step.ts"

export async function callResume(given: unknown, call: HostCall, parts: HostCallParts): Promise<CallToolResult> {
  const { executionId, ...answer } = readArguments(resumeInput, given)
  const { options, principal } = call.asker
  const reply = await answerAs(executionId, answer, call, parts)
  if (reply.status === "paused" && options.mode === "browser") parts.showApproval(principal, executionId)
  return toResult(reply, parts.limits)
}

async function statusOf(executionId: string, { asker }: HostCall, parts: HostCallParts): Promise<ExecutionStatus> {
  try {
    return await parts.hostApi.statusOf(asker.principal, executionId)
  } catch (error) {
    if (!(error instanceof ExecutorError) || error.code !== "not_found") throw error
    const next = "Take the executionId from the reply of `execute`; if it is lost, check what was done before you execute the code again."
    throw new ExecutorError(error.code, `${error.message}. ${next}`)
  }
}

/** What runs is waited for, or stopped. What waits is answered: no is always possible, yes is the human's, in their browser or relayed. */
async function answerAs(executionId: string, answer: ResumeRequest, call: HostCall, parts: HostCallParts): Promise<ExecutionReply> {
  const { options, principal } = call.asker
  const { signal } = call.ctx.mcpReq
  const { mcpAnswerWaitMs, mcpRunWaitMs } = parts.limits
  const questions = shownIn(options.mode)
  const soon = async (work: (signal: AbortSignal) => Promise<ExecutionReply>): Promise<ExecutionReply> => {
    const reply = await replySoon(
      (left) => work(AbortSignal.any([left, signal])),
      () => parts.hostApi.progressOf(principal, executionId),
      mcpRunWaitMs,
    )
    return withNextStep(reply, askedBy(options.mode))
  }
  const wait = async (ms: number): Promise<ExecutionReply> => {
    const { reply, isUnanswered } = await parts.hostApi.waitForAnswer(principal, executionId, { ms, signal, questions })
    return isUnanswered ? withReminder(reply, askedBy(options.mode)) : withNextStep(reply, askedBy(options.mode))
  }
  if ((await statusOf(executionId, call, parts)) === "running")
    return answer.action === "cancel" ? soon(() => parts.api(principal).executions.cancel(executionId)) : wait(mcpRunWaitMs)
  if (answer.action !== "accept") return soon((left) => parts.api(principal).resume(executionId, { ...answer, signal: left, questions }))
  switch (options.mode) {
    case "browser":
      return wait(mcpAnswerWaitMs)
    case "model":
      return soon((left) => parts.hostApi.relay(principal, executionId, { mode: "model", answers: [answer], signal: left, questions }))
    case "native":
      throw new ExecutorError("forbidden", "In this mode the client asks the user directly, so there is nothing to resume")
  }
}
