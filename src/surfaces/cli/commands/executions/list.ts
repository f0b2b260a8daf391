// `executor executions list`: lists executions, newest first.
import { executorCommand } from "../../../../io/executor-command.ts"
import { Option } from "commander"
import type { Command } from "commander"
import { executionStatuses } from "../../../../core/execution.ts"
import type { ExecutionStatus, ExecutionSummary } from "../../../../core/execution.ts"
import { callerName } from "../../../../core/principal.ts"
import { actWithExecutor } from "../../command-action.ts"
import type { ExecutorCommandContext } from "../../command-action.ts"
import { resolveId } from "../../id-resolve.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

type ListOptions = PageOptions & { readonly status?: ExecutionStatus; readonly principal?: string; readonly parent?: string }

const limitDefault = 20

type Listed = ExecutionSummary & { readonly errorCode: string | null }

const columns: readonly Column<Listed>[] = [
  { title: "ID", value: (one) => one.executionId, keeps: true, breaks: true },
  { title: "STATUS", value: (one) => (one.errorCode === null ? one.status : `call failed: ${one.errorCode}`) },
  { title: "STARTED", value: (one) => shortTime(one.createdAt) },
  { title: "WHO", value: (one) => callerName(one.principal) },
  { title: "CODE", value: (one) => one.code },
]

export function configure(command: Command): void {
  command
    .addOption(new Option("--status <status>", "Only these.").choices(executionStatuses))
    .option("--principal <user>", "Only for this user, or for the token with this id.")
    .option("--parent <id>", "Only the runs of agents that this execution has called; 'any': these as well.")
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} executions list --status paused\n`)
  actWithExecutor<[], ListOptions>(command, async (_args, options, context) => {
    const { status, principal, parent } = options
    const parentId = parent === undefined || parent === "any" ? parent : await resolveId(parent, ["exe"], context.api)
    const page = await context.api.executions.list({
      ...omitUndefined({ status, principal, parentId }),
      limit: limitDefault,
      ...pageRequest(options),
    })
    if (context.printsJson) return printPage<ExecutionSummary>(page, [], "", context)
    const items = await Promise.all(page.items.map(async (one) => ({ ...one, errorCode: await errorCodeOf(one, context) })))
    printPage({ ...page, items }, columns, "No executions found", context)
  })
}

/** Code that returns the envelope of its only call has completed, whatever the call came to. */
async function errorCodeOf({ executionId, status, code }: ExecutionSummary, { api }: ExecutorCommandContext): Promise<string | null> {
  if (status !== "completed" || !code.startsWith("return await tools")) return null
  const { text } = await api.executions.result(executionId, { length: envelopeCharsMax }).catch(() => ({ text: "" }))
  return /^\{\s*"ok":\s*false,\s*"error":\s*\{\s*"code":\s*"(\w+)"/.exec(text)?.[1] ?? null
}

/** As much as the beginning of a failed call's envelope takes. */
const envelopeCharsMax = 200
