// `executor artifacts list`: lists the code that tools can be made of.
import type { Command } from "commander"
import type { ArtifactView } from "../../../../core/registry/artifact.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<ArtifactView>[] = [
  { title: "SLUG", value: ({ slug }) => slug, keeps: true },
  { title: "VERSION", value: ({ version }) => version },
  { title: "INPUTS", value: ({ inputs }) => inputs.map(({ name, required }) => (required ? name : `${name}?`)).join(", ") },
  { title: "CHANGED", value: ({ updatedAt }) => shortTime(updatedAt) },
  { title: "NAME", value: ({ name }) => name },
]

export function configure(command: Command): void {
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} artifacts list\n`)
  actWithExecutor<[], PageOptions>(command, async (_args, options, context) => {
    const empty = `No artifacts yet. Add one with ${executorCommand} artifacts create --help`
    printPage(await context.api.artifacts.list(pageRequest(options)), columns, empty, context)
  })
}
