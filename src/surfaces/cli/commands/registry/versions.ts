// `executor registry versions`: lists the versions of a tool, or shows one of them.
import type { Command } from "commander"
import type { ToolVersionView } from "../../../../core/registry/tool.ts"
import { safeJson } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"
import { actOnTool, toolArgument } from "../../registry/act.ts"

const columns: readonly Column<ToolVersionView>[] = [
  { title: "VERSION", value: ({ version }) => version, keeps: true },
  { title: "WHEN", value: ({ at }) => shortTime(at) },
  { title: "BY", value: ({ by }) => by },
  { title: "REASON", value: ({ reason }) => reason ?? "" },
  { title: "PUBLISHED", value: ({ isPublished }) => (isPublished ? "yes" : "") },
]

export function configure(command: Command): void {
  toolArgument(command)
    .description("List the versions of a tool, newest first. PUBLISHED is the one that production runs.")
    .argument("[version]", "Show this version whole; secrets as ***.")
  addPageOptions(
    command,
    `\nExamples:\n  $ ${executorCommand} registry versions show_order\n  $ ${executorCommand} registry versions show_order 1.0.0\n`,
  )
  actOnTool<[string | undefined], PageOptions>(command, async ({ id, slug }, [version], options, context) => {
    const { registry } = context.api
    if (version !== undefined) {
      const one = await registry.versionOf(id, version)
      return context.print(one, () => safeJson(one.schemaSnapshot, 2))
    }
    const empty = `No version yet: ${executorCommand} registry publish ${slug} writes the first one`
    printPage(await registry.versions(id, pageRequest(options)), columns, empty, context)
  })
}
