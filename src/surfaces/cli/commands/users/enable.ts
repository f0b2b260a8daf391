// `executor users enable`: lets a user act again.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"

export function configure(command: Command): void {
  command
    .description("Enable a user. They sign in again; the tokens, sessions and consents that ended stay ended.")
    .argument("<id>", `The user, as shown by ${executorCommand} users list.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} users enable anna\n`)
  actWithExecutor<[string], object>(command, async ([id], _options, context) => {
    const user = await context.api.users.update(id, { status: "active" })
    context.print(user, () => `Enabled ${safeLine(user.id)}`)
  })
}
