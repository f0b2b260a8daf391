// `executor artifacts versions`: lists the versions of an artifact.
import type { Command } from "commander"
import type { ArtifactVersionView } from "../../../../core/registry/artifact.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { counted } from "../../print/count.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"
import { findArtifact } from "../../registry/find.ts"

const columns: readonly Column<ArtifactVersionView>[] = [
  { title: "VERSION", value: ({ version }) => version, keeps: true },
  { title: "WHEN", value: ({ at }) => shortTime(at) },
  { title: "BY", value: ({ by }) => by },
  { title: "INPUTS", value: ({ inputs }) => inputs.map(({ name }) => name).join(", ") },
  { title: "CODE", value: ({ code }) => counted(code.trimEnd().split("\n").length, "line") },
]

export function configure(command: Command): void {
  command
    .description("List the versions of an artifact, newest first; --json has their code.")
    .argument("<artifact>", `The slug or id, as shown by ${executorCommand} artifacts list.`)
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} artifacts versions slugify\n`)
  actWithExecutor<[string], PageOptions>(command, async ([word], options, context) => {
    const { id } = await findArtifact(word, context.api)
    printPage(await context.api.artifacts.versions(id, pageRequest(options)), columns, "", context)
  })
}
