// `executor users add`: adds a person or a service account.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"
import { noteUnusedRights } from "../../print/unused-rights.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { parseList } from "../../option-parse.ts"

type AddOptions = { readonly id?: string; readonly email?: string; readonly role?: string[]; readonly service?: boolean }

export function configure(command: Command): void {
  command
    .argument("<name>", "The person's name.")
    .option("--id <id>", "The user's id; by default made of the e-mail address or the name.")
    .option("--email <address>", "The e-mail address.")
    .option("--role <roles>", "Roles, separated by commas. A user without a role sees no tool.", parseList)
    .option("--service", "A service account: it never signs in, and acts through agents' tokens that admins make.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} users add 'Anna Lee' --email anna@example.com --role developer\n`)
  actWithExecutor<[string], AddOptions>(command, async ([name], { id, email, role, service }, context) => {
    const user = await context.api.users.create({ name, roles: role ?? [], ...omitUndefined({ id, email, service }) })
    context.print(user, () => `Added ${safeLine(user.id)}`)
    await noteUnusedRights(user, context)
    if (!context.printsJson && !user.service)
      context.screen.note(`To let them sign in: ${executorCommand} invitations create --user ${safeLine(user.id)}`)
  })
}
