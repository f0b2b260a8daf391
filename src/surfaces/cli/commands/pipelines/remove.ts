// `executor pipelines remove`: removes a pipeline, or some of its documents.
import type { Command } from "commander"
import { ExecutorError } from "../../../../core/errors.ts"
import type { ExecutorApi } from "../../../../core/executor-api.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { pipelineArgument } from "../../pipelines/options.ts"
import { counted } from "../../print/count.ts"
import { confirmLoss, confirmRemoval } from "../../prompt/confirm.ts"
import { inCommands } from "../../registry/act.ts"

export function configure(command: Command): void {
  pipelineArgument(command)
    .description("Remove documents of a pipeline, or the pipeline with all of them.")
    .argument("[documents...]", "Sources or ids of documents; without any, the pipeline itself is removed.")
    .option("-y, --yes", "Skip the confirmation.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} pipelines remove handbook docs/old.md\n  $ ${executorCommand} pipelines remove handbook --yes\n`,
    )
  actWithExecutor<[string, string[]], { readonly yes?: boolean }>(command, async ([id, words], options, context) => {
    const { api, screen } = context
    const pipeline = await inCommands(() => api.pipelines.get(id))
    const slug = safeLine(pipeline.slug)
    if (words.length === 0) {
      await confirmRemoval(
        `Remove ${slug} and its ${counted(pipeline.documents, "document")}? Tools that ask it fail from then on.`,
        options,
        screen,
      )
      await api.pipelines.remove(pipeline.id)
      return context.print({ removed: pipeline.slug }, () => `Removed ${slug}`)
    }
    const found = await findDocuments(pipeline.id, words, api)
    await confirmLoss(`Remove ${counted(found.length, "document")} of ${slug}?`, options, screen)
    for (const documentId of found) await api.pipelines.documents.remove(pipeline.id, documentId)
    context.print({ removed: found }, () => `Removed ${counted(found.length, "document")} of ${slug}`)
  })
}

/** Their ids; nothing is removed where one of them is not there. */
async function findDocuments(pipelineId: string, words: readonly string[], { pipelines }: ExecutorApi): Promise<string[]> {
  const found = new Map<string, string>()
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = await pipelines.documents.list(pipelineId, cursor === "" ? {} : { cursor })
    for (const { id, source } of page.items) for (const word of words) if (word === id || word === source) found.set(word, id)
    cursor = page.nextCursor
  }
  const missing = words.find((word) => !found.has(word))
  if (missing !== undefined)
    throw new ExecutorError(
      "not_found",
      `There is no document '${safeLine(missing).slice(0, 80)}'; see ${executorCommand} pipelines show <pipeline>`,
    )
  return [...new Set(found.values())]
}
