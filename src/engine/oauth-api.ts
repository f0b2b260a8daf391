// What one principal can do about OAuth: consents and clients, each change with its audit.
import { createOauthClient, listOauthClients, removeOauthClient } from "../catalog/oauth/clients.ts"
import { completeOauth } from "../catalog/oauth/complete.ts"
import type { ConsentParts } from "../catalog/oauth/complete.ts"
import { viewFlow } from "../catalog/oauth/flow.ts"
import { probeOauth } from "../catalog/oauth/probe.ts"
import { startOauth } from "../catalog/oauth/start.ts"
import type { ExecutorApi } from "../core/executor-api.ts"
import type { Principal } from "../core/principal.ts"
import { withAudit, withChangeAudit } from "./audit/audit.ts"
import { connectionName } from "./audit/catalog-changes.ts"
import { oauthClientAuditDetails, oauthClientOf } from "./audit/details.ts"
import type { EngineParts } from "./engine-parts.ts"

/** A consent is finished by whom its flow says, which is known only once the flow is found. */
export const withConsentAudit = <Parts extends EngineParts>(parts: Parts): Parts & Pick<ConsentParts, "noted"> => ({
  ...parts,
  noted: (human, subject, work) => withAudit(human, parts)("oauth.complete", subject, work),
})

export function oauthApi(principal: Principal, parts: EngineParts): ExecutorApi["oauth"] {
  const audit = withAudit(principal, parts)
  const auditChange = withChangeAudit(principal, parts)
  return {
    start: (input) => audit("oauth.start", connectionName(input), () => startOauth(principal, input, parts)),
    flow: (id) => viewFlow(principal, id, parts),
    complete: (input) => completeOauth(principal, input, withConsentAudit(parts)),
    probe: (request) => probeOauth(principal, request, parts),
    clients: {
      list: (page = {}) => listOauthClients(principal, page, parts),
      create: (input) =>
        audit("oauth.client.create", input.clientId, () => createOauthClient(principal, input, parts), oauthClientAuditDetails),
      remove: (id) =>
        auditChange("oauth.client.remove", id, () => removeOauthClient(principal, id, parts), {
          look: () => parts.store.oauthClients.get(principal, id),
          before: oauthClientOf,
        }),
    },
  }
}
