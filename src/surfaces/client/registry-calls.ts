// The client's calls about the registry: tools, artifacts and the tenant's credentials.
import { ExecutorError } from "../../core/errors.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import type { ArtifactVersionView, ArtifactView } from "../../core/registry/artifact.ts"
import type { TenantCredentialView } from "../../core/registry/credential.ts"
import type { DefinitionDiff } from "../../core/registry/diff.ts"
import type { RegistryExport, RegistryImportResult, RegistryToolTest, RegistryToolView, ToolVersionView } from "../../core/registry/tool.ts"
import type { Transport } from "./transport.ts"
import { pathTo } from "./transport.ts"

type Removal = { readonly removed: boolean; readonly tool: RegistryToolView | null }

export function registryCalls(http: Transport): Pick<ExecutorApi, "registry" | "artifacts" | "credentials"> {
  const list = <Item>(path: string, { limit, cursor }: PageRequest, query = {}): Promise<Page<Item>> =>
    http.send<Page<Item>>("GET", path, { holds: "items", query: { ...query, limit, cursor } })
  const tool = (method: string, path: string, content = {}): Promise<RegistryToolView> =>
    http.send<RegistryToolView>(method, path, { holds: "id", ...content })
  return {
    registry: {
      list: ({ status, implementationType, query } = {}, page = {}) =>
        list<RegistryToolView>("/registry", page, { status, implementationType, query }),
      get: async (id) => tool("GET", pathTo("tools", id)),
      find: async (slug) => {
        const { items } = await list<RegistryToolView>("/registry", {}, { slug })
        if (items[0] === undefined) throw new ExecutorError("not_found", `There is no tool '${slug}' in the registry`)
        return items[0]
      },
      create: (body) => tool("POST", "/tools", { body }),
      update: async (id, body) => tool("PUT", pathTo("tools", id), { body }),
      remove: async (id) => (await http.send<Removal>("DELETE", pathTo("tools", id), { holds: "removed" })).tool,
      publish: async (id, body = {}) => tool("POST", `${pathTo("tools", id)}/publish`, { body }),
      version: async (id, newVersion) => tool("POST", `${pathTo("tools", id)}/version`, { query: { newVersion } }),
      versions: async (id, page = {}) => list<ToolVersionView>(`${pathTo("tools", id)}/versions`, page),
      versionOf: async (id, version) => http.send<ToolVersionView>("GET", pathTo("tools", id, "versions", version), { holds: "version" }),
      diff: async (id, { from, to }) =>
        http.send<DefinitionDiff>("GET", `${pathTo("tools", id)}/diff`, { holds: "changes", query: { from, to } }),
      test: async (id, input) =>
        http.send<RegistryToolTest>("POST", `${pathTo("tools", id)}/test`, { holds: "executionId", body: { input } }),
      rollback: async (id, version) => tool("POST", `${pathTo("tools", id)}/rollback`, { body: { version } }),
      builtins: async () => (await http.send<Page<RegistryToolView>>("GET", "/tools/builtins/templates", { holds: "items" })).items,
      export: () => http.send<RegistryExport>("GET", "/registry/export", { holds: "tools" }),
      import: (body) => http.send<RegistryImportResult>("POST", "/registry/import", { holds: "created", body }),
    },
    artifacts: {
      list: (page = {}) => list<ArtifactView>("/artifacts", page),
      get: async (id) => http.send<ArtifactView>("GET", pathTo("artifacts", id), { holds: "id" }),
      create: (body) => http.send<ArtifactView>("POST", "/artifacts", { holds: "id", body }),
      update: async (id, body) => http.send<ArtifactView>("PUT", pathTo("artifacts", id), { holds: "id", body }),
      versions: async (id, page = {}) => list<ArtifactVersionView>(`${pathTo("artifacts", id)}/versions`, page),
      remove: async (id) => http.send<void>("DELETE", pathTo("artifacts", id)),
    },
    credentials: {
      list: (page = {}) => list<TenantCredentialView>("/credentials", page),
      create: (body) => http.send<TenantCredentialView>("POST", "/credentials", { holds: "id", body }),
      update: async (id, body) => http.send<TenantCredentialView>("PATCH", pathTo("credentials", id), { holds: "id", body }),
      remove: async (id) => http.send<void>("DELETE", pathTo("credentials", id)),
    },
  }
}
