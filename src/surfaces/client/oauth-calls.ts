// OAuth over HTTP: consents, clients, and what an upstream wants.
import type { ConnectionView } from "../../core/connection.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { OauthClientView, OauthFlowView, OauthProbe, OauthStarted } from "../../core/oauth.ts"
import type { Page } from "../../core/page.ts"
import { pathTo } from "./transport.ts"
import type { Transport } from "./transport.ts"

export const oauthCalls = (http: Transport): ExecutorApi["oauth"] => ({
  start: (input) => http.send<OauthStarted>("POST", "/oauth/start", { body: input }),
  flow: async (id) => http.send<OauthFlowView>("GET", pathTo("oauth", "flows", id), { holds: "status" }),
  complete: (input) => http.send<ConnectionView>("POST", "/oauth/complete", { holds: "address", body: input }),
  probe: (request) => http.send<OauthProbe>("POST", "/oauth/probe", { body: request }),
  clients: {
    list: ({ limit, cursor } = {}) =>
      http.send<Page<OauthClientView>>("GET", "/oauth/clients", { holds: "items", query: { limit, cursor } }),
    create: (input) => http.send<OauthClientView>("POST", "/oauth/clients", { holds: "id", body: input }),
    remove: async (id) => http.send<void>("DELETE", pathTo("oauth", "clients", id)),
  },
})
