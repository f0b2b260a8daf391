// Prints one declaration file for everything that a principal can call.
import { ToolAddress, withoutRoot } from "../../core/address.ts"
import type { Interruptible, ToolTypesOptions } from "../../core/executor-api.ts"
import { isAdmin } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import type { PolicyRule } from "../../core/policy.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import type { TimeSlices } from "../../io/time-slices.ts"
import { allConnections, allIntegrations, toolPages } from "../../store/all-rows.ts"
import { refOf } from "../../store/store.ts"
import type { ConnectionRow, ToolListRow } from "../../store/store.ts"
import { isShown } from "../policies/evaluator.ts"
import type { StaticTool } from "../static-tool.ts"
import type { ToolListParts } from "./list.ts"
import { reachableDefinitions } from "./schema-definitions.ts"
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
  const rules = await parts.policyEvaluator.rules(principal)
  const reading: Reading = { principal, rules, parts, slices: createTimeSlices(signal) }
  const pieces: string[] = []
  for await (const piece of printCatalogTypes(readCatalog(integration, reading), { results, limits: parts.limits, slices: reading.slices }))
    pieces.push(piece)
  return pieces.join("")
}

type Reading = {
  readonly principal: Principal
  readonly rules: readonly PolicyRule[]
  readonly parts: ToolListParts
  readonly slices: TimeSlices
}

async function* readCatalog(only: string | undefined, reading: Reading): AsyncGenerator<CatalogIntegration> {
  const { principal, rules, parts } = reading
  const fixed = staticIntegrations(principal, rules, parts).filter(({ slug }) => only === undefined || slug === only)
  const rows = await allIntegrations(principal, parts.store)
  for (const row of rows) {
    if (only !== undefined && row.slug !== only) continue
    const toolSets = await readToolSets(row.slug, reading)
    const beside = fixed.find(({ slug }) => slug === row.slug)?.toolSets ?? []
    if (toolSets.length > 0 || beside.length > 0) yield { slug: row.slug, name: row.name, toolSets: [...toolSets, ...beside] }
  }
  const seen = new Set<string>(rows.map(({ slug }) => slug))
  yield* fixed.filter(({ slug }) => !seen.has(slug))
}

/** Connections that point to one set share its types, unless a policy tells them apart. */
async function readToolSets(integration: string, reading: Reading): Promise<CatalogToolSet[]> {
  const { principal, parts, slices } = reading
  const rows = await allConnections(principal, { integration }, parts.store)
  const sets: CatalogToolSet[] = []
  const blocked = new Map<ConnectionRow, string>()
  for (const row of rows) blocked.set(row, (await blockedNames(row, reading)).join(" "))
  for (const sharing of Map.groupBy(rows, (row) => `${row.toolSetId ?? ""} ${blocked.get(row) ?? ""}`).values()) {
    const [first] = sharing
    if (first === undefined || first.toolSetId === null) continue
    const id = first.toolSetId
    const tools = await readTools(first, reading)
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

async function blockedNames(connection: ConnectionRow, reading: Reading): Promise<string[]> {
  const { rules } = reading
  if (!rules.some((rule) => rule.action === "block")) return []
  const names: string[] = []
  for await (const { row, subject } of rowsOf(connection, reading)) if (!isShown(subject, rules)) names.push(row.name)
  return names
}

async function readTools(connection: ConnectionRow, reading: Reading): Promise<CatalogTool[]> {
  const { principal, rules, parts } = reading
  const tools: CatalogTool[] = []
  for await (const { row, subject } of rowsOf(connection, reading)) {
    const tool = isShown(subject, rules) ? await parts.store.tools.get(principal, { ...refOf(connection), tool: row.name }) : null
    if (tool !== null) tools.push(tool)
  }
  return tools
}

async function* rowsOf(
  connection: ConnectionRow,
  { principal, parts, slices }: Reading,
): AsyncGenerator<{ readonly row: ToolListRow; readonly subject: string }> {
  const ref = refOf(connection)
  const filter = { integration: ref.integration, owner: ref.owner, name: ref.connection }
  for await (const rows of toolPages(principal, filter, parts.store))
    for (const row of rows) {
      if (slices.isOver()) await slices.next()
      yield { row, subject: withoutRoot(ToolAddress.format({ ...ref, tool: row.name })) }
    }
}

function staticIntegrations(principal: Principal, rules: readonly PolicyRule[], parts: ToolListParts): CatalogIntegration[] {
  const visible = parts.staticTools
    .list()
    .filter((tool) => tool.audience === "everyone" || isAdmin(principal))
    .filter((tool) => isShown(tool.fqid, rules))
  return [...Map.groupBy(visible, (tool) => tool.fqid.split(".", 1)[0] ?? "")].map(([slug, tools]) => ({
    slug,
    name: "",
    toolSets: [{ connections: [], tools: tools.map((tool) => toCatalogTool(tool, slug)), definitions: new Map() }],
  }))
}

const toCatalogTool = (tool: StaticTool, slug: string): CatalogTool => ({
  name: tool.fqid.slice(slug.length + 1),
  summary: "",
  description: tool.description,
  deprecated: false,
  inputSchema: JSON.stringify(tool.inputSchema),
  outputSchema: tool.outputSchema === null ? null : JSON.stringify(tool.outputSchema),
})
