// `executor registry enable`: brings a disabled tool back, as a draft.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actOnTool, toolArgument } from "../../registry/act.ts"
import { publishHint } from "../../registry/text.ts"
import { UsageError } from "../../usage-error.ts"

export function configure(command: Command): void {
  toolArgument(command)
    .description("Bring a disabled tool back as a draft, which is in production again once it is published.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} registry enable show_order\n`)
  actOnTool<[], object>(command, async (before, _rest, _options, context) => {
    if (before.status !== "disabled") throw new UsageError(`${safeLine(before.slug)} is not disabled: it is ${before.status}`)
    const tool = await context.api.registry.update(before.id, { status: "draft" })
    context.print(tool, () => `${safeLine(tool.slug)} is a draft again`)
    if (!context.printsJson) context.screen.note(publishHint(tool))
  })
}
