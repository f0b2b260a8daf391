// `executor tenants create`: adds an organisation, and shows its first admin's token once.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"

export function configure(command: Command): void {
  command.argument("<id>", "The tenant's id, e.g. acme.").addHelpText("after", `\nExample:\n  $ ${executorCommand} tenants create acme\n`)
  actWithExecutor<[string], object>(command, async ([id], _options, context) => {
    const made = await context.api.tenants.create({ id })
    context.print(made, () => made.token)
    if (!context.printsJson)
      context.screen.note(`The token of '${safeLine(made.admin)}', the first admin of '${safeLine(made.id)}'. It is not shown again.`)
  })
}
