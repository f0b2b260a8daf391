// `executor registry list`: lists the tools that were made here, with how they stand.
import { Option } from "commander"
import type { Command } from "commander"
import { implementationTypes, toolStatuses } from "../../../../core/registry/tool.ts"
import type { RegistryToolView, ToolStatus } from "../../../../core/registry/tool.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"
import { isChanged, statusText } from "../../registry/text.ts"

type ListOptions = PageOptions & { readonly status?: ToolStatus; readonly type?: string }

const columns: readonly Column<RegistryToolView>[] = [
  { title: "SLUG", value: ({ slug }) => slug, keeps: true },
  { title: "TYPE", value: ({ implementationType }) => implementationType },
  { title: "STATUS", value: statusText },
  { title: "VERSION", value: ({ publishedVersion, version }) => publishedVersion ?? version },
  { title: "CHANGES", value: (tool) => (isChanged(tool) ? "unpublished" : "") },
  { title: "NAME", value: ({ name }) => name },
]

export function configure(command: Command): void {
  command
    .argument("[query]", "Only tools with this text in their name, slug or description.")
    .addOption(new Option("--status <status>", "Only tools of this status.").choices(toolStatuses))
    .addOption(new Option("--type <type>", "Only tools of this implementation type.").choices(implementationTypes))
  addPageOptions(command, `\nExamples:\n  $ ${executorCommand} registry list\n  $ ${executorCommand} registry list orders --status draft\n`)
  actWithExecutor<[string | undefined], ListOptions>(command, async ([query], options, context) => {
    const filter = omitUndefined({ query, status: options.status, implementationType: options.type })
    const page = await context.api.registry.list(filter, pageRequest(options))
    const empty =
      Object.keys(filter).length === 0
        ? `No tools yet. Make one with ${executorCommand} registry create --help`
        : `No tool matches; leave out a filter to see more: ${executorCommand} registry list`
    printPage(page, columns, empty, context)
  })
}
