// `executor integrations list`: lists the integrations of the catalog.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { IntegrationView } from "../../../../core/integration.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<IntegrationView>[] = [
  { title: "SLUG", value: (one) => one.slug, keeps: true },
  { title: "KIND", value: (one) => one.kind },
  { title: "TOOLS", value: (one) => String(one.facts.toolCount) },
  { title: "NAME", value: (one) => one.name },
  { title: "ORIGINS", value: (one) => one.facts.origins.join(", ") },
]

export function configure(command: Command): void {
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} integrations list\n`)
  actWithExecutor<[], PageOptions>(command, async (_args, options, context) => {
    const page = await context.api.integrations.list(pageRequest(options))
    printPage(page, columns, `No integrations yet. Add one with ${executorCommand} integrations add <url-or-file>`, context)
  })
}
