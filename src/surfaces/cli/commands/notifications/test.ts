// `executor notifications test`: sends one message, and says how it ended.
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { exitCodes } from "../../exit-code.ts"

export function configure(command: Command): void {
  command
    .argument("<notification>", `The id, as shown by ${executorCommand} notifications list.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} notifications test ntf_0mw2\n`)
  actWithExecutor<[string], Record<string, never>>(command, async ([id], _options, context) => {
    const told = await context.api.notifications.test(id)
    context.print(told, () =>
      told.state === "delivered" ? `Delivered: the receiver answered ${told.status}` : `Not delivered: ${safeLine(told.error ?? "")}`,
    )
    return told.state === "delivered" ? exitCodes.done : exitCodes.failed
  })
}
