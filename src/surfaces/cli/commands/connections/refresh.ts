// `executor connections refresh`: reads an integration's tools again through one connection.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { actWithExecutor } from "../../command-action.ts"
import { connectionPath, readConnectionKey } from "../../connections/key.ts"
import type { ConnectionOptions } from "../../connections/key.ts"
import { exitCodes } from "../../exit-code.ts"
import { parseOwner } from "../../option-parse.ts"
import { withProgress } from "../../print/progress.ts"
import { counted } from "../../print/count.ts"
import { safeLine } from "../../../../core/text/safe.ts"

export function configure(command: Command): void {
  command
    .argument("<connection>", "The integration's slug, or a full connection name such as github.user.work.")
    .option("--name <name>", "The connection's name (default main).")
    .option("--owner <owner>", "org (default) or user.", parseOwner)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} connections refresh github.org.main\n`)
  actWithExecutor<[string], ConnectionOptions>(command, async ([word], options, context) => {
    const key = readConnectionKey(word, options)
    const connection = await withProgress(`Reading ${connectionPath(key)}`, context.screen, () => context.api.connections.refresh(key))
    const { status, toolCount, error } = connection
    context.print(
      connection,
      () => `${connectionPath(connection)}: ${status}, ${counted(toolCount, "tool")}${error === null ? "" : `, ${safeLine(error)}`}`,
    )
    return status === "ready" ? exitCodes.done : exitCodes.failed
  })
}
