// `executor users list`: lists the people and service accounts of the tenant.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { ExecutorError } from "../../../../core/errors.ts"
import type { ExecutorApi } from "../../../../core/executor-api.ts"
import type { UserView } from "../../../../core/people/user.ts"
import { actWithExecutor } from "../../command-action.ts"
import { readAll } from "../../connections/unconnected.ts"
import { addPageOptions, pageRequest } from "../../page-options.ts"
import type { PageOptions } from "../../page-options.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

/** `invited`: the roles that open invitations give, by user. */
const columnsWith = (invited: ReadonlyMap<string, readonly string[]>): readonly Column<UserView>[] => [
  { title: "ID", value: (user) => user.id, keeps: true },
  { title: "NAME", value: (user) => user.name },
  { title: "EMAIL", value: (user) => user.email ?? "" },
  { title: "STATUS", value: (user) => (user.service ? `${user.status}, service` : user.status) },
  { title: "ROLES", value: (user) => rolesOf(user, invited.get(user.id) ?? []) },
  { title: "SEEN", value: (user) => shortTime(user.lastSeenAt) },
]

export function configure(command: Command): void {
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} users list\n`)
  actWithExecutor<[], PageOptions>(command, async (_args, options, context) => {
    const page = await context.api.users.list(pageRequest(options))
    const hasInvited = !context.printsJson && page.items.some(({ status }) => status === "invited")
    const invited = hasInvited ? await invitedRoles(context.api) : new Map<string, readonly string[]>()
    printPage(page, columnsWith(invited), "There are no users", context)
  })
}

const rolesOf = ({ roles, status }: UserView, invited: readonly string[]): string =>
  [
    ...roles.map(({ role, from }) => (from === "given" ? role : `${role} (${from})`)),
    ...(status === "invited" ? invited.map((role) => `${role} (once accepted)`) : []),
  ].join(", ")

/** Auditors see people, and not always invitations. */
async function invitedRoles(api: ExecutorApi): Promise<ReadonlyMap<string, readonly string[]>> {
  const open = await readAll((page) => api.invitations.list(page)).catch((error: unknown) => {
    if (error instanceof ExecutorError && error.code === "forbidden") return []
    throw error
  })
  return new Map(open.map(({ user, roles }) => [user, roles]))
}
