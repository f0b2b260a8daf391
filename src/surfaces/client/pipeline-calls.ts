// The client's calls about retrieval pipelines.
import type { Page } from "../../core/page.ts"
import type { PipelinesApi } from "../../core/retrieval/api.ts"
import type { DocumentAdded, DocumentView } from "../../core/retrieval/document.ts"
import type { PipelineAnswer, PipelineView } from "../../core/retrieval/pipeline.ts"
import type { Transport } from "./transport.ts"
import { pathTo } from "./transport.ts"

export function pipelineCalls(http: Transport): PipelinesApi {
  const one = async (method: string, path: string, content = {}): Promise<PipelineView> =>
    http.send<PipelineView>(method, path, { holds: "id", ...content })
  return {
    list: ({ limit, cursor } = {}) => http.send<Page<PipelineView>>("GET", "/pipelines", { holds: "items", query: { limit, cursor } }),
    get: async (id) => one("GET", pathTo("pipelines", id)),
    create: (body) => one("POST", "/pipelines", { body }),
    update: async (id, body) => one("PATCH", pathTo("pipelines", id), { body }),
    remove: async (id) => http.send<void>("DELETE", pathTo("pipelines", id)),
    query: async (id, body, { signal } = {}) =>
      http.send<PipelineAnswer>("POST", `${pathTo("pipelines", id)}/query`, {
        holds: "results",
        body,
        ...(signal === undefined ? {} : { signal }),
      }),
    documents: {
      list: async (id, { limit, cursor, query } = {}) =>
        http.send<Page<DocumentView>>("GET", `${pathTo("pipelines", id)}/documents`, { holds: "items", query: { limit, cursor, query } }),
      add: async (id, body) => http.send<DocumentAdded>("POST", `${pathTo("pipelines", id)}/documents`, { holds: "outcome", body }),
      remove: async (id, documentId) => http.send<void>("DELETE", pathTo("pipelines", id, "documents", documentId)),
    },
  }
}
