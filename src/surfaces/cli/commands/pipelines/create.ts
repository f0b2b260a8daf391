// `executor pipelines create`: makes a retrieval pipeline.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { addIndexOptions, readIndexOptions } from "../../pipelines/options.ts"
import type { IndexOptions } from "../../pipelines/options.ts"
import { inCommands } from "../../registry/act.ts"

export function configure(command: Command): void {
  command
    .description(
      "Make a retrieval pipeline: documents that agents can ask. Words are compared always; with an embedding model, meanings too.",
    )
    .argument("<name>", "What people call it.")
    .option("--slug <slug>", "The name in commands and tools; by default made of the name.")
  addIndexOptions(command).addHelpText(
    "after",
    `\nExamples:\n  $ ${executorCommand} pipelines create Handbook\n  $ ${executorCommand} pipelines create Handbook --provider openai --model text-embedding-3-small --dimensions 512\n`,
  )
  actWithExecutor<[string], IndexOptions & { readonly slug?: string }>(command, async ([name], options, context) => {
    const input = { name, ...omitUndefined({ slug: options.slug }), ...readIndexOptions(options) }
    const pipeline = await inCommands(() => context.api.pipelines.create(input))
    context.print(pipeline, () => `Created ${safeLine(pipeline.slug)}`)
    if (!context.printsJson)
      context.screen.note(`Add documents: ${executorCommand} pipelines add ${safeLine(pipeline.slug)} <files or folders>`)
  })
}
