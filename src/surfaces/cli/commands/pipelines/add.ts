// `executor pipelines add`: adds files and folders to a pipeline.
import type { Command } from "commander"
import type { ExecutorApi } from "../../../../core/executor-api.ts"
import type { PipelineView } from "../../../../core/retrieval/pipeline.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { exitCodes } from "../../exit-code.ts"
import { findFiles, readDocumentFile } from "../../pipelines/files.ts"
import { counted } from "../../print/count.ts"
import { withProgress } from "../../print/progress.ts"
import { inCommands } from "../../registry/act.ts"
import { UsageError } from "../../usage-error.ts"

type Failed = { readonly path: string; readonly error: string }

export function configure(command: Command): void {
  command
    .description(
      "Add files, or all text, Markdown and HTML of folders. A file that was added before is replaced if it has changed; its path is its source.",
    )
    .argument(
      "<words...>",
      `The pipeline, as shown by ${executorCommand} pipelines list, then files and folders; one path alone goes to the only pipeline.`,
    )
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} pipelines add handbook docs/\n  $ ${executorCommand} pipelines add handbook README.md notes.txt\n  $ ${executorCommand} pipelines add docs/\n`,
    )
  actWithExecutor<[string[]], object>(command, async ([words], _options, context) => {
    const { api, screen } = context
    const [id = "", ...more] = words
    const pipeline = more.length === 0 ? await onlyPipeline(api) : await inCommands(() => api.pipelines.get(id))
    const paths = more.length === 0 ? words : more
    const files = await findFiles(paths)
    if (files.length === 0) throw new UsageError("There is no text, Markdown or HTML in these folders; name the files to add them anyway")
    const counts = { created: 0, updated: 0, unchanged: 0 }
    const failed: Failed[] = []
    let done = 0
    await withProgress(
      () => `Adding ${done} of ${counted(files.length, "file")}`,
      screen,
      async () => {
        for (const path of files) {
          try {
            counts[(await api.pipelines.documents.add(pipeline.id, await readDocumentFile(path))).outcome] += 1
          } catch (error) {
            failed.push({ path, error: error instanceof Error ? error.message : String(error) })
          }
          done += 1
        }
      },
    )
    const after = await api.pipelines.get(pipeline.id)
    const sum = `Added ${counts.created}, updated ${counts.updated}, unchanged ${counts.unchanged}: ${safeLine(after.slug)} has ${counted(after.documents, "document")}`
    context.print({ ...counts, failed, pipeline: after }, () => sum)
    if (!context.printsJson) {
      for (const { path, error } of failed) screen.note(`${screen.err.red("error:")} ${safeLine(path)}: ${safeLine(error)}`)
      if (after.index.vectorsLeft > 0)
        screen.note(`${counted(after.index.vectorsLeft, "vector")} to make in the background; words find everything already`)
    }
    return failed.length === 0 ? exitCodes.done : exitCodes.failed
  })
}

async function onlyPipeline({ pipelines }: ExecutorApi): Promise<PipelineView> {
  const { items } = await pipelines.list({ limit: 10 })
  const [only, ...others] = items
  if (only === undefined) throw new UsageError(`There is no pipeline yet; make one with ${executorCommand} pipelines create <name>`)
  if (others.length === 0) return only
  throw new UsageError(`Name the pipeline, then files and folders. There are ${items.map(({ slug }) => safeLine(slug)).join(", ")}`)
}
