// Executor as the authorization server of `/mcp`: joins its parts.
import type { AuthorizationServer } from "../../core/authorization-server.ts"
import { createClientDocuments } from "./client-document.ts"
import type { DocumentParts } from "./client-document.ts"
import { createRegistration } from "./client-registration.ts"
import type { ConsentParts } from "./consent-parts.ts"
import { decideConsent, showConsent } from "./decide.ts"
import { answerRevocation } from "./grant-end.ts"
import { answerTokenRequest } from "./token-grant.ts"

/** What the host of the server decides: its address, its key, and the way to the documents of clients. */
export type AuthorizationServerOptions = Pick<ConsentParts, "key" | "issuer"> & Pick<DocumentParts, "outbound">

export function createAuthorizationServer(given: Omit<ConsentParts, "documents"> & Pick<DocumentParts, "outbound">): AuthorizationServer {
  const parts: ConsentParts = { ...given, documents: createClientDocuments(given) }
  const register = createRegistration(parts)
  return {
    issuer: () => parts.issuer(),
    register,
    show: (query, human) => showConsent(query, human, parts),
    decide: (query, human, decision) => decideConsent(query, human, decision, parts),
    token: (form) => answerTokenRequest(form, parts),
    revoke: (form) => answerRevocation(form, parts),
  }
}
