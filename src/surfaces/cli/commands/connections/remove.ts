// `executor connections remove`: removes a connection with its credentials.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { actWithExecutor } from "../../command-action.ts"
import { confirmLoss } from "../../prompt/confirm.ts"
import { connectionPath, readConnectionKey } from "../../connections/key.ts"
import type { ConnectionOptions } from "../../connections/key.ts"
import { parseOwner } from "../../option-parse.ts"
import { safeLine } from "../../../../core/text/safe.ts"

export function configure(command: Command): void {
  command
    .argument("<connection>", "The integration's slug, or a full connection name such as github.user.work.")
    .option("--name <name>", "The connection's name (default main).")
    .option("--owner <owner>", "org (default) or user.", parseOwner)
    .option("-y, --yes", "Skip the confirmation.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} connections remove github.org.main\n`)
  actWithExecutor<[string], ConnectionOptions & { readonly yes?: boolean }>(command, async ([word], options, context) => {
    const key = readConnectionKey(word, options)
    await confirmLoss(`Remove ${connectionPath(key)} and its credentials?`, options, context.screen)
    await context.api.connections.remove(key)
    context.print({ removed: connectionPath(key) }, () => `Removed ${safeLine(connectionPath(key))}`)
  })
}
