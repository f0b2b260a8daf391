// `executor artifacts remove`: removes an artifact with its versions.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { confirmRemoval } from "../../prompt/confirm.ts"
import { inCommands } from "../../registry/act.ts"
import { findArtifact } from "../../registry/find.ts"

export function configure(command: Command): void {
  command
    .description("Remove an artifact with all its versions. One that tools use stays, and you are told which tools these are.")
    .argument("<artifact>", `The slug or id, as shown by ${executorCommand} artifacts list.`)
    .option("-y, --yes", "Skip the confirmation.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} artifacts remove slugify\n`)
  actWithExecutor<[string], { readonly yes?: boolean }>(command, async ([word], options, context) => {
    const { id, slug } = await findArtifact(word, context.api)
    await confirmRemoval(`Remove ${safeLine(slug)} and all its versions?`, options, context.screen)
    await inCommands(() => context.api.artifacts.remove(id))
    context.print({ removed: id }, () => `Removed ${safeLine(slug)}`)
  })
}
