// `executor agents list`: lists agents.
import type { Command } from "commander"
import type { AgentView } from "../../../../core/agents/agent.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<AgentView>[] = [
  { title: "SLUG", value: ({ slug }) => slug, keeps: true },
  { title: "NAME", value: ({ name }) => name },
  { title: "MODEL", value: ({ model }) => `${model.provider}/${model.name}` },
  { title: "STATUS", value: ({ status, hasUnpublishedChanges }) => `${status}${hasUnpublishedChanges ? ", edited" : ""}` },
  { title: "VERSION", value: ({ publishedVersion }) => publishedVersion ?? "" },
  { title: "TOOLS", value: ({ tools }) => tools.join(", ") },
]

export function configure(command: Command): void {
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} agents list\n`)
  actWithExecutor<[], PageOptions>(command, async (_args, options, context) => {
    printPage(
      await context.api.agents.list(pageRequest(options)),
      columns,
      `No agents yet. Make one with ${executorCommand} agents create --help`,
      context,
    )
  })
}
