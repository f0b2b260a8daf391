// `executor approvals list`: lists what waits for a human, oldest first.
import type { Command } from "commander"
import { withoutRoot } from "../../../core/address.ts"
import type { ApprovalView } from "../../../core/execution.ts"
import { actWithExecutor } from "../command-action.ts"
import { addPageOptions, pageRequest } from "../page-options.ts"
import type { PageOptions } from "../page-options.ts"
import { printPage, shortTime } from "../page-print.ts"
import type { Column } from "../table.ts"

const columns: readonly Column<ApprovalView>[] = [
  { title: "ID", value: (one) => one.approvalId, keeps: true, breaks: true },
  { title: "TOOL", value: (one) => withoutRoot(one.address), keeps: true },
  { title: "ARGUMENTS", value: (one) => JSON.stringify(one.args) },
  { title: "WHO", value: (one) => `${one.principal.user} (${one.principal.kind})` },
  { title: "EXPIRES", value: (one) => shortTime(one.expiresAt), breaks: true },
]

export function configure(command: Command): void {
  addPageOptions(command, "\nExample:\n  $ npx executor approvals list\n")
  actWithExecutor<[], PageOptions>(command, async (_args, options, desk) => {
    printPage(await desk.api.approvals.list(pageRequest(options)), columns, "Nothing waits for a human", desk)
  })
}
