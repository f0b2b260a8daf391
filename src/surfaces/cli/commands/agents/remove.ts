// `executor agents remove`: removes a draft, or disables an agent that was published.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { confirmLoss } from "../../prompt/confirm.ts"
import { inCommands } from "../../registry/act.ts"

export function configure(command: Command): void {
  command
    .description("Remove a draft. An agent that was published is disabled, and keeps its versions.")
    .argument("<agent>", `The slug or id, as shown by ${executorCommand} agents list.`)
    .option("-y, --yes", "Skip the confirmation.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} agents remove support\n`)
  actWithExecutor<[string], { readonly yes?: boolean }>(command, async ([ref], options, context) => {
    await confirmLoss(`Remove the agent ${ref}? Whoever calls it finds nothing from then on.`, options, context.screen)
    const left = await inCommands(() => context.api.agents.remove(ref))
    context.print({ removed: left === null, agent: left }, () =>
      left === null ? `Removed ${safeLine(ref)}` : `Disabled ${safeLine(left.slug)}; its versions are kept`,
    )
  })
}
