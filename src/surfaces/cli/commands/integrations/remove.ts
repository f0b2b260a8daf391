// `executor integrations remove`: takes an integration out of the catalog, with its connections and their credentials.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { actWithExecutor } from "../../command-action.ts"
import { confirmLoss } from "../../prompt/confirm.ts"
import { safeLine } from "../../../../core/text/safe.ts"

export function configure(command: Command): void {
  command
    .argument("<slug>", "The integration's slug.")
    .option("-y, --yes", "Skip the confirmation.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} integrations remove github\n`)
  actWithExecutor<[string], { readonly yes?: boolean }>(command, async ([slug], options, context) => {
    await confirmLoss(`Remove ${slug}, its connections and their credentials?`, options, context.screen)
    await context.api.integrations.remove(slug)
    context.print({ removed: slug }, () => `Removed ${safeLine(slug)}`)
  })
}
