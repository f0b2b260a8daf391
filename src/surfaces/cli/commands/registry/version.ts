// `executor registry version`: writes a snapshot of a tool's working copy under a number of one's own choice.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actOnTool, toolArgument } from "../../registry/act.ts"
import { standText } from "../../registry/text.ts"

export function configure(command: Command): void {
  toolArgument(command)
    .description("Keep the working copy as a version with a number of your choice. What production runs does not change.")
    .argument("<version>", "Three numbers, greater than the current version, e.g. 1.1.0.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} registry version show_order 1.1.0\n`)
  actOnTool<[string], object>(command, async (before, [version], _options, context) => {
    const tool = await context.api.registry.version(before.id, version)
    context.print(tool, () => `Kept version ${safeLine(tool.version)} of ${safeLine(tool.slug)}; ${standText(tool)}`)
  })
}
