// Records what a sync changed of a connection's tools, so that each of them has versions.
//
// It runs inside the sync's transaction, while both tool sets are there. A first import records nothing: a tool without
// a record is at version 1. Only tools that changed are read, and the definitions that they share only where one of
// those differs. Connections of one integration move between the same sets, so that what was found is kept for the next.
import { LruMap } from "../../core/lru-map.ts"
import type { DefinitionDiff, ToolDefinition } from "../../core/registry/diff.ts"
import type { ToolChangeKind } from "../../core/registry/tool-version.ts"
import type { Scope } from "../../core/principal.ts"
import type { JsonSchema, JsonText } from "../../core/tool.ts"
import { diffDefinitions } from "../../diff/definition-diff.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import { refOf } from "../../store/store.ts"
import type { ConnectionRow, Store } from "../../store/store.ts"
import type { DefinedTool } from "../../store/tool-changes/tool-change-store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { definedTools, readSharedDefinitions } from "./shared-definitions.ts"
import type { SetPair } from "./shared-definitions.ts"

type Pointers = { readonly before: ConnectionRow; readonly after: ConnectionRow }

/** To be called once the connection points to its new tools. */
export async function recordChanges(
  scope: Scope,
  { before, after }: Pointers,
  store: Store,
  { clock, limits }: Pick<CatalogParts, "clock" | "limits">,
): Promise<void> {
  if (before.toolSetId === null || after.toolSetId === null || before.toolSetId === after.toolSetId) return
  const sets = { before: before.toolSetId, after: after.toolSetId }
  const key = `${scope.tenant}\0${sets.before}\0${sets.after}`
  const { changes } = found.get(key) ?? found.set(key, await compareSets(scope, sets, store, limits.toolDiffBytesPerSyncMax))
  if (changes.length === 0) return
  const at = clock.now().toISOString()
  const rows = changes.map((change) => ({ ...change, at }))
  const kept = { versionsMax: limits.toolVersionsPerToolMax, removedToolsMax: limits.toolsRemovedPerConnectionMax }
  await store.toolChanges.add(scope, refOf(after), rows, kept)
}

type Change = { readonly tool: string; readonly change: ToolChangeKind; readonly diff: JsonText | null }
type Changes = { readonly changes: readonly Change[]; readonly chars: number }

/** A set never changes, so that what was found between two of them stays true. */
const found = new LruMap<string, Changes>({ sizeMax: 50, weightMax: 16_000_000, weigh: ({ chars }) => chars })

async function compareSets(scope: Scope, sets: SetPair, store: Store, diffCharsMax: number): Promise<Changes> {
  const differences = await store.toolChanges.compare(scope, sets.before, sets.after)
  const shared = await readSharedDefinitions(scope, sets, differences, store)
  const slices = createTimeSlices()
  const changes: Change[] = []
  let chars = 0
  for await (const [tool, before, after] of bothOf(scope, sets, shared.changedTools, store)) {
    const diff = diffDefinitions(definitionOf(before), definitionOf(after), { shared: shared.definitions, most: listedMax })
    if (slices.isOver()) await slices.next()
    // E.g. a schema whose keywords are written in another order.
    if (diff.kind === "none") continue
    const whole = JSON.stringify(diff)
    const text = chars + whole.length > diffCharsMax ? JSON.stringify(withoutChanges(diff)) : whole
    chars += text.length
    changes.push({ tool, change: "changed", diff: text })
  }
  for (const tool of differences.added) changes.push({ tool, change: "added", diff: null })
  for (const tool of differences.removed) changes.push({ tool, change: "removed", diff: null })
  return { changes, chars: chars + 100 * changes.length }
}

/** In one record; a definition that many tools share would be told by each of them at length. */
const listedMax = 50

const withoutChanges = (diff: DefinitionDiff): DefinitionDiff => ({ ...diff, changes: [], json: [], truncated: true })

const toolsPerRead = 200

/** Tools as they were and as they are. */
async function* bothOf(
  scope: Scope,
  sets: SetPair,
  names: readonly string[],
  store: Store,
): AsyncGenerator<readonly [string, DefinedTool, DefinedTool]> {
  for (let from = 0; from < names.length; from += toolsPerRead) {
    const some = names.slice(from, from + toolsPerRead)
    const before = new Map<string, DefinedTool>()
    for await (const tool of definedTools(scope, sets.before, some, store)) before.set(tool.name, tool)
    for await (const after of definedTools(scope, sets.after, some, store)) {
      const was = before.get(after.name)
      if (was !== undefined) yield [after.name, was, after]
    }
  }
}

const definitionOf = ({ title, description, effect, requiresApproval, inputSchema, outputSchema }: DefinedTool): ToolDefinition => ({
  title,
  description,
  effect,
  requiresApproval,
  inputSchema: JSON.parse(inputSchema) as JsonSchema, // a source emits objects
  outputSchema: outputSchema === null ? null : (JSON.parse(outputSchema) as JsonSchema), // as above
})
