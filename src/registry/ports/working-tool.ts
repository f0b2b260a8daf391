// Resolves the working copy of a registry tool, as publishing would put it into the catalog.
import { ToolAddress } from "../../core/address.ts"
import type { ResolvedTool } from "../../catalog/tools/resolver.ts"
import type { WorkingCopies } from "../../catalog/tools/working-copies.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Scope } from "../../core/principal.ts"
import { registrySlug } from "../../core/registry/tool.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import { executorCommand } from "../../io/executor-command.ts"
import { sha256 } from "../../io/ids.ts"
import type { RegistryToolRow } from "../../store/registry-store.ts"
import { isResolved, registryRows, toCatalogTool } from "../catalog.ts"
import { readWorkingCopy } from "../definition.ts"
import type { RegistryParts } from "../parts.ts"
import { snapshotOf } from "../publish.ts"

export const createWorkingCopies = (parts: RegistryParts): WorkingCopies => ({
  async find(scope, slug) {
    const row = await findRow(scope, slug, parts)
    if (row === null) return null
    return blockedInEveryMode(row) ?? resolveRow(scope, row, parts)
  },

  async hint(scope, slug, reader) {
    const row = await findRow(scope, slug, parts)
    if (row === null || isResolved(row)) return null
    if (reader === "editor") return editorHint(row)
    // What was never published was never there for them.
    if (row.publishedAt === null) return null
    return `'${registrySlug}.${slug}' is ${row.status === "draft" && row.isActive ? "not published any more" : "disabled"}, so that nobody can call it${insteadText(row)}; use another tool, or ask whoever keeps it`
  },
})

function editorHint({ slug, isActive, status }: RegistryToolRow): string {
  const name = `'${registrySlug}.${slug}'`
  const enable = `'${executorCommand} registry enable ${slug}'`
  const publish = `'${executorCommand} registry publish ${slug}'`
  if (status === "disabled") return `${name} is disabled: bring it back as a draft with ${enable}, then publish it with ${publish}`
  if (!isActive) return `${name} is inactive: bring it back with ${enable}`
  return `${name} is a draft: publish it with ${publish}, or run in debug mode`
}

const insteadText = ({ replacedBy }: RegistryToolRow): string => (replacedBy === null ? "" : ` (${registrySlug}.${replacedBy} replaces it)`)

async function findRow(scope: Scope, slug: string, { store }: RegistryParts): Promise<RegistryToolRow | null> {
  const row = await store.registryTools.findBySlug(scope, slug)
  // A clone of a built-in is kept for imports only.
  return row === null || row.builtinKey !== null ? null : row
}

function blockedInEveryMode({ slug, isActive, status }: RegistryToolRow): ToolFailure | null {
  if (isActive && status !== "disabled") return null
  const state = status === "disabled" ? "disabled" : "inactive"
  return fail(
    "tool_blocked",
    `'${registrySlug}.${slug}' is ${state} in every mode; bring it back with '${executorCommand} registry enable ${slug}'`,
  )
}

async function resolveRow(scope: Scope, row: RegistryToolRow, parts: RegistryParts): Promise<ResolvedTool | ToolFailure> {
  try {
    const snapshot = await snapshotOf(scope, readWorkingCopy(row), parts.store, parts)
    // Anybody may have edited it, so that it counts as nobody's own; a consent is for exactly this content.
    const copy: RegistryToolRow = { ...row, publishedVersion: `${row.version}+working.${row.contentHash.slice(0, 16)}` }
    const { inputSchema, outputSchema, ...tool } = toCatalogTool(copy, { snapshot: { ...snapshot, writtenBy: "" }, publishedBy: "" }, parts)
    const { integration, connection } = registryRows(row.updatedAt)
    const ref = { integration: integration.slug, owner: connection.owner, connection: connection.name }
    return {
      address: ToolAddress.format({ ...ref, tool: tool.name }),
      integration,
      connection,
      tool: {
        ...tool,
        ...ref,
        kind: integration.kind,
        toolSetId: "",
        inputSchema,
        inputSchemaHash: sha256(inputSchema),
        outputSchema,
        outputSchemaHash: outputSchema === null ? null : sha256(outputSchema),
      },
    }
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    // What the working copy refers to may be gone.
    return fail("tool_blocked", `The working copy of '${registrySlug}.${row.slug}' cannot run: ${error.message}`)
  }
}
