// The client's calls about models.
import type { ModelProviderView, ModelTest } from "../../core/agents/model-provider.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { Page } from "../../core/page.ts"
import type { Transport } from "./transport.ts"
import { pathTo } from "./transport.ts"

export function agentCalls(http: Transport): Pick<ExecutorApi, "models"> {
  const providers = "/models/providers"
  return {
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
