// Answers one request, and prints what its execution comes to.
import type { ApprovalAnswer } from "../../core/execution.ts"
import { findApproval } from "./approval-find.ts"
import { isCallCode } from "../client/call-code.ts"
import type { ExecutorDesk } from "./command-action.ts"
import type { ExitCode } from "./exit-code.ts"
import { askForm } from "./form-ask.ts"
import { readJson } from "./input-read.ts"
import { withProgress } from "./progress.ts"
import { printReply } from "./reply-print.ts"

export async function answerApproval(
  id: string,
  answer: ApprovalAnswer,
  content: string | undefined,
  desk: ExecutorDesk,
): Promise<ExitCode> {
  const { api, screen } = desk
  const approval = await findApproval(id, api)
  const code = approval.executionId === null ? "" : (await api.executions.get(approval.executionId)).code
  const given = content === undefined ? undefined : await readJson(content, "--content")
  const asked = given === undefined && answer.action === "accept" ? await askForm([approval], screen) : given
  const reply = await withProgress("Running on", screen, () =>
    api.approvals.answer(id, { ...answer, ...(asked === undefined ? {} : { content: asked }) }),
  )
  return printReply(reply, { of: isCallCode(code) ? "call" : "code", answered: answer.action }, desk)
}
