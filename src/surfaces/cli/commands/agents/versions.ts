// `executor agents versions`: lists the versions of an agent.
import type { Command } from "commander"
import type { AgentVersionView } from "../../../../core/agents/agent.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"
import { inCommands } from "../../registry/act.ts"

const columns: readonly Column<AgentVersionView>[] = [
  { title: "VERSION", value: ({ version }) => version, keeps: true },
  { title: "WHEN", value: ({ at }) => shortTime(at) },
  { title: "BY", value: ({ by }) => by },
  { title: "REASON", value: ({ reason }) => reason ?? "" },
  { title: "PUBLISHED", value: ({ isPublished }) => (isPublished ? "yes" : "") },
]

export function configure(command: Command): void {
  command.argument("<agent>", `The slug or id, as shown by ${executorCommand} agents list.`)
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} agents versions support\n`)
  actWithExecutor<[string], PageOptions>(command, async ([ref], options, context) => {
    const empty = `No version yet: ${executorCommand} agents publish writes the first one`
    printPage(await inCommands(() => context.api.agents.versions(ref, pageRequest(options))), columns, empty, context)
  })
}
