// `executor tools types`: writes one TypeScript declaration file of all that can be called.
import { executorCommand } from "../../../../io/executor-command.ts"
import { writeFileSync } from "node:fs"
import { Option } from "commander"
import type { Command } from "commander"
import type { ToolTypesOptions } from "../../../../core/executor-api.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { withProgress } from "../../print/progress.ts"
import { safeText } from "../../../../core/text/safe.ts"
import { UsageError } from "../../usage-error.ts"

export function configure(command: Command): void {
  command
    .description("Generate a TypeScript declaration file for the tools you can see, for use in an editor or a type checker.")
    .option("-o, --output <path>", "Write it to this file instead of stdout.")
    .option("-i, --integration <slug>", "Only for this integration.")
    .addOption(
      new Option("--results <form>", "What a call returns: an envelope (default), or the data itself.").choices(["envelope", "raw"]),
    )
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} tools types -o tools.d.ts\n`)
  actWithExecutor<[], ToolTypesOptions & { readonly output?: string }>(
    command,
    async (_args, { output, integration, results }, context) => {
      const types = await withProgress("Writing types", context.screen, () =>
        context.api.tools.types(omitUndefined({ integration, results })),
      )
      if (output === undefined) return context.print({ types }, () => safeText(types).trimEnd())
      write(output, types)
      context.print({ output, chars: types.length }, () => `Wrote ${output}`)
    },
  )
}

function write(output: string, types: string): void {
  try {
    writeFileSync(output, types)
  } catch (error) {
    throw new UsageError(`Could not write the types to '${output}': ${error instanceof Error ? error.message : String(error)}`)
  }
}
