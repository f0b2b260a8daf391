// `executor registry diff`: shows what differs between two versions of a tool: first what it means, then the JSON.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { diffText, versionText } from "../../print/diff-text.ts"
import { actOnTool, toolArgument } from "../../registry/act.ts"

export function configure(command: Command): void {
  toolArgument(command)
    .description(
      "Show what differs between two versions of a tool, the worst first. Breaking: a call that was right may be wrong now. Implementation: the same calls are right, and may do something else. Widening: whatever was right still is. Text: only texts differ.",
    )
    .argument("[from]", "A version, or `working` for the working copy; by default the published one.")
    .argument("[to]", "The same; by default the working copy.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} registry diff show_order\n  $ ${executorCommand} registry diff show_order 1.0.0 1.0.1\n`,
    )
  actOnTool<[string | undefined, string | undefined], object>(command, async (tool, [from, to], _options, context) => {
    const diff = await context.api.registry.diff(tool.id, omitUndefined({ from, to }))
    const title = `${safeLine(tool.slug)} from ${versionText(from ?? tool.publishedVersion ?? "")} to ${versionText(to ?? "working")}`
    context.print(diff, () => diffText(title, diff, context.screen.out))
  })
}
