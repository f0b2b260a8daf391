// `executor users list`: lists the people and service accounts of the tenant.
import { executorCommand } from "../../../../io/executor-command.ts"
import { Option } from "commander"
import type { Command } from "commander"
import { ExecutorError } from "../../../../core/errors.ts"
import type { ExecutorApi } from "../../../../core/executor-api.ts"
import { userSources, userStatuses } from "../../../../core/people/user.ts"
import type { UserFilter, UserView } from "../../../../core/people/user.ts"
import { actWithExecutor } from "../../command-action.ts"
import { readAll } from "../../connections/unconnected.ts"
import { omitUndefined } from "../../omit-undefined.ts"
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
  command
    .addOption(new Option("--status <status>", "Only people with this status.").choices(userStatuses))
    .addOption(new Option("--source <source>", "Only people who came this way.").choices(userSources))
    .option("--role <id>", "Only people with this role.")
    .option("--query <text>", "Only people with this text in their id, name or e-mail address.")
  addPageOptions(command, `\nExample:\n  $ ${executorCommand} users list --status active --role member\n`)
  actWithExecutor<[], PageOptions & UserFilter>(command, async (_args, options, context) => {
    const { status, source, role, query } = options
    const page = await context.api.users.list({ ...pageRequest(options), ...omitUndefined({ status, source, role, query }) })
    const hasInvited = !context.printsJson && page.items.some((user) => user.status === "invited")
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
