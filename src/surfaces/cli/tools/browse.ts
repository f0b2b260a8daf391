// Walks the paths of tools: what stands below a prefix, group by group.
import { withoutRoot } from "../../../core/address.ts"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import { readAll } from "../connections/unconnected.ts"
import type { ToolView } from "../../../core/tool.ts"

export type Branch = {
  readonly path: string
  /** One, where the path itself is a tool. */
  readonly toolCount: number
  /** How many of them a policy blocks. */
  readonly blockedCount: number
  readonly isTool: boolean
  readonly description: string
}

type Member = { readonly path: string; readonly view: ToolView }

/** The integrations where the prefix is empty; nothing where nothing begins with it. Groups with one way on are walked through. */
export async function branchesBelow(prefix: string, api: ExecutorApi): Promise<Branch[]> {
  if (prefix === "") return integrationBranches(api)
  const [integration = ""] = prefix.split(".")
  const views = await api.tools.list({ integration, includeBlocked: true })
  const full = views.map((view) => ({ path: withoutRoot(view.address), view }))
  const short = views.map((view) => ({ path: `${view.integration}.${view.name}`, view }))
  for (const named of [full, short]) {
    const below = named.filter(({ path }) => path.startsWith(`${prefix}.`))
    if (below.length > 0) return group(prefix, below)
  }
  return []
}

function group(prefix: string, below: readonly Member[]): Branch[] {
  const groups = new Map<string, Member[]>()
  for (const one of below) {
    const end = one.path.indexOf(".", prefix.length + 1)
    const path = end < 0 ? one.path : one.path.slice(0, end)
    groups.set(path, [...(groups.get(path) ?? []), one])
  }
  const [only] = groups.keys()
  const isOneWay = groups.size === 1 && only !== undefined && below.every(({ path }) => path !== only)
  return isOneWay ? group(only, below) : [...groups].map(([path, members]) => toBranch(path, members))
}

function toBranch(path: string, members: readonly Member[]): Branch {
  const itself = members.find((one) => one.path === path)
  const description = itself === undefined ? titlesOf(members) : titleOf(itself)
  const blockedCount = members.filter(({ view }) => view.policy === "block").length
  return { path, toolCount: members.length, blockedCount, isTool: itself !== undefined, description }
}

const titleOf = ({ view }: Member): string => view.title || view.description

/** A group says what it holds by its first tools. */
const titlesOf = (members: readonly Member[]): string =>
  `${members.slice(0, groupTitlesMax).map(titleOf).join(", ")}${members.length > groupTitlesMax ? ", …" : ""}`

const groupTitlesMax = 3

async function integrationBranches(api: ExecutorApi): Promise<Branch[]> {
  const integrations = await readAll((page) => api.integrations.list(page))
  return integrations.map(({ slug, name, facts }) => ({
    path: slug,
    toolCount: facts.toolCount,
    blockedCount: 0,
    isTool: false,
    description: name,
  }))
}
