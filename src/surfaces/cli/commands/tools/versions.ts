// `executor tools versions`: shows when a tool changed, what changed, and how much each version is used.
import type { Command } from "commander"
import { executorCommand } from "../../../../io/executor-command.ts"
import type { ToolVersionView } from "../../../../core/registry/tool-version.ts"
import { splitCallWords } from "../../arguments/words.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { parseCount } from "../../option-parse.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

type VersionOptions = { readonly limit?: number; readonly cursor?: string }

const columns: readonly Column<ToolVersionView>[] = [
  { title: "VERSION", value: ({ version }) => version, keeps: true },
  { title: "SINCE", value: ({ at }) => (at === null ? "" : shortTime(at)) },
  { title: "CHANGE", value: ({ change, diff }) => (diff === null ? change : diff.kind) },
  { title: "CALLS (30 DAYS)", value: ({ callsLast30Days }) => String(callsLast30Days) },
  { title: "WHAT", value: whatOf },
]

/** The worst change, and how many there are besides. */
function whatOf({ diff }: ToolVersionView): string {
  const [first, ...rest] = diff?.changes ?? []
  if (first === undefined) return ""
  return `${first.path}: ${first.message}${rest.length === 0 ? "" : ` (and ${rest.length} more)`}`
}

export function configure(command: Command): void {
  command
    .description("Show the versions of a tool, newest first: what changed, and how many calls of the last 30 days used each.")
    .argument("<path...>", "The tool's path, dotted or as separate words.")
    .option("--limit <number>", "The maximum number of results.", parseCount)
    .option("--cursor <cursor>", "Continue from a previous page.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} tools versions github.org.main.issues.create\n  $ ${executorCommand} tools versions github.issues.create --json\n`,
    )
  actWithExecutor<[string[]], VersionOptions>(command, async ([words], { limit, cursor }, context) => {
    const page = await context.api.tools.versions(splitCallWords(words).path, omitUndefined({ limit, cursor }))
    printPage(page, columns, "", context)
  })
}
