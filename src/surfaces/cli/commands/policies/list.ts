// `executor policies list`: lists rules in the order in which they are asked.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { PolicyView } from "../../../../core/policy.ts"
import { actWithExecutor } from "../../command-action.ts"
import { limitsText } from "../../policy-condition.ts"
import { printPage } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<PolicyView>[] = [
  { title: "ID", value: (rule) => rule.id, keeps: true, breaks: true },
  { title: "OWNER", value: (rule) => rule.owner },
  { title: "PATTERN", value: (rule) => rule.pattern, keeps: true },
  { title: "ACTION", value: (rule) => rule.action },
  { title: "LIMITS", value: (rule) => limitsText(rule).trim() },
]

export function configure(command: Command): void {
  command
    .description("List rules in order of evaluation. Among each owner's rules, the first match applies.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} policies list\n`)
  actWithExecutor<[], object>(command, async (_args, _options, context) => {
    const items = await context.api.policies.list()
    printPage({ items, nextCursor: null }, columns, "There are no rules: reads are allowed, all other calls need approval", context)
  })
}
