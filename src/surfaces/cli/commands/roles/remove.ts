// `executor roles remove`: removes a role that nobody has.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"

export function configure(command: Command): void {
  command
    .argument("<id>", `The role, as shown by ${executorCommand} roles list.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} roles remove developer\n`)
  actWithExecutor<[string], object>(command, async ([id], _options, context) => {
    await context.api.roles.remove(id)
    context.print({ removed: id }, () => `Removed ${safeLine(id)}`)
  })
}
