// Answers one question, says what was answered, and prints what its execution comes to.
import { executorCommand } from "../../../io/executor-command.ts"
import { withoutRoot } from "../../../core/address.ts"
import type { AnswerAction, ApprovalAnswer, ApprovalView, ExecutionReply } from "../../../core/execution.ts"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import { findApproval } from "./find.ts"
import { isCallCode } from "../../../core/call/code.ts"
import type { ExecutorCommandContext } from "../command-action.ts"
import { exitCodes } from "../exit-code.ts"
import type { ExitCode } from "../exit-code.ts"
import { askForm } from "../prompt/form-ask.ts"
import { readJson } from "../prompt/input-read.ts"
import { withProgress } from "../print/progress.ts"
import { printReply } from "../print/reply.ts"
import { counted } from "../print/count.ts"
import { safeJson, safeLine } from "../../../core/text/safe.ts"

const answered: Record<AnswerAction, string> = { accept: "Approved", decline: "Declined", cancel: "Cancelled" }

export async function answerApproval(
  word: string,
  answer: ApprovalAnswer,
  content: string | undefined,
  context: ExecutorCommandContext,
): Promise<ExitCode> {
  const { api, screen } = context
  const approval = await findApproval(word, api)
  const given = content === undefined ? undefined : await readJson(content, "--content")
  const asked = given === undefined && answer.action === "accept" ? await askForm([approval], screen) : given
  const reply = await withProgress("Resuming the execution", screen, () =>
    api.approvals.answer(approval.approvalId, { ...answer, ...(asked === undefined ? {} : { content: asked }) }),
  )
  screen.note(answeredText(approval, answer.action))
  for (const { id, message } of reply.remembered ?? []) screen.note(`Made rule ${safeLine(id)}. ${safeLine(message)}`)
  // Of somebody else's execution there is nothing more to read.
  if (!approval.isOwn && reply.executionId === "" && !context.printsJson) {
    screen.note(safeLine(reply.text))
    return exitCodes.done
  }
  return printOutcome(reply, answer.action, context)
}

export const answeredText = ({ address, args }: Pick<ApprovalView, "address" | "args">, action: AnswerAction): string =>
  `${answered[action]} ${withoutRoot(safeLine(address))} ${safeJson(args)}`

/** Who answers one of many has seen the others, or lists them. */
async function printOutcome(reply: ExecutionReply, action: AnswerAction, context: ExecutorCommandContext): Promise<ExitCode> {
  const { structured, executionId } = reply
  if (structured.status !== "waiting_for_interaction" || context.printsJson)
    return printReply(reply, { of: await formOf(reply, context.api), answered: action }, context)
  const count = structured.interactions.length
  context.screen.note(
    `${counted(count, "more approval")} ${count === 1 ? "is" : "are"} open: ${executorCommand} approvals list --execution-id ${safeLine(executionId)}`,
  )
  return exitCodes.paused
}

/** Whether one tool's answer is printed, or what code returned. What waits is not looked at: it would count as shown. */
export async function formOf({ executionId, status }: ExecutionReply, api: ExecutorApi): Promise<"call" | "code"> {
  const isOver = executionId !== "" && status !== "paused" && status !== "running"
  return isOver && isCallCode((await api.executions.get(executionId)).code) ? "call" : "code"
}
