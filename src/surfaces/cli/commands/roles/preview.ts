// `executor roles preview`: shows which tools the patterns of a role would match.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"

export function configure(command: Command): void {
  command
    .description("Show how many and which tools patterns match now. Nothing is changed.")
    .argument("<patterns...>", "Patterns, e.g. 'github.**'.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} roles preview 'github.**'\n`)
  actWithExecutor<[string[]], object>(command, async ([patterns], _options, context) => {
    const preview = await context.api.roles.preview(patterns)
    context.print(preview, () => preview.tools.map(safeLine).join("\n"))
    if (!context.printsJson)
      context.screen.note(`${preview.count} tools${preview.isComplete ? "" : `, of which ${preview.tools.length} are shown`}`)
  })
}
