// `executor tools versions`: shows when a tool changed, what changed, and how much each version is used.
import type { Command } from "commander"
import { executorCommand } from "../../../../io/executor-command.ts"
import type { ToolVersionView } from "../../../../core/registry/tool-version.ts"
import { splitCallWords } from "../../arguments/words.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { parseCount } from "../../option-parse.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { diffText } from "../../print/diff-text.ts"
import { UsageError } from "../../usage-error.ts"
import { printPage, shortTime } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"

type VersionOptions = { readonly limit?: number; readonly cursor?: string; readonly from?: string; readonly to?: string }

const columns: readonly Column<ToolVersionView>[] = [
  { title: "VERSION", value: ({ version }) => version, keeps: true },
  { title: "SINCE", value: ({ at }) => (at === null ? "" : shortTime(at)) },
  { title: "CHANGE", value: ({ change, diff }) => (diff === null ? change : diff.kind) },
  { title: "CALLS (30 DAYS)", value: ({ callsLast30Days }) => String(callsLast30Days) },
  { title: "CALLERS", value: ({ callersLast30Days }) => String(callersLast30Days) },
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
    .option("--from <version>", "Compare this version with --to, instead of listing; they need not follow each other.")
    .option("--to <version>", "The later version.")
    .option("--limit <number>", "The maximum number of results.", parseCount)
    .option("--cursor <cursor>", "Continue from a previous page.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} tools versions github.org.main.issues.create\n  $ ${executorCommand} tools versions github.issues.create --json\n  $ ${executorCommand} tools versions github.issues.create --from 1 --to 3\n`,
    )
  actWithExecutor<[string[]], VersionOptions>(command, async ([words], { limit, cursor, from, to }, context) => {
    const { path } = splitCallWords(words)
    if (from !== undefined && to !== undefined) {
      const diff = await context.api.tools.diffVersions(path, { from, to })
      return context.print(diff, () => diffText(`${safeLine(path)} from ${safeLine(from)} to ${safeLine(to)}`, diff, context.screen.out))
    }
    if (from !== undefined || to !== undefined) throw new UsageError("To compare two versions, give both --from and --to")
    const page = await context.api.tools.versions(path, omitUndefined({ limit, cursor }))
    printPage(page, columns, "", context)
  })
}
