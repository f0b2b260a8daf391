// `executor connections list`: lists connections and their state.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { Owner } from "../../../../core/address.ts"
import type { ConnectionView } from "../../../../core/connection.ts"
import { actWithExecutor } from "../../command-action.ts"
import { connectionPath } from "../../connections/key.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { parseOwner } from "../../option-parse.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"
import { safeLine } from "../../../../core/text/safe.ts"

type ListOptions = PageOptions & { readonly integration?: string; readonly owner?: Owner }

const columns: readonly Column<ConnectionView>[] = [
  { title: "CONNECTION", value: connectionPath, keeps: true },
  { title: "STATUS", value: (one) => (one.error === null ? one.status : `${one.status}: ${one.error}`), widthMax: 60 },
  { title: "AUTH", value: (one) => one.auth.template },
  { title: "TOOLS", value: (one) => `${one.toolCount}${one.changedTools.length === 0 ? "" : ` (${one.changedTools.length} changed)`}` },
  { title: "TOOLS READ AT", value: (one) => shortTime(one.toolsSyncedAt) },
]

export function configure(command: Command): void {
  command
    .option("-i, --integration <slug>", "Only for this integration.")
    .option("--owner <owner>", "Only for this owner: org or user.", parseOwner)
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} connections list --integration github\n`)
  actWithExecutor<[], ListOptions>(command, async (_args, options, context) => {
    const { integration, owner } = options
    const filter = omitUndefined({ integration, owner })
    const page = await context.api.connections.list({ ...filter, ...pageRequest(options) })
    const empty =
      Object.keys(filter).length === 0
        ? `No connections yet. Connect an integration with ${executorCommand} connections add <integration>`
        : `No connection matches; leave out a filter to see more: ${executorCommand} connections list`
    printPage(page, columns, empty, context)
    if (context.printsJson) return
    for (const one of page.items.filter(({ changedTools }) => changedTools.length > 0))
      context.screen.note(
        `Changed since they were accepted: ${one.changedTools.map((tool) => `${connectionPath(one)}.${safeLine(tool)}`).join(", ")}. Accept them with ${executorCommand} connections accept ${connectionPath(one)}`,
      )
  })
}
