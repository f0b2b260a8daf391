// `executor sessions end`: signs a browser out.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"
import { resolveId } from "../../id-resolve.ts"

export function configure(command: Command): void {
  command
    .argument("<id>", `The id, as shown by ${executorCommand} sessions list. A unique prefix is enough.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} sessions end ses_123\n`)
  actWithExecutor<[string], object>(command, async ([word], _options, context) => {
    const id = await resolveId(word, ["ses"], context.api)
    await context.api.sessions.remove(id)
    context.print({ removed: id }, () => `Ended ${safeLine(id)}`)
  })
}
