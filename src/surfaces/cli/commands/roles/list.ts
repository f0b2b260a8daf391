// `executor roles list`: lists roles with their patterns and rights.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { Role } from "../../../../core/people/role.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<Role>[] = [
  { title: "ID", value: (role) => role.id, keeps: true },
  { title: "NAME", value: (role) => role.name },
  { title: "PATTERNS", value: (role) => role.patterns.join(", ") },
  { title: "RIGHTS", value: (role) => role.rights.join(", ") },
]

export function configure(command: Command): void {
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} roles list\n`)
  actWithExecutor<[], PageOptions>(command, async (_args, options, context) => {
    printPage(await context.api.roles.list(pageRequest(options)), columns, "You have no role", context)
  })
}
