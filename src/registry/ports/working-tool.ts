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

  async hint(scope, slug) {
    const row = await findRow(scope, slug, parts)
    if (row === null || isResolved(row)) return null
    const name = `'${registrySlug}.${slug}'`
    if (!row.isActive) return `${name} is inactive: set isActive to true with PUT /tools/${row.id}`
    if (row.status === "disabled") return `${name} is disabled: set its status to draft with PUT /tools/${row.id}, then publish it`
    return `${name} is a draft: publish it with '${executorCommand} registry publish ${slug}' or POST /tools/${row.id}/publish, or run in debug mode`
  },
})

async function findRow(scope: Scope, slug: string, { store }: RegistryParts): Promise<RegistryToolRow | null> {
  const row = await store.registryTools.findBySlug(scope, slug)
  // A clone of a built-in is kept for imports only.
  return row === null || row.builtinKey !== null ? null : row
}

function blockedInEveryMode({ slug, isActive, status, id }: RegistryToolRow): ToolFailure | null {
  if (!isActive)
    return fail("tool_blocked", `'${registrySlug}.${slug}' is inactive in every mode; set isActive to true with PUT /tools/${id}`)
  if (status !== "disabled") return null
  return fail("tool_blocked", `'${registrySlug}.${slug}' is disabled in every mode; set its status to draft with PUT /tools/${id}`)
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
