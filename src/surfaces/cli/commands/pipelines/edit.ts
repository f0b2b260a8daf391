// `executor pipelines edit`: changes how a pipeline is called and indexed.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addIndexOptions, pipelineArgument, readIndexOptions } from "../../pipelines/options.ts"
import type { IndexOptions } from "../../pipelines/options.ts"
import { inCommands } from "../../registry/act.ts"
import { UsageError } from "../../usage-error.ts"

/** `embedding` false: --no-embedding. */
type Options = IndexOptions & { readonly name?: string; readonly embedding: boolean }

export function configure(command: Command): void {
  command.description("Change a pipeline. Other chunks or another model make a new index, which answers once it is complete.")
  addIndexOptions(pipelineArgument(command).option("--name <name>", "What people call it."))
    .option("--no-embedding", "Compare words alone from now on.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} pipelines edit handbook --tokens 200\n`)
  actWithExecutor<[string], Options>(command, async ([id], options, context) => {
    const indexing = readIndexOptions(options)
    if (!options.embedding && indexing.embedding !== undefined) throw new UsageError("Give either --no-embedding or a model, not both")
    const change = {
      ...indexing,
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.embedding ? {} : { embedding: null }),
    }
    if (Object.keys(change).length === 0)
      throw new UsageError("Nothing to change: give --name, --tokens, --overlap, a model or --no-embedding")
    const pipeline = await inCommands(() => context.api.pipelines.update(id, change))
    context.print(pipeline, () => `Changed ${safeLine(pipeline.slug)}`)
    if (!context.printsJson && pipeline.index.status === "indexing")
      context.screen.note(
        `The old index answers until the new one is complete; ${executorCommand} pipelines show ${safeLine(pipeline.slug)} says how far it is`,
      )
  })
}
