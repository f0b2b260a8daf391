// Pages of tools over all visible connections, each at the cost of what it returns.
//
// The order is that of connections, then the tool's name, and the rows of a connection lie in its tool set: no
// index has that order. So a page is read in steps: the next connections that have tools, then the tools of as
// many of their sets as the page has room for (whole sets together, a part of a set alone; where only some tools are
// wanted, those by their names). All steps see one state of the database, because a set may be replaced between two of
// them.
import type { ConnectionName, ConnectionRef, IntegrationSlug, Owner } from "../../core/address.ts"
import type { SourceKind } from "../../core/integration.ts"
import type { Scope } from "../../core/principal.ts"
import type { Reader } from "../session.ts"
import type { Builder } from "../statement.ts"
import { compile } from "../statement.ts"
import type { After, ConnectionFilter, ToolKey, ChooseNames, ToolListFilter, ToolListRow, ToolRowFilter } from "../store.ts"
import type { ConnectionStart } from "./connection-order.ts"
import { ownerRange, visibleOwners } from "./connection-order.ts"
import { ownerOf } from "./owner.ts"
import { factColumns, readFacts } from "./tool-facts.ts"
import type { ReadToolNames } from "./tool-names.ts"
import { searchCondition } from "./tool-search.ts"

type Producer = ConnectionRef & {
  readonly kind: SourceKind
  readonly toolSetId: string
  readonly toolCount: number
  readonly changedTools: ReadonlySet<string>
}
type Facts = ReturnType<typeof readFacts>

/** With a text filter most tools are read to be left out, so that larger steps pay. */
const filteredToolsPerStep = 2000
/** One connection often fills a page; where they are small, each step takes twice as many. */
const connectionsPerStep = { first: 8, most: 256 }

export function toolPages(builder: Builder, readNames: ReadToolNames) {
  return async (session: Reader, scope: Scope, filter: ToolListFilter, page: After<ToolKey>): Promise<ToolListRow[]> => {
    const rows: ToolListRow[] = []
    const choose = filter.query === undefined ? filter.choose : undefined
    let start: ConnectionStart = page.after === null ? { kind: "beginning" } : { kind: "from", ref: page.after }
    let connectionCount = connectionsPerStep.first
    while (rows.length < page.limit) {
      const producers = readProducers(await session.all(compile(producersQuery(builder, scope, filter, start, connectionCount))))
      let rest = producers
      while (rest.length > 0 && rows.length < page.limit) {
        const room = page.limit - rows.length
        const step = choose ? await namedStep(session, scope, choose, rest, page, room) : nextStep(rest, page, room, filter)
        const sets = await readTools(session, scope, filter, step)
        for (const producer of step.producers) rows.push(...producedRows(producer, sets.get(producer.toolSetId) ?? [], step))
        rest = rest.slice(step.producers.length)
      }
      const last = producers.at(-1)
      if (!last || producers.length < connectionCount) break
      start = { kind: "after", ref: last }
      connectionCount = Math.min(connectionCount * 2, connectionsPerStep.most)
    }
    return rows.slice(0, page.limit)
  }

  async function readTools(session: Reader, scope: Scope, filter: ToolRowFilter, step: Step): Promise<Map<string, Facts[]>> {
    const sets = new Map<string, Facts[]>()
    const query = step.kind === "named" ? namedToolsQuery(builder, scope, step) : toolsQuery(builder, scope, filter, step)
    for (const row of query === null ? [] : await session.all(compile(query))) {
      const facts = sets.get(row.tool_set_id) ?? []
      facts.push(readFacts(row))
      sets.set(row.tool_set_id, facts)
    }
    return sets
  }

  /** Of the next connections as many as it takes to fill the room. */
  async function namedStep(
    session: Reader,
    scope: Scope,
    choose: ChooseNames,
    producers: readonly Producer[],
    page: After<ToolKey>,
    room: number,
  ): Promise<NamedStep> {
    const names = new Map<Producer, readonly string[]>()
    let left = room
    for (const producer of producers.slice(0, setsPerStatement)) {
      if (left === 0) break
      const all = await readNames(session, scope.tenant, producer.toolSetId)
      const wanted = wantedNames(all, await choose(producer, all), afterNameOf(producer, page), left)
      names.set(producer, wanted)
      left -= wanted.length
    }
    return { kind: "named", producers: [...names.keys()], names }
  }
}

/** Each is a part of its own, and databases limit how many there may be. */
const setsPerStatement = 100

/** The first that come after a name, of all or of those at the positions. */
function wantedNames(all: readonly string[], chosen: Uint32Array | null, afterName: string, limit: number): string[] {
  const nameAt = (index: number): string => all[chosen === null ? index : (chosen[index] ?? all.length)] ?? ""
  const count = chosen?.length ?? all.length
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (nameAt(middle) <= afterName) low = middle + 1
    else high = middle
  }
  return Array.from({ length: Math.min(limit, count - low) }, (_, index) => nameAt(low + index))
}

function producedRows(producer: Producer, found: readonly Facts[], step: Step): ToolListRow[] {
  if (step.kind !== "named") return found.map((facts) => listRow(producer, facts))
  const byName = new Map(found.map((facts) => [facts.name as string, facts]))
  return (step.names.get(producer) ?? []).flatMap((name) => {
    const facts = byName.get(name)
    return facts === undefined ? [] : [listRow(producer, facts)]
  })
}

