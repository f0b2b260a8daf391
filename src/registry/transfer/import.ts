// Brings tools of an older system into the caller's tenant, one after the other: what cannot run yet becomes a draft.
//
// A change of the catalog copies it, so that some hundred tools share one, in the transaction that writes them. What is
// refused about a tool is refused before anything of it is written.
import { refuseEnvReferences } from "../../catalog/integrations/admin-text.ts"
import { ExecutorError } from "../../core/errors.ts"
import { isRecord } from "../../core/json/record.ts"
import { requireAdmin } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import type { RegistryImportResult } from "../../core/registry/tool.ts"
import { checkEnvReferences } from "../../credentials/env/reference.ts"
import { newId } from "../../io/ids.ts"
import type { RegistryToolRow } from "../../store/registry-store.ts"
import type { Store, ToolWrite } from "../../store/store.ts"
import { isResolved, publishToCatalog, toCatalogTool } from "../catalog.ts"
import { isKnownType } from "../config/check.ts"
import { checkConfigSyntax } from "../code.ts"
import { newTool, requireRoom } from "../create.ts"
import { contentHash } from "../definition.ts"
import type { WorkingCopy } from "../definition.ts"
import { importArtifacts } from "./import-artifacts.ts"
import type { ImportedArtifacts } from "./import-artifacts.ts"
import { readImported } from "./import-row.ts"
import type { ImportedTool } from "./import-row.ts"
import type { RegistryParts } from "../parts.ts"
import { checkWhole, snapshotOf } from "../publish.ts"
import { hideSecrets, originsIn, refuseReferences, refuseShownSecrets, withoutMasks } from "../secrets.ts"
import { checkDescription, checkName, checkSchemas, checkSlug, slugPattern, suggestSlug } from "../tool-input.ts"
import { putSecrets } from "../working-copy.ts"

type Outcome = { readonly created?: string; readonly skipped?: string; readonly warnings: readonly string[] }

const toolsAtOnce = 200

export async function importRegistry(principal: Principal, file: unknown, parts: RegistryParts): Promise<RegistryImportResult> {
  requireAdmin(principal, "import tools")
  const rows = rowsIn(file, parts)
  const brought = await importArtifacts(principal, file, parts)
  const outcomes: Outcome[] = []
  for (let from = 0; from < rows.length; from += toolsAtOnce) {
    const tools = rows.slice(from, from + toolsAtOnce).map((value) => linked(readImported(value), brought.links))
    outcomes.push(...(await importSome(principal, tools, from, parts)))
  }
  return {
    artifacts: brought.created,
    created: outcomes.flatMap(({ created }) => created ?? []),
    skipped: outcomes.flatMap(({ skipped }) => skipped ?? []),
    warnings: [...brought.warnings, ...outcomes.flatMap((outcome) => outcome.warnings)],
  }
}

/** To the artifact of the same file. */
function linked(tool: ImportedTool | null, links: ImportedArtifacts["links"]): ImportedTool | null {
  const link = tool?.artifactSlug == null ? undefined : links.get(tool.artifactSlug)
  if (tool === null || link === undefined) return tool
  const { artifactVersion: version } = tool
  if (link.kind === "linked")
    return { ...tool, artifactId: link.id, artifactVersion: version === null ? null : (link.versions.get(version) ?? null) }
  const code = (version === null ? undefined : link.codes.get(version)) ?? link.latest
  return { ...tool, artifactId: null, artifactVersion: null, implementation: { ...tool.implementation, ...code } }
}

function rowsIn(file: unknown, { limits }: RegistryParts): readonly unknown[] {
  const rows = Array.isArray(file) ? (file as unknown[]) : isRecord(file) ? file["tools"] : undefined
  if (!Array.isArray(rows))
    throw new ExecutorError("invalid_request", 'The file must be { "tools": […] }, as `executor registry export` writes it')
  if (rows.length > limits.registryImportToolsMax)
    throw new ExecutorError(
      "payload_too_large",
      `The file has ${rows.length} tools; import at most ${limits.registryImportToolsMax} at once`,
    )
  return rows
}

async function importSome(
  principal: Principal,
  tools: readonly (ImportedTool | null)[],
  from: number,
  parts: RegistryParts,
): Promise<Outcome[]> {
  const broken = await unreadable(principal, tools, parts)
  return parts.store.transaction(async (store) => {
    const put: ToolWrite[] = []
    const outcomes: Outcome[] = []
    for (const [at, tool] of tools.entries()) {
      outcomes.push(
        tool === null
          ? { warnings: [`tools.${from + at} is no object, and was skipped`] }
          : await importOne(principal, { ...tool, unreadable: broken.get(tool) ?? null }, put, store, parts),
      )
    }
    if (put.length > 0) await publishToCatalog(principal, { put, drop: [] }, store, parts.clock.now())
    return outcomes
  })
}

type ReadTool = ImportedTool & { readonly unreadable: string | null }

/** Why the code of these cannot be read. */
async function unreadable(
  principal: Principal,
  tools: readonly (ImportedTool | null)[],
  parts: RegistryParts,
): Promise<Map<ImportedTool, string>> {
  const found = new Map<ImportedTool, string>()
  for (const tool of tools) {
    if (tool === null || tool.isGlobal) continue
    try {
      await checkConfigSyntax(principal, tool.implementation, parts)
    } catch (error) {
      if (!(error instanceof ExecutorError) || error.code !== "invalid_request") throw error
      found.set(tool, error.message)
    }
  }
  return found
}

