// `executor tools describe`: shows what one tool takes and answers.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { splitCallWords } from "../../arguments/words.ts"
import { actWithExecutor } from "../../command-action.ts"
import { describeForMachines, toolHelp } from "../../tools/help.ts"
import { findTool } from "../../tools/lookup.ts"

export function configure(command: Command): void {
  command
    .description("Show a tool's description, input and output as TypeScript; with --json, its JSON Schemas too.")
    .argument("<path...>", "The tool's path, dotted or as separate words.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} tools describe github.org.main.repos.get\n`)
  actWithExecutor<[string[]], object>(command, async ([words], _options, context) => {
    const found = await findTool(splitCallWords(words).path, context.api)
    context.print(describeForMachines(found), () => toolHelp(found, context.screen.out))
  })
}
