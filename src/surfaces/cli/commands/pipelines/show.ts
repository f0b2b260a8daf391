// `executor pipelines show`: shows a pipeline, how far its index is, and its documents.
import type { Command } from "commander"
import type { DocumentView } from "../../../../core/retrieval/document.ts"
import type { PipelineView } from "../../../../core/retrieval/pipeline.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { pipelineArgument } from "../../pipelines/options.ts"
import { counted } from "../../print/count.ts"
import { shortTime } from "../../print/page.ts"
import { formatTable } from "../../print/table.ts"
import type { Column } from "../../print/table.ts"
import { inCommands } from "../../registry/act.ts"

const columns: readonly Column<DocumentView>[] = [
  { title: "SOURCE", value: ({ source, id }) => source ?? id, keeps: true },
  { title: "BYTES", value: ({ bytes }) => String(bytes) },
  { title: "CHANGED", value: ({ updatedAt }) => shortTime(updatedAt) },
  { title: "TITLE", value: ({ title }) => title },
]

export function configure(command: Command): void {
  addPageOptions(pipelineArgument(command), `\nExample:\n  $ ${executorCommand} pipelines show handbook\n`)
  actWithExecutor<[string], PageOptions>(command, async ([id], options, context) => {
    const { api, screen } = context
    const pipeline = await inCommands(() => api.pipelines.get(id))
    const documents = await api.pipelines.documents.list(pipeline.id, pageRequest(options))
    context.print({ ...pipeline, documentPage: documents }, () => {
      const table = formatTable(columns, documents.items, { columns: screen.columns, heading: screen.out.bold })
      return [...textOf(pipeline, screen.out.bold), ...(documents.items.length === 0 ? [] : ["", table])].join("\n")
    })
    if (!context.printsJson && documents.nextCursor !== null)
      screen.note(screen.err.dim(`More documents are there: --cursor ${safeLine(documents.nextCursor)}`))
  })
}

function textOf({ slug, name, id, chunking, embedding, documents, chunks, index }: PipelineView, bold: (text: string) => string): string[] {
  const left = [
    ...(index.rebuild === null ? [] : [`${counted(index.rebuild.documentsLeft, "document")} to index`]),
    ...(index.vectorsLeft === 0 ? [] : [`${counted(index.vectorsLeft, "vector")} to make`]),
  ]
  return [
    `${bold(safeLine(slug))}  ${safeLine(name)}`,
    "",
    `Id         ${safeLine(id)}`,
    `Documents  ${documents}, in ${counted(chunks, "chunk")} of up to ${chunking.tokens} tokens, ${chunking.overlap} repeated`,
    `Model      ${embedding === null ? "none: words are compared" : `${safeLine(embedding.model)} of ${safeLine(embedding.provider)}, ${embedding.dimensions} dimensions`}`,
    `Index      ${index.status}${left.length === 0 ? "" : `: ${left.join(", ")}`}`,
    ...(index.error === null ? [] : [`Problem    ${safeLine(index.error)}`]),
  ]
}
