// `executor registry delete`: removes a draft; what was ever published is disabled instead.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { confirmRemoval } from "../../prompt/confirm.ts"
import { actOnTool, toolArgument } from "../../registry/act.ts"

export function configure(command: Command): void {
  toolArgument(command)
    .description("Delete a tool that was never published. A tool that was is disabled instead, so that its history stays.")
    .option("-y, --yes", "Skip the confirmation.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} registry delete show_order\n`)
  actOnTool<[], { readonly yes?: boolean }>(command, async (before, _rest, options, context) => {
    const slug = safeLine(before.slug)
    const question = before.publishedAt === null ? `Delete ${slug}?` : `${slug} was published, so it is disabled instead of deleted. Go on?`
    await confirmRemoval(question, options, context.screen)
    const tool = await context.api.registry.remove(before.id)
    context.print({ removed: tool === null, tool }, () =>
      tool === null ? `Deleted ${slug}` : `Disabled ${slug}: it was published, so that its versions and history are kept`,
    )
  })
}
