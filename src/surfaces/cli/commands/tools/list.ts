// `executor tools list`: lists all tools, or those of one integration.
import { executorCommand } from "../../../../io/executor-command.ts"
import { Option } from "commander"
import type { Command } from "commander"
import { withoutRoot } from "../../../../core/address.ts"
import type { Owner } from "../../../../core/address.ts"
import type { ExecutorApi } from "../../../../core/executor-api.ts"
import { toolStatuses } from "../../../../core/registry/tool.ts"
import type { ToolStatus } from "../../../../core/registry/tool.ts"
import type { ToolFilter, ToolView } from "../../../../core/tool.ts"
import { TOOL_BUCKETS, TOOL_SUBTYPES, getSubtypeLabel, getToolBucket } from "../../../../core/tool-types.ts"
import type { ToolBucket } from "../../../../core/tool-types.ts"
import { actWithExecutor } from "../../command-action.ts"
import { decisionText } from "../../print/decision-text.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { parseCount, parseOwner } from "../../option-parse.ts"
import { printPage } from "../../print/page.ts"
import type { Column } from "../../print/table.ts"
import { counted } from "../../print/count.ts"
import { safeText } from "../../../../core/text/safe.ts"

type ListOptions = {
  readonly all?: boolean
  readonly integration?: string
  readonly owner?: Owner
  readonly connection?: string
  readonly query?: string
  readonly includeBlocked?: boolean
  readonly status?: ToolStatus
  readonly type?: string
  readonly bucket?: ToolBucket
  readonly limit?: number
  readonly cursor?: string
}

const columns: readonly Column<ToolView>[] = [
  { title: "PATH", value: (tool) => withoutRoot(tool.address), keeps: true },
  { title: "DECISION", value: (tool) => `${decisionText(tool.policy)}${tool.changed === true ? " (changed)" : ""}` },
  { title: "BUCKET", value: bucketLabel },
  { title: "TYPE", value: (tool) => getSubtypeLabel(tool.implementationType) },
  { title: "STATUS", value: statusText },
  { title: "VERSION", value: (tool) => tool.version },
  { title: "WHAT", value: (tool) => tool.title || tool.description },
]

export function configure(command: Command): void {
  command
    .description("List the tools you can see: all of them unless you set --limit.")
    .option("-i, --integration <slug>", "Only for this integration.")
    .option("--owner <owner>", "Only for connections of this owner: org or user.", parseOwner)
    .option("--connection <name>", "Only for connections with this name.")
    .option("-q, --query <text>", "Only with this text in their name or description.")
    .addOption(new Option("--status <status>", "Only tools of this status.").choices(toolStatuses))
    .addOption(new Option("--type <type>", "Only tools of this implementation type.").choices(TOOL_SUBTYPES.map(({ id }) => id)))
    .addOption(new Option("--bucket <bucket>", "Only tools of this bucket.").choices(TOOL_BUCKETS.map(({ id }) => id)))
    .option("--include-blocked", "Include tools that a policy blocks.")
    .option("--all", "Include the tools that administer Executor itself (executor.coreTools.*).")
    .option("--limit <number>", "The maximum number of results.", parseCount)
    .option("--cursor <cursor>", "Continue from a previous page.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} tools list --integration github\n  $ ${executorCommand} tools list --query issue --json\n`,
    )
  actWithExecutor<[], ListOptions>(command, async (_args, { limit, cursor, all, ...filter }, context) => {
    const { integration, owner, connection, query, includeBlocked, status, type: implementationType, bucket: toolType } = filter
    const wanted = omitUndefined({ integration, owner, connection, query, includeBlocked, status, implementationType, toolType })
    const isWhole = limit === undefined && cursor === undefined
    // Of a whole list it is said how many are left out.
    const page = isWhole
      ? { items: await context.api.tools.list(context.printsJson ? wanted : { ...wanted, includeBlocked: true }), nextCursor: null }
      : await context.api.tools.page(wanted, omitUndefined({ limit, cursor }))
    if (context.printsJson) return context.print(page, () => "")
    const known = page.items.filter(
      ({ address }) => all === true || integration !== undefined || toolType !== undefined || !address.startsWith("executor.coreTools."),
    )
    const items = includeBlocked === true ? known : known.filter(({ policy }) => policy !== "block")
    const blocked = known.length - items.length
    printPage({ ...page, items }, columns, known.length > 0 ? "" : await whyNone(wanted, context.api), context)
    if (blocked > 0) context.screen.note(context.screen.err.dim(`${counted(blocked, "blocked tool")} not shown; add --include-blocked`))
  })
}

function bucketLabel(tool: ToolView): string {
  const bucket = getToolBucket(tool)
  return TOOL_BUCKETS.find(({ id }) => id === bucket)?.label ?? bucket
}

function statusText({ status, isActive, hasUnpublishedChanges }: ToolView): string {
  if (isActive === false) return `${status} (inactive)`
  return hasUnpublishedChanges === true && status !== "draft" ? `${status} (changes)` : status
}

const noneOf = (integration: string): string =>
  `You see no tool of '${safeText(integration)}'; what there is: ${executorCommand} integrations list`

/** An integration whose source did not answer has a connection already. */
async function whyNone({ integration, includeBlocked: _blocked, ...filter }: ToolFilter, api: ExecutorApi): Promise<string> {
  const found = integration === undefined ? [] : (await api.connections.list({ integration })).items
  const unready = found.filter((connection) => connection.status !== "ready")
  if (unready.length === 0 && Object.keys(filter).length > 0) return "No tool matches; leave out a filter to see more"
  if (unready.length === 0 && integration !== undefined) return noneOf(integration)
  if (unready.length === 0) return `There are no tools. Add an API with ${executorCommand} integrations add <url-or-file>`
  const lines = unready.map(
    ({ address, status, error }) => `${withoutRoot(address)}: ${status}${error === null ? "" : `: ${safeText(error)}`}`,
  )
  const [first] = unready
  const again = first?.status === "error" ? [`Try again: ${executorCommand} connections refresh ${withoutRoot(first.address)}`] : []
  return ["There are no tools.", ...lines, ...again].join("\n")
}
