// `executor tokens revoke`: makes a token useless at once.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import { actWithExecutor } from "../command-action.ts"
import { safeLine } from "../text-safe.ts"

export function configure(command: Command): void {
  command
    .argument("<id>", `The id, as shown by ${executorCommand} tokens list.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} tokens revoke tok_123\n`)
  actWithExecutor<[string], object>(command, async ([id], _options, desk) => {
    await desk.api.tokens.remove(id)
    desk.print({ removed: id }, () => `Revoked ${safeLine(id)}`)
  })
}
