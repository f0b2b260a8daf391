// `executor tools search`: finds tools by what they do.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { SearchItem } from "../../../../core/discovery.ts"
import { actWithExecutor } from "../../command-action.ts"
import { unconnectedSlugs } from "../../connections/unconnected.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { parseCount, parseOffset } from "../../option-parse.ts"
import { formatTable } from "../../print/table.ts"
import type { Column } from "../../print/table.ts"

type SearchOptions = { readonly namespace?: string; readonly limit?: number; readonly offset?: number }

const columns: readonly Column<SearchItem>[] = [
  { title: "PATH", value: (item) => item.path, keeps: true },
  { title: "DECISION", value: (item) => (item.requiresApproval ? "asks" : "allowed") },
  { title: "WHAT", value: (item) => `${item.deprecated === true ? "Deprecated. " : ""}${item.description || item.name}` },
]

export function configure(command: Command): void {
  command
    .description("Find tools by describing the task in plain words; best matches first.")
    .argument("<query...>", "What the tool should do.")
    .option("-n, --namespace <prefix>", "Only below this path, e.g. github.")
    .option("--limit <number>", "The maximum number of results (default 12).", parseCount)
    .option("--offset <number>", "Skip this many results.", parseOffset)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} tools search "github issues" --namespace github --limit 12\n`)
  actWithExecutor<[string[]], SearchOptions>(command, async ([words], { namespace, limit, offset }, context) => {
    const page = await context.api.tools.search({ query: words.join(" "), ...omitUndefined({ namespace, limit, offset }) })
    const { screen } = context
    if (context.printsJson || page.items.length > 0)
      context.print(page, () => formatTable(columns, page.items, { columns: screen.columns, heading: screen.out.bold }))
    if (context.printsJson) return
    if (page.weak === true && page.items.length > 0) screen.note("No tool fits well; these are the nearest ones.")
    if (page.items.every(({ integration }) => ownSlugs.has(integration))) {
      const unconnected = unconnectedHints(await unconnectedSlugs(context.api))
      if (page.items.length === 0) screen.note([noMatch, ...unconnected].join("\n"))
      else if (unconnected.length > 0) screen.note(["Only tools of Executor itself match.", ...unconnected].join("\n"))
    }
    if (page.nextOffset !== null) screen.note(screen.err.dim(`${page.total} tools match. For more, add --offset ${page.nextOffset}`))
  })
}

const noMatch = `No tools match. To see the available integrations, run ${executorCommand} tools sources`

/** Tools that are there from the start, and match a word of most tasks. */
const ownSlugs: ReadonlySet<string> = new Set(["builtin", "executor"])

/** What is sought may be in an API that was added and not connected. */
const unconnectedHints = (slugs: readonly string[]): string[] =>
  slugs
    .slice(0, unconnectedShownMax)
    .map((slug) => `${slug} is not connected, so its tools cannot be found: ${executorCommand} connections add ${slug}`)

const unconnectedShownMax = 3
