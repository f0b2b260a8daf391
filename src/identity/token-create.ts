// Creates, lists and revokes bearer tokens: stored as hashes, shown only once.
import { readPage, viewPage } from "../core/cursor.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Limits } from "../core/limits.ts"
import type { OfUser } from "../core/executor-api.ts"
import type { Page, PageRequest } from "../core/page.ts"
import type { Principal } from "../core/principal.ts"
import { isAdmin, requireAdmin, requireRight } from "../core/principal.ts"
import type { ElicitationMode, TokenCreate, TokenCreated, TokenView } from "../core/token.ts"
import type { Clock } from "../io/clock.ts"
import { newId, newSecret, sha256 } from "../io/ids.ts"
import type { Store, TokenRow } from "../store/store.ts"
import { checkPatterns } from "./people/input.ts"
import { requireHuman } from "./people/people.ts"

export type IdentityParts = { readonly store: Store; readonly clock: Clock; readonly limits: Limits }

export async function createToken(principal: Principal, input: TokenCreate, parts: IdentityParts): Promise<TokenCreated> {
  requireHuman(principal, "create tokens")
  // A human's token may approve and administer: nobody gets one by leaving something out.
  if (input.kind !== "human" && input.kind !== "agent")
    throw new ExecutorError("invalid_request", "kind must be 'agent', or 'human' for a token that may approve and administer")
  if (input.kind === "human" && input.patterns !== undefined)
    throw new ExecutorError("invalid_request", "Only an agent's token can have patterns; leave them out, or create an agent's token")
  checkDebug(principal, input)
  const narrowed = {
    patterns: input.patterns === undefined ? null : JSON.stringify(checkPatterns(input.patterns, parts.limits)),
    expiresAt: input.expiresAt === undefined ? null : checkExpiry(input.expiresAt, parts),
  }
  const user = input.user === undefined ? principal.user : await serviceAccount(principal, input, parts)
  const { row, token } = newToken({ tenant: principal.tenant, user }, input, parts.clock)
  await parts.store.tokens.put({ ...row, ...narrowed, createdBy: user === principal.user ? null : principal.user })
  return { id: row.id, token }
}

/** A human who has the right needs no token for it, and a service account never has it. */
function checkDebug(principal: Principal, { debug = false, kind, user = principal.user }: TokenCreate): void {
  if (!debug) return
  requireRight(principal, "registry.write", "make a token for debug mode")
  if (kind === "agent" && user === principal.user) return
  throw new ExecutorError("invalid_request", "debug is for tokens of your own agents; leave it out")
}

/** Never for other people: whoever has their token acts in their name. */
async function serviceAccount(principal: Principal, { user = "", kind }: TokenCreate, { store }: IdentityParts): Promise<string> {
  if (user === principal.user) return user
  requireAdmin(principal, "create tokens for service accounts")
  const row = await store.users.get({ tenant: principal.tenant, user })
  if (row === null) throw new ExecutorError("not_found", `There is no user '${user.slice(0, 80)}'`)
  if (!row.isService)
    throw new ExecutorError("forbidden", `'${user}' is a person: only they create tokens for their agents. Make a service account instead`)
  if (kind === "human") throw new ExecutorError("forbidden", "A service account has agents' tokens only: it never approves or administers")
  return user
}

/** In the one form in which times are compared. */
function checkExpiry(text: string, { clock }: IdentityParts): string {
  const atMs = /^\d{4}-\d\d-\d\d(?:T|$)/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(atMs)) throw new ExecutorError("invalid_request", "expiresAt must be a timestamp such as 2027-01-31T00:00:00Z")
  if (atMs <= clock.now().getTime()) throw new ExecutorError("invalid_request", "expiresAt is in the past; the token would never work")
  return new Date(atMs).toISOString()
}

/** Admins see those of everybody in the tenant, or of one user. */
export async function listTokens(principal: Principal, page: OfUser & PageRequest, parts: IdentityParts): Promise<Page<TokenView>> {
  requireHuman(principal, "list tokens")
  const { tokens } = parts.store
  const { user = null } = page
  if (user !== null && user !== principal.user) requireAdmin(principal, "list tokens of others")
  const scope = { tenant: principal.tenant, user: user ?? principal.user }
  const rows = await readPage(
    page,
    parts.limits,
    (after) => (user === null && isAdmin(principal) ? tokens.listAll(principal.tenant, after) : tokens.list(scope, after)),
    ({ id }) => id,
  )
  return viewPage(rows, viewToken)
}

/** Answers whose it was. */
export async function removeToken(principal: Principal, id: string, parts: IdentityParts): Promise<TokenView> {
  requireHuman(principal, "revoke tokens")
  const { tokens } = parts.store
  const row = isAdmin(principal) ? await tokens.find(principal.tenant, id) : await tokens.get(principal, id)
  if (row === null || !(await tokens.remove(row, id))) throw new ExecutorError("not_found", `There is no token '${id.slice(0, 80)}'`)
  return viewToken(row)
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
    debug: input.debug ?? false,
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
  patterns: row.patterns === null ? null : (JSON.parse(row.patterns) as string[]), // checked before it was written
  expiresAt: row.expiresAt,
  createdBy: row.createdBy,
  client: row.client,
  debug: row.debug,
})