export type NamedStep = {
  /** Tools of these connections by their names. */
  readonly kind: "named"
  readonly producers: readonly Producer[]
  readonly names: ReadonlyMap<Producer, readonly string[]>
}

type Step = NamedStep | SetStep

export type SetStep =
  /** All tools of these connections. */
  | { readonly kind: "whole"; readonly producers: readonly Producer[] }
  /** Tools of one connection after a name, at most `limit`. */
  | { readonly kind: "part"; readonly producers: readonly [Producer]; readonly afterName: string; readonly limit: number }

function nextStep(producers: readonly Producer[], page: After<ToolKey>, room: number, filter: ToolRowFilter): SetStep {
  const [first] = producers
  if (!first) throw new Error("A step needs a connection")
  const afterName = afterNameOf(first, page)
  const budget = filter.query === undefined ? room : Math.max(room, filteredToolsPerStep)
  if (afterName !== "" || first.toolCount > budget) return { kind: "part", producers: [first], afterName, limit: room }
  let toolCount = 0
  const fitting = producers.findIndex((producer) => (toolCount += producer.toolCount) > budget)
  return { kind: "whole", producers: fitting === -1 ? producers : producers.slice(0, fitting) }
}

const afterNameOf = (producer: Producer, { after }: After<ToolKey>): string =>
  after !== null && isSameConnection(producer, after) ? after.tool : ""

const isSameConnection = (a: ConnectionRef, b: ConnectionRef): boolean =>
  a.integration === b.integration && a.owner === b.owner && a.connection === b.connection

/** The visible connections that have tools, in order. */
export function producersQuery({ kysely }: Builder, scope: Scope, filter: ConnectionFilter, start: ConnectionStart, limit: number) {
  const ownerPage = (owner: Owner) => {
    const page = kysely
      .selectFrom("connections as c")
      .innerJoin("tool_sets as s", (join) => join.onRef("s.tenant_id", "=", "c.tenant_id").onRef("s.tool_set_id", "=", "c.tool_set_id"))
      .innerJoin("integrations as i", (join) => join.onRef("i.tenant_id", "=", "c.tenant_id").onRef("i.slug", "=", "c.integration"))
      .select(["c.integration", "c.user_id", "c.name", "c.changed_tools", "s.tool_set_id", "s.tool_count", "i.kind"])
      .where(ownerRange(scope, filter, owner, start))
      .where("s.tool_count", ">", 0)
      .orderBy("c.integration")
      .orderBy("c.name")
      .limit(limit)
    // A union takes parts with a limit of their own only as tables.
    return kysely.selectFrom(page.as(owner)).selectAll()
  }
  const [first, second] = visibleOwners(scope, filter).map(ownerPage)
  const merged = first && second ? first.unionAll(second) : (first ?? ownerPage("org").where("org.name", "=", ""))
  return merged.orderBy("integration").orderBy("user_id").orderBy("name").limit(limit)
}

export function toolsQuery(builder: Builder, scope: Scope, filter: ToolRowFilter, step: SetStep) {
  const ids = [...new Set(step.producers.map((producer) => producer.toolSetId))]
  let query = toolsOf(builder, scope).where("t.tool_set_id", "in", ids)
  const matches = searchCondition(builder, filter.query)
  if (matches) query = query.where(matches)
  if (step.kind === "part") query = query.where("t.name", ">", step.afterName).limit(step.limit)
  return query.orderBy("t.tool_set_id").orderBy("t.name")
}

/** A part for each set, because SQLite walks over all tools for one condition with several sets. Null where no name is wanted. */
export function namedToolsQuery(builder: Builder, scope: Scope, { names }: NamedStep) {
  const sets = Map.groupBy(names, ([{ toolSetId }]) => toolSetId)
  const parts = [...sets].flatMap(([id, wanted]) => {
    const all = [...new Set(wanted.flatMap(([, some]) => some))]
    return all.length === 0 ? [] : toolsOf(builder, scope).where("t.tool_set_id", "=", id).where("t.name", "in", all)
  })
  const [first, ...rest] = parts
  return first === undefined ? null : rest.reduce((query, part) => query.unionAll(part), first)
}

const toolsOf = ({ kysely }: Builder, scope: Scope) =>
  kysely
    .selectFrom("tools as t")
    .select(["t.tool_set_id", ...factColumns])
    .where("t.tenant_id", "=", scope.tenant)

function readProducers(rows: readonly ProducerColumns[]): Producer[] {
  return rows.map((row) => ({
    integration: row.integration as IntegrationSlug, // written from a checked one only
    owner: ownerOf(row.user_id),
    connection: row.name as ConnectionName, // as above
    kind: row.kind,
    toolSetId: row.tool_set_id,
    toolCount: row.tool_count,
    changedTools: new Set(JSON.parse(row.changed_tools) as string[]), // written by the catalog only
  }))
}

type ProducerColumns = {
  integration: string
  user_id: string
  name: string
  changed_tools: string
  kind: SourceKind
  tool_set_id: string
  tool_count: number
}

const listRow = ({ integration, owner, connection, kind, changedTools }: Producer, facts: Facts): ToolListRow => ({
  ...facts,
  integration,
  owner,
  connection,
  kind,
  isChanged: changedTools.has(facts.name),
})
