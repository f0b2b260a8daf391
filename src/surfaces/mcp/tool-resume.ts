// `resume`: goes on with an execution that waits for its human.
import type { CallToolResult } from "@modelcontextprotocol/server"
import { ExecutorError } from "../../core/errors.ts"
import type { ExecutionReply, ResumeRequest } from "../../core/execution.ts"
import { readArguments, resumeInput } from "./call-input.ts"
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

/** Saying no is always possible. Saying yes is the human's: in their browser, or relayed where they allowed that. */
function answerAs(executionId: string, answer: ResumeRequest, call: HostCall, parts: HostCallParts): Promise<ExecutionReply> {
  const { options, principal } = call.asker
  const { signal } = call.ctx.mcpReq
  if (answer.action !== "accept") return parts.api(principal).resume(executionId, { ...answer, signal })
  switch (options.mode) {
    case "browser":
      return parts.desk.waitForAnswer(principal, executionId, { ms: parts.limits.mcpAnswerWaitMs, signal })
    case "model":
      return parts.desk.relay(principal, executionId, { mode: "model", answers: [answer], signal })
    case "native":
      throw new ExecutorError("forbidden", "In this mode the client itself asks the user; there is nothing to resume")
  }
}
