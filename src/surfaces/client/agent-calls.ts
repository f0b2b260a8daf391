// The client's calls about agents and models.
import type { AgentRunReply, AgentRunRequest, AgentVersionView, AgentView } from "../../core/agents/agent.ts"
import type { ModelProviderView, ModelTest } from "../../core/agents/model-provider.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { Page } from "../../core/page.ts"
import type { DefinitionDiff } from "../../core/registry/diff.ts"
import type { Transport } from "./transport.ts"
import { pathTo } from "./transport.ts"

type Removal = { readonly removed: boolean; readonly agent: AgentView | null }

export function agentCalls(http: Transport): Pick<ExecutorApi, "agents" | "models"> {
  const providers = "/models/providers"
  const agent = (method: string, path: string, content = {}): Promise<AgentView> =>
    http.send<AgentView>(method, path, { holds: "id", ...content })
  const run = (path: string, { signal, onStart: _inProcess, ...body }: AgentRunRequest): Promise<AgentRunReply> =>
    http.send<AgentRunReply>("POST", path, { holds: "executionId", body, ...(signal === undefined ? {} : { signal }) })
  return {
    agents: {
      list: ({ limit, cursor } = {}) => http.send<Page<AgentView>>("GET", "/agents", { holds: "items", query: { limit, cursor } }),
      get: async (id) => agent("GET", pathTo("agents", id)),
      create: (body) => agent("POST", "/agents", { body }),
      update: async (id, body) => agent("PUT", pathTo("agents", id), { body }),
      remove: async (id) => (await http.send<Removal>("DELETE", pathTo("agents", id), { holds: "removed" })).agent,
      publish: async (id, body = {}) => agent("POST", `${pathTo("agents", id)}/publish`, { body }),
      versions: async (id, { limit, cursor } = {}) =>
        http.send<Page<AgentVersionView>>("GET", `${pathTo("agents", id)}/versions`, { holds: "items", query: { limit, cursor } }),
      rollback: async (id, version) => agent("POST", `${pathTo("agents", id)}/rollback`, { body: { version } }),
      diff: async (id, { from, to }) =>
        http.send<DefinitionDiff>("GET", `${pathTo("agents", id)}/diff`, { holds: "changes", query: { from, to } }),
      run: async (slug, request) => run(`${pathTo("agents", slug)}/runs`, request),
      runOnce: (request) => run("/agents/runs", request),
    },
    models: {
      providers: {
        list: ({ limit, cursor } = {}) =>
          http.send<Page<ModelProviderView>>("GET", providers, { holds: "items", query: { limit, cursor } }),
        create: (body) => http.send<ModelProviderView>("POST", providers, { holds: "id", body }),
        update: async (id, body) => http.send<ModelProviderView>("PATCH", pathTo("models", "providers", id), { holds: "id", body }),
        remove: async (id) => http.send<void>("DELETE", pathTo("models", "providers", id)),
        test: async (id, body = {}) => http.send<ModelTest>("POST", `${pathTo("models", "providers", id)}/test`, { holds: "ok", body }),
      },
    },
  }
}
