// `executor invitations revoke`: makes the link of an invitation useless.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"
import { resolveId } from "../../id-resolve.ts"

export function configure(command: Command): void {
  command
    .argument("<id>", `The id, as shown by ${executorCommand} invitations list. A unique prefix is enough.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} invitations revoke inv_123\n`)
  actWithExecutor<[string], object>(command, async ([word], _options, context) => {
    const id = await resolveId(word, ["inv"], context.api)
    await context.api.invitations.remove(id)
    context.print({ removed: id }, () => `Revoked ${safeLine(id)}`)
  })
}
