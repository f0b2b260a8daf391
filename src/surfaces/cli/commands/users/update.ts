// `executor users update`: changes a user's name, address or roles.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { parseList } from "../../option-parse.ts"
import { noteUnusedRights } from "../../print/unused-rights.ts"
import { UsageError } from "../../usage-error.ts"

type UpdateOptions = { readonly name?: string; readonly email?: string; readonly role?: string[] }

export function configure(command: Command): void {
  command
    .argument("<id>", `The user, as shown by ${executorCommand} users list.`)
    .option("--name <name>", "The name.")
    .option("--email <address>", "The e-mail address.")
    .option("--role <roles>", "All roles that are given by hand, separated by commas; '' for none.", parseList)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} users update anna --role developer,auditors\n`)
  actWithExecutor<[string], UpdateOptions>(command, async ([id], { name, email, role }, context) => {
    const change = omitUndefined({ name, email, roles: role?.filter((one) => one !== "") })
    if (Object.keys(change).length === 0) throw new UsageError("Nothing to change: give --name, --email or --role")
    const user = await context.api.users.update(id, change)
    context.print(user, () => `Changed ${safeLine(user.id)}: ${safeLine(user.roles.map(({ role: one }) => one).join(", ") || "no roles")}`)
    await noteUnusedRights(user, context)
  })
}
