// `executor executions cancel`: stops an execution, or drops what it waits for.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { actWithExecutor } from "../../command-action.ts"
import { resolveId } from "../../id-resolve.ts"
import { safeLine } from "../../../../core/text/safe.ts"

export function configure(command: Command): void {
  command
    .description("Stop a running or paused execution. Calls already made are not undone.")
    .argument("<id>", `The id, as shown by ${executorCommand} executions list. A unique prefix is enough.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} executions cancel exe_123\n`)
  actWithExecutor<[string], object>(command, async ([word], _options, context) => {
    const id = await resolveId(word, ["exe"], context.api)
    const reply = await context.api.executions.cancel(id)
    context.print(reply, () => `${safeLine(reply.executionId)}: ${reply.status}`)
  })
}
