// `executor notifications remove`: removes a notification with its address.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { confirmLoss } from "../../prompt/confirm.ts"

export function configure(command: Command): void {
  command
    .argument("<notification>", `The id, as shown by ${executorCommand} notifications list.`)
    .option("-y, --yes", "Skip the confirmation.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} notifications remove ntf_0mw2\n`)
  actWithExecutor<[string], { readonly yes?: boolean }>(command, async ([id], options, context) => {
    await confirmLoss(`Remove ${id}, its address and its log?`, options, context.screen)
    await context.api.notifications.remove(id)
    context.print({ removed: id }, () => `Removed ${safeLine(id)}`)
  })
}
