// `executor audit list`: lists every call and every administrative change, newest first.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { withoutRoot } from "../../../../core/address.ts"
import type { AuditFilter, AuditView } from "../../../../core/audit/entry.ts"
import { callerName } from "../../../../core/principal.ts"
import { actWithExecutor } from "../../command-action.ts"
import { decisionText } from "../../print/decision-text.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"
import { addAuditFilters, auditFilterOf } from "../../audit-options.ts"

const limitDefault = 50

const columns: readonly Column<AuditView>[] = [
  { title: "AT", value: (line) => shortTime(line.at), keeps: true },
  { title: "WHO", value: (line) => callerName(line.principal) },
  { title: "WHAT", value: (line) => line.action },
  { title: "SUBJECT", value: (line) => withoutRoot(line.subject), keeps: true, breaks: true },
  { title: "DECISION", value: (line) => [decisionText(line.decision), line.rule].filter((one) => one !== null && one !== "").join(" by ") },
  { title: "OUTCOME", value: (line) => line.outcome },
]

export function configure(command: Command): void {
  command.description("List every call and every administrative change, newest first, with the decision and the rule behind it.")
  addAuditFilters(command)
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} audit list --action call --outcome tool_blocked\n`)
  actWithExecutor<[], PageOptions & AuditFilter>(command, async (_args, options, context) => {
    const filter = auditFilterOf(options)
    const page = await context.api.audit.list({ ...filter, limit: limitDefault, ...pageRequest(options) })
    printPage(page, columns, emptyText(filter), context)
  })
}

function emptyText(filter: AuditFilter): string {
  if (Object.keys(filter).length === 0) return "The audit log is empty"
  if (filter.action === undefined) return "No entries match"
  return `No entries match. Actions are 'call' and changes such as policy.create, user.update, token.remove or signin.passkey; ${executorCommand} audit list shows those that occurred`
}
