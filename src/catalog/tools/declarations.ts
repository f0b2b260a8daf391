// Prints one declaration file for everything that a principal can call.
import type { Interruptible, ToolTypesOptions } from "../../core/executor-api.ts"
import type { Principal } from "../../core/principal.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import type { TimeSlices } from "../../io/time-slices.ts"
import { allConnections, allIntegrations, toolPages } from "../../store/all-rows.ts"
import { refOf } from "../../store/store.ts"
import type { ConnectionRow, ToolListRow } from "../../store/store.ts"
import { slugOfStatic } from "../static-tool.ts"
import type { StaticTool } from "../static-tool.ts"
import type { ToolListParts } from "./list.ts"
import { reachableDefinitions } from "./schema-definitions.ts"
import { visibleTools } from "./visible-tools.ts"
import type { VisibleTools } from "./visible-tools.ts"
import { printCatalogTypes } from "../../typescript/typescript.ts"
import type { CatalogIntegration, CatalogTool, CatalogToolSet } from "../../typescript/typescript.ts"

/** A whole API reaches more of them than one tool. */
const definitionsMax = 100_000

export async function catalogTypes(
  principal: Principal,
  { results = "envelope", integration, signal }: ToolTypesOptions & Interruptible,
  parts: ToolListParts,
): Promise<string> {
  await parts.staleSync.run(principal)
  const seen = await visibleTools(principal, parts)
  const reading: Reading = { principal, seen, parts, slices: createTimeSlices(signal) }
  const pieces: string[] = []
  for await (const piece of printCatalogTypes(readCatalog(integration, reading), { results, limits: parts.limits, slices: reading.slices }))
    pieces.push(piece)
  return pieces.join("")
}

type Reading = {
  readonly principal: Principal
  readonly seen: VisibleTools
  readonly parts: ToolListParts
  readonly slices: TimeSlices
}

async function* readCatalog(only: string | undefined, reading: Reading): AsyncGenerator<CatalogIntegration> {
  const { principal, parts, seen } = reading
  const fixed = staticIntegrations(seen).filter(({ slug }) => only === undefined || slug === only)
  const rows = await allIntegrations(principal, parts.store)
  for (const row of rows) {
    if (only !== undefined && row.slug !== only) continue
    const toolSets = await readToolSets(row.slug, reading)
    const beside = fixed.find(({ slug }) => slug === row.slug)?.toolSets ?? []
    if (toolSets.length > 0 || beside.length > 0) yield { slug: row.slug, name: row.name, toolSets: [...toolSets, ...beside] }
  }
  const printed = new Set<string>(rows.map(({ slug }) => slug))
  yield* fixed.filter(({ slug }) => !printed.has(slug))
}

/** Connections that point to one set share its types, unless a policy tells them apart. */
async function readToolSets(integration: string, reading: Reading): Promise<CatalogToolSet[]> {
  const { principal, seen, parts, slices } = reading
  if (!seen.mayHave(integration)) return []
  const rows = await allConnections(principal, { integration }, parts.store)
  const sets: CatalogToolSet[] = []
  const hidden = new Map<ConnectionRow, string>()
  for (const row of rows) hidden.set(row, (await hiddenNames(row, reading)).join(" "))
  for (const sharing of Map.groupBy(rows, (row) => `${row.toolSetId ?? ""} ${hidden.get(row) ?? ""}`).values()) {
    const [first] = sharing
    if (first === undefined || first.toolSetId === null) continue
    const id = first.toolSetId
    const tools = await readTools(first, reading)
    if (tools.length === 0) continue
    const texts = tools.flatMap((tool) => [tool.inputSchema, tool.outputSchema ?? ""])
    const definitions = await reachableDefinitions(principal, id, texts, parts.store, { most: definitionsMax, slices })
    sets.push({
      connections: sharing.map((row) => ({ owner: row.owner, connection: row.name })),
      tools,
      definitions,
    })
  }
  return sets
}

async function hiddenNames(connection: ConnectionRow, reading: Reading): Promise<string[]> {
  const isShown = reading.seen.shownIn(connection)
  if (isShown === null) return []
  const names: string[] = []
  for await (const { name } of rowsOf(connection, reading)) if (!isShown(name)) names.push(name)
  return names
}

async function readTools(connection: ConnectionRow, reading: Reading): Promise<CatalogTool[]> {
  const { principal, seen, parts } = reading
  const isShown = seen.shownIn(connection)
  const tools: CatalogTool[] = []
  for await (const { name } of rowsOf(connection, reading)) {
    const tool = (isShown?.(name) ?? true) ? await parts.store.tools.get(principal, { ...refOf(connection), tool: name }) : null
    if (tool !== null) tools.push(tool)
  }
  return tools
}

async function* rowsOf(connection: ConnectionRow, { principal, parts, slices }: Reading): AsyncGenerator<ToolListRow> {
  const ref = refOf(connection)
  const filter = { integration: ref.integration, owner: ref.owner, name: ref.connection }
  for await (const rows of toolPages(principal, filter, parts.store))
    for (const row of rows) {
      if (slices.isOver()) await slices.next()
      yield row
    }
}

const staticIntegrations = (seen: VisibleTools): CatalogIntegration[] =>
  [...Map.groupBy(seen.shownStatic(), slugOfStatic)].map(([slug, tools]) => ({
    slug,
    name: "",
    toolSets: [{ connections: [], tools: tools.map((tool) => toCatalogTool(tool, slug)), definitions: new Map() }],
  }))

const toCatalogTool = (tool: StaticTool, slug: string): CatalogTool => ({
  name: tool.fqid.slice(slug.length + 1),
  summary: "",
  description: tool.description,
  deprecated: false,
  inputSchema: JSON.stringify(tool.inputSchema),
  outputSchema: tool.outputSchema === null ? null : JSON.stringify(tool.outputSchema),
})
