// `executor invitations create`: makes a link by which somebody becomes a user, and shows it once.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { parseList } from "../../option-parse.ts"
import { UsageError } from "../../usage-error.ts"

type CreateOptions = { readonly email?: string; readonly name?: string; readonly role?: string[]; readonly user?: string }

export function configure(command: Command): void {
  command
    .description("Invite somebody. The link works once, within 7 days; roles may give nothing that you do not have.")
    .option(
      "--email <address>",
      "Whom it is for. Whoever signs in at a provider must have this address; with a passkey the link alone is enough, unless a provider lists the address's domain.",
    )
    .option("--name <name>", "The person's name.")
    .option("--role <roles>", "Roles, separated by commas.", parseList)
    .option("--user <id>", "A user who exists and has to sign in anew; for admins.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} invitations create --email anna@example.com --role developer\n`)
  actWithExecutor<[], CreateOptions>(command, async (_args, { role, ...options }, context) => {
    if (options.email === undefined && options.name === undefined && options.user === undefined)
      throw new UsageError("Say whom it is for: give --email or --name, or --user for somebody who is a user already")
    const made = await context.api.invitations.create({
      roles: role ?? [],
      ...omitUndefined({ email: options.email, name: options.name, user: options.user }),
    })
    context.print(made, () => safeLine(made.link))
    if (context.printsJson) return
    context.screen.note(
      `For '${safeLine(made.user)}'. Whoever has the link can accept it, so send it to them alone. It is not shown again. Revoke it with ${executorCommand} invitations revoke ${made.id}`,
    )
    if (made.roles.length === 0 && options.user === undefined)
      context.screen.note("It gives no role, and whoever has no role sees no tool. To give one, revoke it and add --role")
  })
}
