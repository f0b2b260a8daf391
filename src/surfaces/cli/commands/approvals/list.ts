// `executor approvals list`: lists what the reader may answer, then what they ask and others must answer, oldest first.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { withoutRoot } from "../../../../core/address.ts"
import type { ApprovalView } from "../../../../core/execution.ts"
import { callerName } from "../../../../core/principal.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import { formatTable } from "../../print/table.ts"
import type { Column } from "../../print/table.ts"
import { isAgentToken } from "../../server/open-executor.ts"

/** With whose agent it is, where it is not the reader's own. */
function whoOf({ principal, isOwn }: ApprovalView): string {
  const name = callerName(principal)
  return isOwn || name === principal.user ? name : `${name} (${principal.user})`
}

const columnsWith = (who: Column<ApprovalView>): readonly Column<ApprovalView>[] => [
  { title: "ID", value: (one) => one.approvalId, keeps: true, breaks: true },
  { title: "TOOL", value: (one) => withoutRoot(one.address), keeps: true },
  { title: "ARGUMENTS", value: (one) => JSON.stringify(one.args), widthMax: 100 },
  who,
  { title: "EXPIRES", value: (one) => shortTime(one.expiresAt), breaks: true },
]
const columns = columnsWith({ title: "WHO", value: whoOf })
const columnsOfOthers = columnsWith({ title: "NEEDS", value: (one) => one.answerers ?? "" })

export function configure(command: Command): void {
  command.option("--execution-id <id>", "Only approvals for this execution.")
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} approvals list\n`)
  actWithExecutor<[], PageOptions & { readonly executionId?: string }>(command, async (_args, options, context) => {
    const { api, screen } = context
    const request = { ...omitUndefined({ executionId: options.executionId }), ...pageRequest(options) }
    const page = await api.approvals.list(request)
    // The list of an agent has all that it asks; whoever reads on has seen the beginning.
    if (isAgentToken(process.env["EXECUTOR_TOKEN"]) || request.cursor !== undefined) return printPage(page, columns, nothing, context)
    const waitingForOthers = await api.approvals.list({ ...request, waitingFor: "others" })
    if (context.printsJson) return context.print({ ...page, waitingForOthers }, () => "")
    printPage(page, columns, nothing, context)
    if (waitingForOthers.items.length === 0) return
    const others = formatTable(columnsOfOthers, waitingForOthers.items, { columns: screen.columns, heading: screen.out.bold })
    screen.data(`${page.items.length === 0 ? "" : "\n"}${screen.out.bold("Asked by you or your agents, for others to answer:")}\n${others}`)
    if (waitingForOthers.nextCursor !== null) screen.note(screen.err.dim(`More: ${executorCommand} executions list --status paused`))
  })
}

const nothing = "No approvals are waiting for you"
