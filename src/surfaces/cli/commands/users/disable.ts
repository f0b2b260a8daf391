// `executor users disable`: makes that nothing acts in a user's name any more.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"

export function configure(command: Command): void {
  command
    .description("Disable a user. Their sessions and running executions end, and their tokens are refused, at once.")
    .argument("<id>", `The user, as shown by ${executorCommand} users list.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} users disable anna\n`)
  actWithExecutor<[string], object>(command, async ([id], _options, context) => {
    const user = await context.api.users.update(id, { status: "disabled" })
    context.print(user, () => `Disabled ${safeLine(user.id)}`)
  })
}
