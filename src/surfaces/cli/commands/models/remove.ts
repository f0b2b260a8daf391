// `executor models remove`: removes a model provider with its key.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { confirmLoss } from "../../prompt/confirm.ts"
import { inCommands } from "../../registry/act.ts"

export function configure(command: Command): void {
  command
    .argument("<provider>", `The id, as shown by ${executorCommand} models list.`)
    .option("-y, --yes", "Skip the confirmation.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} models remove openai\n`)
  actWithExecutor<[string], { readonly yes?: boolean }>(command, async ([id], options, context) => {
    await confirmLoss(`Remove ${id} and its key? Agents that use it fail from then on.`, options, context.screen)
    await inCommands(() => context.api.models.providers.remove(id))
    context.print({ removed: id }, () => `Removed ${safeLine(id)}`)
  })
}
