// `executor credentials remove`: removes a credential of the tenant with its values.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { confirmRemoval } from "../../prompt/confirm.ts"
import { inCommands } from "../../registry/act.ts"
import { findCredential } from "../../registry/find.ts"

export function configure(command: Command): void {
  command
    .argument("<credential>", `The id or label, as shown by ${executorCommand} credentials list.`)
    .option("-y, --yes", "Skip the confirmation.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} credentials remove serper\n`)
  actWithExecutor<[string], { readonly yes?: boolean }>(command, async ([word], options, context) => {
    const { id, label } = await findCredential(word, context.api)
    await confirmRemoval(`Remove ${label} and its values? Tools that use it fail from then on.`, options, context.screen)
    await inCommands(() => context.api.credentials.remove(id))
    context.print({ removed: id }, () => `Removed ${safeLine(label)} (${safeLine(id)})`)
  })
}
