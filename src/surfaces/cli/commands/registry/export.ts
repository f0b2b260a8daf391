// `executor registry export`: writes all tools of the registry to a file or to stdout.
import { writeFileSync } from "node:fs"
import type { Command } from "commander"
import { safeJson } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { counted } from "../../print/count.ts"
import { writeTrouble } from "../../prompt/input-read.ts"
import { inCommands } from "../../registry/act.ts"
import { UsageError } from "../../usage-error.ts"

export function configure(command: Command): void {
  command
    .description("Export all tools and artifacts as JSON: what production runs, and drafts. Secrets are left out.")
    .option("-o, --output <path>", "Write to this file instead of stdout.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} registry export -o registry.json\n`)
  actWithExecutor<[], { readonly output?: string }>(command, async (_args, { output }, context) => {
    const exported = await inCommands(() => context.api.registry.export())
    if (output === undefined) return context.screen.data(safeJson(exported, 2))
    try {
      writeFileSync(output, `${safeJson(exported, 2)}\n`)
    } catch (error) {
      throw new UsageError(`Could not write the tools to '${output}': ${writeTrouble(error)}`)
    }
    const { tools, artifacts } = exported
    const written = `${counted(tools.length, "tool")}${artifacts.length === 0 ? "" : ` and ${counted(artifacts.length, "artifact")}`}`
    context.print({ output, tools: tools.length, artifacts: artifacts.length }, () => `Wrote ${written} to ${output}`)
  })
}
