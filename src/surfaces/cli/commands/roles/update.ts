// `executor roles update`: changes what the members of a role see and may do, from their next call on.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { parseList } from "../../option-parse.ts"
import { notePatterns } from "../../print/pattern-notes.ts"
import { UsageError } from "../../usage-error.ts"

type UpdateOptions = { readonly name?: string; readonly description?: string; readonly pattern?: string[]; readonly right?: string[] }

export function configure(command: Command): void {
  command
    .argument("<id>", `The role, as shown by ${executorCommand} roles list.`)
    .option("--name <name>", "The name.")
    .option("--description <text>", "What it is for.")
    .option("--pattern <patterns>", "All patterns, separated by commas; '' for none.", parseList)
    .option("--right <rights>", "All rights, separated by commas; '' for none.", parseList)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} roles update developer --pattern 'github.**'\n`)
  actWithExecutor<[string], UpdateOptions>(command, async ([id], { name, description, pattern, right }, context) => {
    const isGiven = (text: string): boolean => text !== ""
    const change = omitUndefined({ name, description, patterns: pattern?.filter(isGiven), rights: right?.filter(isGiven) })
    if (Object.keys(change).length === 0) throw new UsageError("Nothing to change: give --name, --description, --pattern or --right")
    const role = await context.api.roles.update(id, change)
    context.print(role, () => `Changed ${safeLine(role.id)}: ${safeLine([...role.patterns, ...role.rights].join(", ") || "sees nothing")}`)
    await notePatterns(change.patterns ?? [], context)
  })
}
