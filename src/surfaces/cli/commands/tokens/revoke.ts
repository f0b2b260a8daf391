// `executor tokens revoke`: makes a token useless at once.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { actWithExecutor } from "../../command-action.ts"
import { resolveId } from "../../id-resolve.ts"
import { safeLine } from "../../../../core/text/safe.ts"

export function configure(command: Command): void {
  command
    .argument("<id>", `The id, as shown by ${executorCommand} tokens list. A unique prefix is enough.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} tokens revoke tok_123\n`)
  actWithExecutor<[string], object>(command, async ([word], _options, context) => {
    const id = await resolveId(word, ["tok"], context.api)
    await context.api.tokens.remove(id)
    context.print({ removed: id }, () => `Revoked ${safeLine(id)}`)
  })
}
