// Compares two versions of an imported tool that need not follow each other: the changes of all steps between them, as one.
import { ExecutorError } from "../core/errors.ts"
import { canonicalJson } from "../core/json/canonical.ts"
import type { Principal } from "../core/principal.ts"
import { diffKinds } from "../core/registry/diff.ts"
import type { DefinitionChange, DefinitionDiff, JsonChange } from "../core/registry/diff.ts"
import { allRows } from "../store/all-rows.ts"
import type { ToolChangeRow } from "../store/tool-changes/tool-change-store.ts"
import { importedTool } from "./tool-versions.ts"
import type { ToolVersionParts } from "./tool-versions.ts"

/** Versions, as the list of them names them. */
export type VersionPair = { readonly from: string; readonly to: string }

export async function diffToolVersions(
  principal: Principal,
  address: string,
  { from, to }: VersionPair,
  parts: ToolVersionParts,
): Promise<DefinitionDiff> {
  const { key } = await importedTool(principal, address, parts)
  const [first, last] = [numberIn("from", from), numberIn("to", to)]
  if (first >= last) throw new ExecutorError("invalid_request", `from must be the earlier version: compare ${last} with ${first}`)
  const rows = await allRows<ToolChangeRow, number>(
    (page) => parts.store.toolChanges.list(principal, key, page),
    ({ version }) => version,
  )
  const steps = rows.filter(({ version }) => version > first && version <= last).toSorted((one, other) => one.version - other.version)
  if (steps.length < last - first)
    throw new ExecutorError(
      "not_found",
      `The tool has no version ${rows.some(({ version }) => version === last) ? from : to}, or no longer`,
    )
  const away = steps.find(({ diff }) => diff === null)
  if (away !== undefined)
    throw new ExecutorError("conflict", `The tool was ${away.change} as version ${away.version}: compare versions after that, or before it`)
  return joinDiffs(steps.map(({ diff }) => JSON.parse(diff ?? "") as DefinitionDiff)) // written by a sync
}

function numberIn(field: keyof VersionPair, version: string): number {
  if (/^[1-9]\d{0,8}$/.test(version)) return Number(version)
  throw new ExecutorError("invalid_request", `${field}: '${version.slice(0, 40)}' is not a version of an imported tool, which is a number`)
}

/** In order. What was changed and changed back is no difference. */
export function joinDiffs(steps: readonly DefinitionDiff[]): DefinitionDiff {
  const changes = steps
    .flatMap((step) => step.changes)
    .reduce(addChange, [])
    .toSorted((one, other) => diffKinds.indexOf(one.kind) - diffKinds.indexOf(other.kind))
  const truncated = steps.some((step) => step.truncated)
  const worst = truncated ? diffKinds.find((kind) => steps.some((step) => step.kind === kind)) : changes[0]?.kind
  return {
    kind: worst ?? "none",
    effectChanged: changes.some(({ path }) => path === "effect"),
    changes,
    json: [
      ...steps
        .flatMap((step) => step.json)
        .reduce(addJson, new Map<string, JsonChange>())
        .values(),
    ],
    truncated,
  }
}

/** A change goes on from an earlier one of its path that ended where it begins. */
function addChange(known: readonly DefinitionChange[], change: DefinitionChange): readonly DefinitionChange[] {
  const at = known.findLastIndex(
    ({ path, after }) => path === change.path && after !== undefined && change.before !== undefined && isSame(after, change.before),
  )
  const first = known[at]
  if (first === undefined) return [...known, change]
  const both = joinChanges(first, change)
  return both === null ? known.toSpliced(at, 1) : known.with(at, both)
}

function joinChanges(first: DefinitionChange, last: DefinitionChange): DefinitionChange | null {
  // It is as it was: there with the same value, or not there at all.
  if (isSame(first.before ?? null, last.after ?? null)) return null
  const { after: _after, ...start } = first
  const { before: _before, ...end } = last
  return { ...start, ...end, kind: diffKinds.indexOf(first.kind) < diffKinds.indexOf(last.kind) ? first.kind : last.kind }
}

function addJson(known: Map<string, JsonChange>, change: JsonChange): Map<string, JsonChange> {
  const first = known.get(change.path)
  const both = first === undefined ? change : joinJson(first, change)
  if (both === null) known.delete(change.path)
  else known.set(change.path, both)
  return known
}

function joinJson(first: JsonChange, last: JsonChange): JsonChange | null {
  const wasThere = first.op !== "add"
  const isThere = last.op !== "remove"
  if (!wasThere && !isThere) return null
  if (wasThere && isThere && isSame(first.before, last.after)) return null
  return {
    op: wasThere ? (isThere ? "replace" : "remove") : "add",
    path: first.path,
    ...(wasThere ? { before: first.before } : {}),
    ...(isThere ? { after: last.after } : {}),
  }
}

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other)
