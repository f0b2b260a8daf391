// `executor tenants list`: lists the organisations on this server.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { TenantView } from "../../../../core/people/tenant.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<TenantView>[] = [
  { title: "ID", value: (tenant) => tenant.id, keeps: true },
  { title: "CREATED", value: (tenant) => shortTime(tenant.createdAt) },
]

export function configure(command: Command): void {
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} tenants list\n`)
  actWithExecutor<[], PageOptions>(command, async (_args, options, context) => {
    printPage(await context.api.tenants.list(pageRequest(options)), columns, "", context)
  })
}
