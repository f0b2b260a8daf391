// `executor approvals list`: lists what waits for a human, oldest first.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { withoutRoot } from "../../../../core/address.ts"
import type { ApprovalView } from "../../../../core/execution.ts"
import type { ApprovalListFilter } from "../../../../core/executor-api.ts"
import { callerName } from "../../../../core/principal.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

/** With whose agent it is, where it is not the reader's own. */
function whoOf({ principal, isOwn }: ApprovalView): string {
  const name = callerName(principal)
  return isOwn || name === principal.user ? name : `${name} (${principal.user})`
}

const columns: readonly Column<ApprovalView>[] = [
  { title: "ID", value: (one) => one.approvalId, keeps: true, breaks: true },
  { title: "TOOL", value: (one) => withoutRoot(one.address), keeps: true },
  { title: "ARGUMENTS", value: (one) => JSON.stringify(one.args), widthMax: 100 },
  { title: "WHO", value: whoOf },
  { title: "EXPIRES", value: (one) => shortTime(one.expiresAt), breaks: true },
]

export function configure(command: Command): void {
  command.option("--execution-id <id>", "Only approvals for this execution.")
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} approvals list\n`)
  actWithExecutor<[], PageOptions & ApprovalListFilter>(command, async (_args, options, context) => {
    const page = await context.api.approvals.list({ ...omitUndefined({ executionId: options.executionId }), ...pageRequest(options) })
    printPage(page, columns, "No approvals are waiting", context)
  })
}
