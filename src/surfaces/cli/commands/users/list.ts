// `executor users list`: lists the people and service accounts of the tenant.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { UserView } from "../../../../core/people/user.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<UserView>[] = [
  { title: "ID", value: (user) => user.id, keeps: true },
  { title: "NAME", value: (user) => user.name },
  { title: "EMAIL", value: (user) => user.email ?? "" },
  { title: "STATUS", value: (user) => (user.service ? `${user.status}, service` : user.status) },
  { title: "ROLES", value: (user) => user.roles.map(({ role, from }) => (from === "given" ? role : `${role} (${from})`)).join(", ") },
  { title: "SEEN", value: (user) => shortTime(user.lastSeenAt) },
]

export function configure(command: Command): void {
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} users list\n`)
  actWithExecutor<[], PageOptions>(command, async (_args, options, context) => {
    printPage(await context.api.users.list(pageRequest(options)), columns, "There are no users", context)
  })
}
