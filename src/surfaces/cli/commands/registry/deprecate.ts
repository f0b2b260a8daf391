// `executor registry deprecate`: says of a tool that it should no longer be used.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actOnTool, toolArgument } from "../../registry/act.ts"
import { findRegistryTool } from "../../registry/find.ts"
import { registryPath } from "../../registry/text.ts"

type DeprecateOptions = { readonly replacedBy?: string }

export function configure(command: Command): void {
  toolArgument(command)
    .description("Mark a tool as deprecated: it still runs, is found below others, and its answers name what to use instead.")
    .option("--replaced-by <tool>", "The tool to use instead.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} registry deprecate show_order --replaced-by find_order\n`)
  actOnTool<[], DeprecateOptions>(command, async (before, _rest, options, context) => {
    const replacedBy = options.replacedBy === undefined ? undefined : (await findRegistryTool(options.replacedBy, context.api)).slug
    const tool = await context.api.registry.update(before.id, { status: "deprecated", ...(replacedBy === undefined ? {} : { replacedBy }) })
    const instead = tool.replacedBy === null ? "" : `; its answers name ${registryPath(tool.replacedBy)} instead`
    context.print(tool, () => `Deprecated ${safeLine(tool.slug)}: it still runs${instead}`)
  })
}
