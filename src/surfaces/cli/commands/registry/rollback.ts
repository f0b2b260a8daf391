// `executor registry rollback`: publishes an earlier version of a tool again.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { confirmLoss } from "../../prompt/confirm.ts"
import { actOnTool, toolArgument } from "../../registry/act.ts"
import { callHint, registryPath } from "../../registry/text.ts"

type RollbackOptions = { readonly yes?: boolean }

export function configure(command: Command): void {
  toolArgument(command)
    .description("Publish an earlier version again, as a new patch version with its own secrets. The working copy becomes the same.")
    .argument("<version>", `The version, as shown by ${executorCommand} registry versions.`)
    .option("-y, --yes", "Skip the confirmation.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} registry rollback show_order 1.0.0\n`)
  actOnTool<[string], RollbackOptions>(command, async (before, [version], options, context) => {
    const running = before.publishedVersion === null ? "nothing" : `version ${before.publishedVersion}`
    await confirmLoss(`Publish version ${version} of ${before.slug} again? Production now runs ${running}.`, options, context.screen)
    const tool = await context.api.registry.rollback(before.id, version)
    context.print(
      tool,
      () => `Rolled back ${registryPath(tool.slug)} to ${safeLine(version)}, published as version ${safeLine(tool.publishedVersion ?? "")}`,
    )
    if (!context.printsJson) context.screen.note(callHint(tool))
  })
}
