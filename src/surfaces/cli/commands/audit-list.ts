// `executor audit list`: lists every call and every administrative change, newest first.
import type { Command } from "commander"
import { withoutRoot } from "../../../core/address.ts"
import type { AuditView } from "../../../core/audit.ts"
import { actWithExecutor } from "../command-action.ts"
import { addPageOptions, pageRequest } from "../page-options.ts"
import type { PageOptions } from "../page-options.ts"
import { printPage, shortTime } from "../page-print.ts"
import type { Column } from "../table.ts"

const limitDefault = 50

const columns: readonly Column<AuditView>[] = [
  { title: "AT", value: (line) => shortTime(line.at), keeps: true },
  { title: "WHO", value: (line) => `${line.principal.user} (${line.principal.kind})` },
  { title: "WHAT", value: (line) => line.action },
  { title: "SUBJECT", value: (line) => withoutRoot(line.subject) },
  { title: "DECISION", value: (line) => [line.decision, line.rule].filter((one) => one !== null).join(" by ") },
  { title: "OUTCOME", value: (line) => line.outcome },
]

export function configure(command: Command): void {
  command.description("List every call and every administrative change, newest first, with the decision and the rule behind it.")
  addPageOptions(command, "\nExample:\n  $ npx executor audit list --limit 20\n")
  actWithExecutor<[], PageOptions>(command, async (_args, options, desk) => {
    printPage(await desk.api.audit.list({ limit: limitDefault, ...pageRequest(options) }), columns, "Nothing happened yet", desk)
  })
}
