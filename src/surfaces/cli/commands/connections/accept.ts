// `executor connections accept`: accepts tools that are not what a human accepted before, as they are now.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { actWithExecutor } from "../../command-action.ts"
import { connectionPath, readConnectionKey } from "../../connections/key.ts"
import type { ConnectionOptions } from "../../connections/key.ts"
import { collect, parseOwner } from "../../option-parse.ts"
import { safeLine } from "../../../../core/text/safe.ts"

type AcceptOptions = ConnectionOptions & { readonly tool?: string[] }

export function configure(command: Command): void {
  command
    .description(
      `Accept tools that have changed since they were connected. Until you do, they require approval. To see a tool's current definition, run ${executorCommand} tools describe.`,
    )
    .argument("<connection>", "The integration's slug, or a full connection name such as github.user.work.")
    .option("--tool <name>", "Only this tool. Can be repeated.", collect)
    .option("--name <name>", "The connection's name (default main).")
    .option("--owner <owner>", "org (default) or user.", parseOwner)
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} connections accept notes\n  $ ${executorCommand} connections accept notes --tool search\n`,
    )
  actWithExecutor<[string], AcceptOptions>(command, async ([word], options, context) => {
    const key = readConnectionKey(word, options)
    const before = await context.api.connections.get(key)
    const connection = await context.api.connections.update(key, { acceptTools: options.tool ?? true })
    const accepted = before.changedTools.filter((tool) => !connection.changedTools.includes(tool))
    context.print(connection, () => `${connectionPath(connection)}: ${acceptedText(accepted)}${leftText(connection.changedTools)}`)
  })
}

const acceptedText = (tools: readonly string[]): string => (tools.length === 0 ? "nothing has changed" : `accepted ${listed(tools)}`)
const leftText = (tools: readonly string[]): string => (tools.length === 0 ? "" : `; still changed: ${listed(tools)}`)
const listed = (tools: readonly string[]): string => tools.map((tool) => safeLine(tool)).join(", ")
