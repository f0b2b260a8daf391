// `executor tools sources`: lists integrations with their number of tools.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import type { SourceItem, SourcePage } from "../../../../core/discovery.ts"
import { withoutRoot } from "../../../../core/address.ts"
import { ExecutorError } from "../../../../core/errors.ts"
import type { ExecutorApi } from "../../../../core/executor-api.ts"
import { actWithExecutor } from "../../command-action.ts"
import { readAll } from "../../connections/unconnected.ts"
import { formatTable } from "../../print/table.ts"
import type { Column } from "../../print/table.ts"
import { toolCountText } from "../../print/count.ts"
import { safeLine } from "../../../../core/text/safe.ts"

type CountedSource = SourceItem & { readonly blockedCount: number }

const columns: readonly Column<CountedSource>[] = [
  { title: "SOURCE", value: (item) => item.slug, keeps: true },
  { title: "KIND", value: (item) => item.kind },
  { title: "TOOLS", value: toolCountText },
  { title: "CONNECTIONS", value: connectionsText },
  { title: "WHAT", value: (item) => item.description || item.name },
]

/** Tools that can be seen without a connection are static, and need none. */
function connectionsText({ connections, unready, toolCount, slug }: SourceItem): string {
  const all = [...connections, ...unready.map(({ address, status }) => `${withoutRoot(address)} (${status.replace("_", " ")})`)]
  if (all.length > 0) return all.join(", ")
  return toolCount > 0 ? "needs none" : `none: ${executorCommand} connections add ${slug}`
}

export function configure(command: Command): void {
  command
    .description("List integrations with the number of their tools.")
    .argument("[query]", "Only those with this text in their name or description.")
    .addHelpText("after", `\nExamples:\n  $ ${executorCommand} tools sources\n  $ ${executorCommand} tools sources git\n`)
  actWithExecutor<[string | undefined], object>(command, async ([query], _options, context) => {
    const { screen } = context
    const items: SourceItem[] = []
    for (let offset: number | null = 0; offset !== null;) {
      const page: SourcePage = await readSources(query, offset, context.api)
      items.push(...page.items)
      offset = page.nextOffset
    }
    const counted = context.printsJson ? [] : await withBlocked(items, context.api)
    if (context.printsJson || items.length > 0)
      context.print({ items, total: items.length, hasMore: false, nextOffset: null }, () =>
        formatTable(columns, counted, { columns: screen.columns, heading: screen.out.bold }),
      )
    if (!context.printsJson && items.length === 0)
      screen.note(
        query === undefined
          ? `No integrations yet. Add an API with ${executorCommand} integrations add <url-or-file>`
          : `No integration matches '${safeLine(query)}'. To list all of them, run ${executorCommand} tools sources`,
      )
  })
}

/** Discovery counts what can be called; a connection has what a policy blocks as well. */
async function withBlocked(items: readonly SourceItem[], api: ExecutorApi): Promise<CountedSource[]> {
  const known = new Map<string, number>()
  for (const { integration, status, toolCount } of await readAll((page) => api.connections.list(page)))
    if (status === "ready") known.set(integration, Math.max(toolCount, known.get(integration) ?? 0))
  return items.map((item) => {
    const toolCount = Math.max(item.toolCount, known.get(item.slug) ?? 0)
    return { ...item, toolCount, blockedCount: toolCount - item.toolCount }
  })
}

/** Only code can ask for them. */
async function readSources(query: string | undefined, offset: number, api: ExecutorApi): Promise<SourcePage> {
  const input = { ...(query === undefined ? {} : { query }), offset, limit: 100 }
  const { structured } = await api.run(`return await tools.executor.sources.list(${JSON.stringify(input)})`)
  if (structured.status === "completed") return structured.result as SourcePage // a discovery built-in's own answer
  throw new ExecutorError(
    "internal",
    structured.status === "failed" ? (structured.error?.message ?? "") : "Could not read the integrations",
  )
}
