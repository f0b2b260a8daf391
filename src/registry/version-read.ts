// Reads the versions of what is made here, tools and agents alike: a page of them, and what differs between two.
import { decodeCursor, pageSize, toPage } from "../core/cursor.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Limits } from "../core/limits.ts"
import type { Page, PageRequest } from "../core/page.ts"
import type { DefinitionDiff, ToolDefinition } from "../core/registry/diff.ts"
import { diffDefinitions } from "../diff/definition-diff.ts"
import type { After } from "../store/store.ts"

/** The newest first. */
export async function pageOfVersions<Row extends { readonly position: number }, View>(
  request: PageRequest,
  limits: Limits,
  read: (page: After<number>) => Promise<Row[]>,
  view: (row: Row) => View,
): Promise<Page<View>> {
  const size = pageSize(request, limits)
  const cursor = decodeCursor(request.cursor, 1)?.[0]
  const rows = await read({ after: cursor === undefined ? null : positionIn(cursor), limit: size + 1 })
  return toPage(rows, size, ({ position }) => [String(position)], view)
}

function positionIn(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor)
  throw new ExecutorError("invalid_request", "The cursor is not from this list; start again without it")
}

/** The name of the working copy where a version could stand. */
export const working = "working"

export type VersionsCompared = { readonly from?: string; readonly to?: string }

/** By default what publishing would change. */
export async function diffVersions(
  what: "tool" | "agent",
  publishedVersion: string | null,
  between: VersionsCompared,
  read: (version: string) => Promise<ToolDefinition>,
): Promise<DefinitionDiff> {
  const from = between.from ?? publishedVersion
  if (from === null)
    throw new ExecutorError(
      "invalid_request",
      `The ${what} was never published, so that there is nothing to compare it with: name two versions in from and to`,
    )
  return diffDefinitions(await read(from), await read(between.to ?? working))
}
