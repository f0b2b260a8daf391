// `executor executions list`: lists executions, newest first.
import { executorCommand } from "../../../../io/executor-command.ts"
import { Option } from "commander"
import type { Command } from "commander"
import { executionStatuses } from "../../../../core/execution.ts"
import type { ExecutionStatus, ExecutionSummary } from "../../../../core/execution.ts"
import { callerName } from "../../../../core/principal.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

type ListOptions = PageOptions & { readonly status?: ExecutionStatus; readonly principal?: string }

const limitDefault = 20

const columns: readonly Column<ExecutionSummary>[] = [
  { title: "ID", value: (one) => one.executionId, keeps: true, breaks: true },
  { title: "STATUS", value: (one) => one.status },
  { title: "STARTED", value: (one) => shortTime(one.createdAt) },
  { title: "WHO", value: (one) => callerName(one.principal) },
  { title: "CODE", value: (one) => one.code },
]

export function configure(command: Command): void {
  command
    .addOption(new Option("--status <status>", "Only these.").choices(executionStatuses))
    .option("--principal <user>", "Only for this user, or for the token with this id.")
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} executions list --status paused\n`)
  actWithExecutor<[], ListOptions>(command, async (_args, options, context) => {
    const { status, principal } = options
    const page = await context.api.executions.list({
      ...omitUndefined({ status, principal }),
      limit: limitDefault,
      ...pageRequest(options),
    })
    printPage(page, columns, "No executions found", context)
  })
}
