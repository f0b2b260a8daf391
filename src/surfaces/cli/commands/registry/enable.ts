// `executor registry enable`: brings a disabled tool back, as a draft.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actOnTool, toolArgument } from "../../registry/act.ts"
import { publishHint } from "../../registry/text.ts"
import { UsageError } from "../../usage-error.ts"

export function configure(command: Command): void {
  toolArgument(command)
    .description(
      "Bring a disabled tool back as a draft, which is in production again once it is published, or one that is inactive as it was.",
    )
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} registry enable show_order\n`)
  actOnTool<[], object>(command, async (before, _rest, _options, context) => {
    const isDisabled = before.status === "disabled"
    if (!isDisabled && before.isActive) throw new UsageError(`${safeLine(before.slug)} is not disabled: it is ${before.status}`)
    const change = { ...(isDisabled ? { status: "draft" } : {}), ...(before.isActive ? {} : { isActive: true }) }
    const tool = await context.api.registry.update(before.id, change)
    context.print(tool, () => `${safeLine(tool.slug)} is ${isDisabled ? "a draft" : "active"} again`)
    if (!context.printsJson && isDisabled) context.screen.note(publishHint(tool))
  })
}