/** `put`: what production is to resolve, to which it is added. */
async function importOne(principal: Principal, tool: ReadTool, put: ToolWrite[], store: Store, parts: RegistryParts): Promise<Outcome> {
  const label = tool.slug ?? tool.name
  if (tool.isGlobal) return { skipped: label, warnings: [`${label}: system and global tools come with the server, so it was skipped`] }
  try {
    return await write(principal, tool, put, store, parts)
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    return { skipped: label, warnings: [`${label}: ${error.message}`] }
  }
}

async function write(principal: Principal, tool: ReadTool, put: ToolWrite[], store: Store, parts: RegistryParts): Promise<Outcome> {
  const slug = tool.slug === null ? suggestSlug(tool.name, "tool") : checkSlug(tool.slug, "tool")
  if ((await store.registryTools.findBySlug(principal, slug)) !== null)
    return { skipped: slug, warnings: [`${slug}: there already is a tool of this slug, so it was skipped`] }
  await requireRoom(principal, store, parts)
  const id = newId("tool", parts.clock.now())
  const { copy, added, masked } = readCopy(id, tool, parts)
  refuseEnvReferences(principal, [...added.values()])
  for (const text of added.values()) checkEnvReferences(text, parts.env)
  const draft: RegistryToolRow = {
    ...newTool(principal, { id, slug, copy }, parts),
    version: tool.version,
    isActive: tool.isActive,
    builtinKey: tool.builtinKey,
    builtinTemplateId: tool.builtinTemplateId,
    isBuiltinTemplate: tool.isBuiltinTemplate,
    replacedBy: tool.replacedBy !== null && slugPattern.test(tool.replacedBy) ? tool.replacedBy : null,
  }
  await store.registryTools.put(principal, draft)
  await putSecrets(principal, added, store, parts)
  const problem =
    masked.length > 0
      ? withoutSecrets(slug, masked)
      : (tool.unreadable ?? (await whyDraft(principal, draft, copy, tool, put, store, parts)))
  return { created: slug, warnings: problem === null ? [] : [`${slug}: imported as a draft. ${problem}`] }
}

const withoutSecrets = (slug: string, masked: readonly string[]): string =>
  `The file does not have its secrets (${masked.join(", ")}): send them with \`executor registry edit ${slug}\` or PUT, then publish it`

/** Null where it is in production, or was a draft before. */
const whyDraft: typeof place = async (principal, draft, copy, tool, ...rest) =>
  tool.status === "draft" || tool.builtinKey !== null ? null : place(principal, draft, copy, tool, ...rest)

function readCopy(
  id: string,
  tool: ImportedTool,
  { limits }: RegistryParts,
): { readonly copy: WorkingCopy; readonly added: ReadonlyMap<string, string>; readonly masked: readonly string[] } {
  refuseReferences([tool.implementation, tool.execution])
  const { type: _type, ...given } = tool.implementation
  const { config: implementation, masked } = withoutMasks(given)
  if (Buffer.byteLength(JSON.stringify(implementation)) > limits.registryConfigBytesMax)
    throw new ExecutorError("payload_too_large", `its config is larger than ${limits.registryConfigBytesMax} bytes, so it was skipped`)
  refuseShownSecrets(implementation)
  const hidden = hideSecrets(implementation, id, new Map())
  const copy: WorkingCopy = {
    name: checkName(tool.name, limits),
    description: checkDescription(tool.description, limits),
    schema: checkSchemas(tool.schema, limits),
    configSchema: { implementation: hidden.config, execution: tool.execution },
    implementationType: tool.implementationType,
    artifactId: tool.artifactId,
    artifactVersion: tool.artifactVersion,
    literalUrls: originsIn(implementation),
    // Whoever imports a file has not written what is in it.
    writtenBy: "",
  }
  return { copy, added: hidden.added, masked }
}

/** Gives it its version and its place in production; answers why not. */
async function place(
  principal: Principal,
  draft: RegistryToolRow,
  copy: WorkingCopy,
  tool: ImportedTool,
  put: ToolWrite[],
  store: Store,
  parts: RegistryParts,
): Promise<string | null> {
  try {
    const snapshot = await snapshotOf(principal, copy, store, parts)
    // A type of another version is kept: its calls say that it is not known here.
    if (isKnownType(tool.implementationType)) await checkWhole(principal, snapshot, store, parts)
    const now = parts.clock.now().toISOString()
    const hash = contentHash(snapshot)
    const row: RegistryToolRow = {
      ...draft,
      artifactVersion: snapshot.artifactVersion,
      contentHash: hash,
      status: tool.status,
      publishedAt: now,
      publishedVersion: tool.version,
      publishedHash: hash,
    }
    await store.toolVersions.add(principal, {
      toolId: draft.id,
      version: tool.version,
      snapshot: JSON.stringify(snapshot),
      hash,
      by: principal.user,
      at: now,
      reason: "Imported",
    })
    await store.registryTools.put(principal, row)
    if (isResolved(row)) put.push(toCatalogTool(row, { snapshot, publishedBy: principal.user }, parts))
    return null
  } catch (error) {
    if (error instanceof ExecutorError) return error.message
    throw error
  }
}
