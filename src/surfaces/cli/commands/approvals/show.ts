// `executor approvals show`: shows one request, whole, with the code behind it.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { ExecutorError } from "../../../../core/errors.ts"
import type { ExecutorApi } from "../../../../core/executor-api.ts"
import type { ApprovalView } from "../../../../core/execution.ts"
import { findApproval } from "../../approvals/find.ts"
import { actWithExecutor } from "../../command-action.ts"
import type { Colors } from "../../print/colors.ts"
import { contentExample } from "../../prompt/form-fields.ts"
import { shortTime } from "../../print/page.ts"
import { interactionText } from "../../print/reply.ts"
import { safeText } from "../../../../core/text/safe.ts"

export function configure(command: Command): void {
  command
    .argument(
      "<id>",
      `The id, as shown by ${executorCommand} approvals list, or the id of an execution with one open approval. A unique prefix is enough.`,
    )
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} approvals show apr_123\n`)
  actWithExecutor<[string], object>(command, async ([id], _options, context) => {
    const approval = await findApproval(id, context.api)
    const code = approval.code ?? (approval.executionId === null ? null : await ownCode(approval.executionId, context.api))
    context.print(approval, () => showText(approval, code, context.screen.out))
  })
}

function showText(approval: ApprovalView, code: string | null, { bold }: Colors): string {
  return [
    `${bold(approval.approvalId)}  ${approval.kind}, ${approval.effect}, created ${shortTime(approval.createdAt)}`,
    interactionText(approval),
    ...(code === null ? [] : ["", bold(`Code of ${approval.executionId}`), safeText(code.trimEnd())]),
    "",
    ...(approval.mayAnswer
      ? answerLines(approval)
      : [safeText(`You may not answer this: it needs ${approval.answerers ?? "somebody else"}`)]),
  ].join("\n")
}

const answerLines = (approval: ApprovalView): string[] => [
  `  ${executorCommand} approvals approve ${approval.approvalId} ${contentExample([approval])}`.trimEnd(),
  `  ${executorCommand} approvals decline ${approval.approvalId}`,
]

/** Of an execution that is theirs to read. */
const ownCode = async (id: string, api: ExecutorApi): Promise<string | null> => {
  try {
    return (await api.executions.get(id)).code
  } catch (error) {
    if (error instanceof ExecutorError && error.code === "not_found") return null
    throw error
  }
}
