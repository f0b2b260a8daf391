// `executor agents diff`: shows what differs between two versions of an agent: first what it means, then the JSON.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { diffText, versionText } from "../../print/diff-text.ts"
import { inCommands } from "../../registry/act.ts"

export function configure(command: Command): void {
  command
    .description(
      "Show what differs between two versions of an agent, the worst first. Breaking: a call that was right may be wrong now. Implementation: the same calls are right, and may do something else. Widening: whatever was right still is. Text: only texts differ.",
    )
    .argument("<agent>", `The slug or id, as shown by ${executorCommand} agents list.`)
    .argument("[from]", "A version, or `working` for the working copy; by default the published one.")
    .argument("[to]", "The same; by default the working copy.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} agents diff support\n  $ ${executorCommand} agents diff support 1.0.0 1.0.1\n`,
    )
  actWithExecutor<[string, string | undefined, string | undefined], object>(command, async ([ref, from, to], _options, context) => {
    const agent = await inCommands(() => context.api.agents.get(ref))
    const diff = await context.api.agents.diff(agent.id, omitUndefined({ from, to }))
    const title = `${safeLine(agent.slug)} from ${versionText(from ?? agent.publishedVersion ?? "")} to ${versionText(to ?? "working")}`
    context.print(diff, () => diffText(title, diff, context.screen.out))
  })
}
