// `executor agents publish`: makes the working copy of an agent what runs.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"

export function configure(command: Command): void {
  command
    .argument("<agent>", `The slug or id, as shown by ${executorCommand} agents list.`)
    .option("--reason <text>", "Why, for the list of versions.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} agents publish support --reason "Answers in French too"\n`)
  actWithExecutor<[string], { readonly reason?: string }>(command, async ([ref], { reason }, context) => {
    const agent = await context.api.agents.publish(ref, omitUndefined({ reason }))
    context.print(
      agent,
      () =>
        `Published ${safeLine(agent.slug)}, version ${safeLine(agent.publishedVersion ?? "")}. It is also the tool agents.${safeLine(agent.slug)}`,
    )
  })
}
