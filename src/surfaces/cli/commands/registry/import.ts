// `executor registry import`: brings tools of another server or an older system into this tenant.
import type { Command } from "commander"
import { isRecord } from "../../../../core/json/record.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { counted } from "../../print/count.ts"
import { withProgress } from "../../print/progress.ts"
import { readJson } from "../../prompt/input-read.ts"
import { inCommands } from "../../registry/act.ts"
import { commandsFor } from "../../registry/command-words.ts"
import { UsageError } from "../../usage-error.ts"

export function configure(command: Command): void {
  command
    .description(
      "Import tools from a file that `registry export` or an older system wrote. Tools whose slug is taken are skipped. For admins.",
    )
    .argument("<file>", "The file; - reads stdin.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} registry import registry.json\n`)
  actWithExecutor<[string], object>(command, async ([file], _options, context) => {
    const content = await readJson(file === "-" ? "-" : `@${file}`, "The file")
    if (!Array.isArray(content) && !(isRecord(content) && Array.isArray(content["tools"])))
      throw new UsageError(`The file must be { "tools": […] }, as ${executorCommand} registry export writes it`)
    const result = await withProgress("Importing tools", context.screen, () => inCommands(() => context.api.registry.import(content)))
    const { artifacts, created, skipped, warnings } = result
    const added = `${counted(created.length, "tool")}${artifacts.length === 0 ? "" : ` and ${counted(artifacts.length, "artifact")}`}`
    context.print(result, () => `Imported ${added}${skipped.length === 0 ? "" : `, skipped ${skipped.length}`}`)
    if (context.printsJson) return
    for (const warning of warnings) context.screen.note(`${context.screen.err.yellow("warning:")} ${safeLine(commandsFor(warning))}`)
  })
}
