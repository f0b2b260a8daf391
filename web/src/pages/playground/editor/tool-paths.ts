// Completes `tools.<path>` from the server's index, so that no catalog has to be in the browser.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import type { ToolView } from "toolplane/client"
import { withoutRoot } from "../../../../../src/core/address.ts"
import { client } from "../../../api/client.ts"
import { queryClient } from "../../../api/query.ts"
import { safeLine } from "../../../ui/text/text.tsx"
import { integrationsQuery } from "../../registry/queries.ts"

const shownMax = 60
/** What finds tools, for everybody. */
const finders = [
  "search",
  "describe.tool",
  "discover",
  "catalog.namespaces",
  "catalog.tools",
  "executor.sources.list",
  "executor.results.read",
]

export async function completeToolPath(context: CompletionContext): Promise<CompletionResult | null> {
  const typed = context.matchBefore(/\btools\.[\w$.]*/)
  if (typed === null) return null
  const path = typed.text.slice("tools.".length)
  const from = typed.from + "tools.".length
  const dot = path.indexOf(".")
  const options = dot === -1 ? await firstSegments(path) : await toolsBelow(path.slice(0, dot), path.slice(dot + 1))
  // What was typed meanwhile asks again.
  return context.aborted ? null : { from, options: options.filter(({ label }) => label !== path), filter: false }
}

async function firstSegments(typed: string): Promise<Completion[]> {
  const [integrations, found] = await Promise.all([
    queryClient.ensureQueryData(integrationsQuery),
    typed.length < 2 ? null : client.tools.search({ query: typed, limit: 12 }),
  ])
  const begins = (name: string): boolean => name.toLowerCase().startsWith(typed.toLowerCase())
  return [
    ...integrations.filter(([slug]) => begins(slug)).map(([slug, name]) => ({ label: slug, type: "namespace", detail: safeLine(name) })),
    ...finders.filter(begins).map((label) => ({ label, type: "function" })),
    ...(found?.items ?? []).map(({ path, description }) => toOption(withoutRoot(path), description)),
  ]
}

async function toolsBelow(integration: string, typed: string): Promise<Completion[]> {
  const { items } = await queryClient.fetchQuery({
    queryKey: ["tools", "below", integration, typed],
    queryFn: () => client.tools.page({ integration, ...queryOf(typed) }, { limit: shownMax }),
    staleTime: 30_000,
  })
  const isShort = new Set(items.map(connectionOf)).size === 1 && !/^(?:org|user)\./.test(typed)
  return items
    .map((tool) => toOption(isShort ? shortPathOf(tool) : withoutRoot(tool.address), tool.description))
    .filter(({ label }) => label.toLowerCase().startsWith(`${integration}.${typed}`.toLowerCase()))
}

/** Whoever writes the whole address has to name a tool before there is something to look for. */
const queryOf = (typed: string): { query?: string } => {
  const words = typed.replace(/^(?:org|user)\.?(?:[a-z0-9_]*\.?)?/, "").trim()
  return words === "" ? {} : { query: words }
}

const connectionOf = ({ owner, connection }: ToolView): string => `${owner}.${connection}`

const shortPathOf = (tool: ToolView): string => {
  const path = withoutRoot(tool.address)
  return tool.static ? path : path.replace(`${tool.integration}.${connectionOf(tool)}.`, `${tool.integration}.`)
}

const detailCharsMax = 60

const toOption = (label: string, description: string): Completion => {
  const about = safeLine(description)
  return {
    label,
    type: "function",
    ...(about === "" ? {} : { detail: about.length <= detailCharsMax ? about : `${about.slice(0, detailCharsMax)}…` }),
  }
}
