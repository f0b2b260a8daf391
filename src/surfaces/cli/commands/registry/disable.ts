// `executor registry disable`: takes a tool out of production.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actOnTool, toolArgument } from "../../registry/act.ts"

export function configure(command: Command): void {
  toolArgument(command)
    .description("Take a tool out of production: nobody finds or calls it. Its versions are kept.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} registry disable show_order\n`)
  actOnTool<[], object>(command, async (before, _rest, _options, context) => {
    const tool = await context.api.registry.update(before.id, { status: "disabled" })
    context.print(tool, () => `Disabled ${safeLine(tool.slug)}`)
    if (!context.printsJson) context.screen.note(`To bring it back as a draft: ${executorCommand} registry enable ${safeLine(tool.slug)}`)
  })
}
