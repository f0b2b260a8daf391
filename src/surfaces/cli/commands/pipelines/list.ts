// `executor pipelines list`: lists retrieval pipelines.
import type { Command } from "commander"
import type { PipelineView } from "../../../../core/retrieval/pipeline.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<PipelineView>[] = [
  { title: "SLUG", value: ({ slug }) => slug, keeps: true },
  { title: "DOCUMENTS", value: ({ documents }) => String(documents) },
  { title: "CHUNKS", value: ({ chunks }) => String(chunks) },
  { title: "INDEX", value: ({ index }) => index.status },
  { title: "MODEL", value: ({ embedding }) => embedding?.model ?? "" },
  { title: "CHANGED", value: ({ updatedAt }) => shortTime(updatedAt) },
  { title: "NAME", value: ({ name }) => name },
]

export function configure(command: Command): void {
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} pipelines list\n`)
  actWithExecutor<[], PageOptions>(command, async (_args, options, context) => {
    const empty = `No pipelines yet. Make one with ${executorCommand} pipelines create <name>`
    printPage(await context.api.pipelines.list(pageRequest(options)), columns, empty, context)
  })
}
