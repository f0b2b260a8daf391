// `executor agents rollback`: publishes an earlier version of an agent again.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { inCommands } from "../../registry/act.ts"

export function configure(command: Command): void {
  command
    .argument("<agent>", `The slug or id, as shown by ${executorCommand} agents list.`)
    .argument("<version>", `As shown by ${executorCommand} agents versions.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} agents rollback support 1.0.0\n`)
  actWithExecutor<[string, string], object>(command, async ([ref, version], _options, context) => {
    const agent = await inCommands(() => context.api.agents.rollback(ref, version))
    context.print(
      agent,
      () => `Rolled ${safeLine(agent.slug)} back to ${safeLine(version)}, as version ${safeLine(agent.publishedVersion ?? "")}`,
    )
  })
}
