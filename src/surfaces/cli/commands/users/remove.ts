// `executor users remove`: removes a user, after asking.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"
import { confirmLoss } from "../../prompt/confirm.ts"

export function configure(command: Command): void {
  command
    .description("Remove a user. Tokens, sessions and own connections with their credentials are deleted; the history stays.")
    .argument("<id>", `The user, as shown by ${executorCommand} users list.`)
    .option("-y, --yes", "Skip the confirmation.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} users remove anna --yes\n`)
  actWithExecutor<[string], { readonly yes?: boolean }>(command, async ([id], options, context) => {
    const question = `Remove '${safeLine(id)}'? Their tokens, sessions and own connections with credentials are deleted, and their running and paused executions cancelled. Past executions and the audit stay.`
    await confirmLoss(question, options, context.screen)
    await context.api.users.remove(id)
    context.print({ removed: id }, () => `Removed ${safeLine(id)}`)
  })
}
