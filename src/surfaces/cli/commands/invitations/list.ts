// `executor invitations list`: lists open invitations, without their links.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { InvitationView } from "../../../../core/people/invitation.ts"
import { actWithExecutor } from "../../command-action.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

const columns: readonly Column<InvitationView>[] = [
  { title: "ID", value: (one) => one.id, keeps: true, breaks: true },
  { title: "USER", value: (one) => one.user },
  { title: "EMAIL", value: (one) => one.email ?? "" },
  { title: "ROLES", value: (one) => one.roles.join(", ") },
  { title: "BY", value: (one) => one.invitedBy },
  { title: "EXPIRES", value: (one) => shortTime(one.expiresAt) },
]

export function configure(command: Command): void {
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} invitations list\n`)
  actWithExecutor<[], PageOptions>(command, async (_args, options, context) => {
    const empty = `No open invitations. Invite somebody with ${executorCommand} invitations create`
    printPage(await context.api.invitations.list(pageRequest(options)), columns, empty, context)
  })
}
