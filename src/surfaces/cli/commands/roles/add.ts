// `executor roles add`: adds a role, which decides what its members see.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { approvePrefix, plainRights } from "../../../../core/people/role.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { parseList } from "../../option-parse.ts"
import { notePatterns } from "../../print/pattern-notes.ts"

type AddOptions = { readonly name?: string; readonly description?: string; readonly pattern?: string[]; readonly right?: string[] }

const rightsText = `What else its members may do, separated by commas: ${plainRights.join(", ")}, or ${approvePrefix}<pattern>, e.g. '${approvePrefix}github.**'.`

export function configure(command: Command): void {
  command
    .argument("<id>", "The role's id, e.g. developer.")
    .option("--name <name>", "The name; by default the id.")
    .option("--description <text>", "What it is for.")
    .option("--pattern <patterns>", "The tools that its members see, separated by commas, e.g. 'github.**,slack.channels.list'.", parseList)
    .option("--right <rights>", rightsText, parseList)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} roles add developer --pattern 'github.**,slack.channels.list'\n`)
  actWithExecutor<[string], AddOptions>(command, async ([id], { name, description, pattern, right }, context) => {
    const role = await context.api.roles.create({
      id,
      name: name ?? id,
      patterns: pattern ?? [],
      ...omitUndefined({ description, rights: right }),
    })
    context.print(role, () => `Added ${safeLine(role.id)}: ${safeLine([...role.patterns, ...role.rights].join(", ") || "sees nothing")}`)
    await notePatterns(pattern ?? [], context)
  })
}
