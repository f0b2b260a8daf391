// Creates, lists and revokes bearer tokens: stored as hashes, shown only once.
import { readPage, viewPage } from "../core/cursor.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Limits } from "../core/limits.ts"
import type { Page, PageRequest } from "../core/page.ts"
import type { Principal } from "../core/principal.ts"
import type { ElicitationMode, TokenCreate, TokenCreated, TokenView } from "../core/token.ts"
import type { Clock } from "../io/clock.ts"
import { newId, newSecret, sha256 } from "../io/ids.ts"
import type { Store, TokenRow } from "../store/store.ts"

export type IdentityParts = { readonly store: Store; readonly clock: Clock; readonly limits: Limits }

export async function createToken(principal: Principal, input: TokenCreate, parts: IdentityParts): Promise<TokenCreated> {
  requireHuman(principal, "create tokens")
  // A human's token may approve and administer: nobody gets one by leaving something out.
  if (input.kind !== "human" && input.kind !== "agent")
    throw new ExecutorError("invalid_request", "kind must be 'agent', or 'human' for a token that may approve and administer")
  const { row, token } = newToken(principal, input, parts.clock)
  await parts.store.tokens.put(row)
  return { id: row.id, token }
}

export async function listTokens(principal: Principal, page: PageRequest, parts: IdentityParts): Promise<Page<TokenView>> {
  requireHuman(principal, "list tokens")
  const rows = await readPage(
    page,
    parts.limits,
    (after) => parts.store.tokens.list(principal, after),
    ({ id }) => id,
  )
  return viewPage(rows, viewToken)
}

export async function removeToken(principal: Principal, id: string, parts: IdentityParts): Promise<void> {
  requireHuman(principal, "revoke tokens")
  if (!(await parts.store.tokens.remove(principal, id))) throw new ExecutorError("not_found", `There is no token '${id.slice(0, 80)}'`)
}

/** The text says what it is, so that a leaked one is recognised. */
export function newToken(
  owner: { readonly tenant: string; readonly user: string },
  input: TokenCreate,
  clock: Clock,
): { row: TokenRow; token: string } {
  const token = newSecret(input.kind === "human" ? "exh" : "exa")
  const now = clock.now()
  const row: TokenRow = {
    tenant: owner.tenant,
    user: owner.user,
    id: newId("tok", now),
    hash: sha256(token),
    name: input.name,
    kind: input.kind,
    elicitation: JSON.stringify(input.elicitation ?? ["browser"]),
    createdAt: now.toISOString(),
    patterns: null,
    expiresAt: null,
    createdBy: null,
    client: null,
    surface: null,
  }
  return { row, token }
}

const viewToken = (row: TokenRow): TokenView => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  user: row.user,
  elicitation: JSON.parse(row.elicitation) as ElicitationMode[], // written by `newToken`
  createdAt: row.createdAt,
})

function requireHuman(principal: Principal, action: string): void {
  if (principal.kind === "agent") throw new ExecutorError("forbidden", `An agent may not ${action}; ask a human`)
}
