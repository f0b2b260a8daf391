// `executor agents publish`: makes the working copy of an agent what runs.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { inCommands } from "../../registry/act.ts"

export function configure(command: Command): void {
  command
    .argument("<agent>", `The slug or id, as shown by ${executorCommand} agents list.`)
    .option("--reason <text>", "Why, for the list of versions.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} agents publish support --reason "Answers in French too"\n`)
  actWithExecutor<[string], { readonly reason?: string }>(command, async ([ref], { reason }, context) => {
    const before = await inCommands(() => context.api.agents.get(ref))
    const agent = await inCommands(() => context.api.agents.publish(before.id, omitUndefined({ reason })))
    if (agent.warning !== undefined) context.screen.note(safeLine(agent.warning))
    const slug = safeLine(agent.slug)
    const version = `version ${safeLine(agent.publishedVersion ?? "")}`
    const isSame = before.status === agent.status && before.publishedVersion === agent.publishedVersion
    context.print(agent, () =>
      isSame
        ? `Nothing new to publish: ${version} of ${slug} is the same`
        : `Published ${slug}, ${version}. It is also the tool agents.${slug}`,
    )
  })
}
