// What one principal can do with the registry, its artifacts and the tenant's credentials, each change with its audit.
import type { ExecutorApi } from "../core/executor-api.ts"
import type { Principal } from "../core/principal.ts"
import type { RegistryToolView } from "../core/registry/tool.ts"
import { createArtifact, getArtifact, listArtifacts, listArtifactVersions, removeArtifact, updateArtifact } from "../registry/artifacts.ts"
import { listBuiltins } from "../registry/builtin-templates.ts"
import { createTool } from "../registry/create.ts"
import { createCredential, listCredentials, removeCredential, updateCredential } from "../registry/credentials.ts"
import { exportRegistry } from "../registry/transfer/export.ts"
import { importRegistry } from "../registry/transfer/import.ts"
import type { RegistryParts } from "../registry/parts.ts"
import { publishTool, rollbackTool, versionTool } from "../registry/publish.ts"
import { diffTool, getTool, getToolBySlug, getVersion, listRegistry, listVersions } from "../registry/read.ts"
import type { ToolChange } from "../registry/tool.ts"
import { removeTool, updateTool } from "../registry/update.ts"
import { withAudit } from "./audit/audit.ts"
import type { AuditDetails } from "./audit/audit.ts"
import type { EngineParts } from "./engine-parts.ts"
import { testTool } from "./tool-test.ts"

type Api = Pick<ExecutorApi, "registry" | "artifacts" | "credentials">

export function registryApi(principal: Principal, parts: EngineParts & RegistryParts): Api {
  const audit = withAudit(principal, parts)
  const change = async (action: string, id: string, work: () => Promise<ToolChange>): Promise<RegistryToolView> =>
    shownAfter(await audit(action, id, work, toolDetails))
  return {
    registry: {
      list: (filter = {}, page = {}) => listRegistry(principal, filter, page, parts),
      get: (id) => getTool(principal, id, parts),
      find: (slug) => getToolBySlug(principal, slug, parts),
      create: async (input) =>
        audit(
          "registry.create",
          input.slug ?? input.name,
          () => createTool(principal, input, parts),
          (after) => ({ subject: after.id, details: { before: null, after: toolOf(after) } }),
        ),
      update: (id, fields) => change(actionOf(fields), id, () => updateTool(principal, id, fields, parts)),
      remove: async (id) => (await audit("registry.remove", id, () => removeTool(principal, id, parts), toolDetails)).after,
      publish: (id, options = {}) => change("registry.publish", id, () => publishTool(principal, id, options, parts)),
      version: (id, newVersion) => change("registry.version", id, () => versionTool(principal, id, newVersion, parts)),
      rollback: (id, version) => change("registry.rollback", id, () => rollbackTool(principal, id, version, parts)),
      versions: (id, page = {}) => listVersions(principal, id, page, parts),
      versionOf: (id, version) => getVersion(principal, id, version, parts),
      diff: (id, between) => diffTool(principal, id, between, parts),
      test: (id, input) => testTool(principal, id, input, parts),
      builtins: async () => listBuiltins(parts),
      export: () => audit("registry.export", principal.tenant, () => exportRegistry(principal, parts), exported),
      import: (file) =>
        audit(
          "registry.import",
          principal.tenant,
          () => importRegistry(principal, file, parts),
          (result) => ({
            details: { created: result.created.slice(0, 100), createdCount: result.created.length, skipped: result.skipped.length },
          }),
        ),
    },
    artifacts: {
      list: (page = {}) => listArtifacts(principal, page, parts),
      get: (id) => getArtifact(principal, id, parts),
      create: (input) =>
        audit(
          "artifact.create",
          input.slug ?? input.name,
          () => createArtifact(principal, input, parts),
          ({ id, slug, version }) => ({ subject: id, details: { before: null, after: { slug, version } } }),
        ),
      update: async (id, fields) =>
        (
          await audit(
            "artifact.update",
            id,
            () => updateArtifact(principal, id, fields, parts),
            ({ before, after }) => ({
              details: { before: { name: before.name, version: before.version }, after: { name: after.name, version: after.version } },
            }),
          )
        ).after,
      versions: (id, page = {}) => listArtifactVersions(principal, id, page, parts),
      remove: async (id) =>
        void (await audit(
          "artifact.remove",
          id,
          () => removeArtifact(principal, id, parts),
          ({ slug, version }) => ({ details: { before: { slug, version }, after: null } }),
        )),
    },
    credentials: {
      list: (page = {}) => listCredentials(principal, page, parts),
      create: (input) =>
        audit(
          "credential.create",
          input.label,
          () => createCredential(principal, input, parts),
          (after) => ({ subject: after.id, details: { before: null, after } }),
        ),
      update: async (id, fields) =>
        (
          await audit(
            "credential.update",
            id,
            () => updateCredential(principal, id, fields, parts),
            (details) => ({ details }),
          )
        ).after,
      remove: async (id) =>
        void (await audit(
          "credential.remove",
          id,
          () => removeCredential(principal, id, parts),
          (before) => ({ details: { before, after: null } }),
        )),
    },
  }
}

const actionOf = ({ status }: { readonly status?: string }): string =>
  status === "deprecated" ? "registry.deprecate" : status === "disabled" ? "registry.disable" : "registry.update"

/** Without schemas and config, which the versions have. */
const toolOf = ({ slug, name, implementationType, status, version, publishedVersion, isActive, replacedBy }: RegistryToolView) => ({
  slug,
  name,
  implementationType,
  status,
  version,
  publishedVersion,
  isActive,
  replacedBy,
})

const toolDetails = ({ before, after }: ToolChange): AuditDetails => ({
  details: { before: before === null ? null : toolOf(before), after: after === null ? null : toolOf(after) },
})

const exported = ({ tools }: { readonly tools: readonly unknown[] }): AuditDetails => ({ details: { tools: tools.length } })

/** Only a removal leaves nothing. */
function shownAfter({ after }: ToolChange): RegistryToolView {
  if (after === null) throw new Error("A change of a tool left none")
  return after
}
