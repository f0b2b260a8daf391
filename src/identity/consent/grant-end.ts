// Ends a grant, so that its access and refresh tokens stop working at once.
import { OauthError } from "../../core/authorization-server.ts"
import { sha256 } from "../../io/ids.ts"
import type { AgentGrantRow } from "../../store/agent-grant-store.ts"
import { humanOf } from "./consent-parts.ts"
import type { ConsentParts } from "./consent-parts.ts"
import { readRefreshToken } from "./secrets.ts"

/** The grant goes with its token; one whose code was never redeemed has none. */
export async function endGrant(grant: AgentGrantRow, { store, endToken }: Pick<ConsentParts, "store" | "endToken">): Promise<boolean> {
  if (grant.tokenId === null || (await store.tokens.get(grant, grant.tokenId)) === null) return store.agentGrants.remove(grant, grant.id)
  await endToken(grant, grant.tokenId)
  return true
}

/** RFC 7009: a client gives back what it has. An unknown token is no error; one of another client is left alone. */
export async function answerRevocation(form: URLSearchParams, parts: ConsentParts): Promise<void> {
  const text = form.get("token") ?? ""
  if (text === "") throw new OauthError("invalid_request", "token is missing")
  const grant = await findGrant(text, parts)
  if (grant === null || (form.has("client_id") && form.get("client_id") !== grant.clientId)) return
  if (!(await endGrant(grant, parts))) return
  const details = { id: grant.tokenId }
  await parts.note(humanOf(grant), { action: "consent.revoke", subject: grant.clientName, outcome: "ok", details })
}

async function findGrant(text: string, { store, key }: ConsentParts): Promise<AgentGrantRow | null> {
  const refresh = readRefreshToken(text, key)
  if (refresh !== null) return store.agentGrants.findBySecret(sha256(refresh.secret))
  const token = await store.tokens.findByHash(sha256(text))
  return token === null ? null : store.agentGrants.findByToken(token, token.id)
}
