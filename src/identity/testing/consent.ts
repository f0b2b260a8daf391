// The authorization server for tests, on a real store, with a clock that the test moves, and a client that asks.
import { createHash } from "node:crypto"
import type { AuthorizationServer, ConsentDecision, TokenAnswer } from "../../core/authorization-server.ts"
import { OauthError } from "../../core/authorization-server.ts"
import { withLimits } from "../../core/limits.ts"
import type { Limits } from "../../core/limits.ts"
import type { Principal } from "../../core/principal.ts"
import { newId } from "../../io/ids.ts"
import type { Outbound } from "../../io/network/outbound.ts"
import type { Store } from "../../store/store.ts"
import { createAccess } from "../access.ts"
import { createAuthenticate } from "../authenticate.ts"
import { createAuthorizationServer } from "../consent/authorization-server.ts"
import type { ConsentNote } from "../consent/consent-parts.ts"

export const issuer = "http://127.0.0.1:4788"
export const redirectUri = "http://127.0.0.1:5000/callback"
const verifier = "v".repeat(43)
const challenge = createHash("sha256").update(verifier).digest("base64url")

export async function openConsent(store: Store, options: { limits?: Partial<Limits>; outbound?: Pick<Outbound, "open"> } = {}) {
  const time = { nowMs: Date.parse("2026-11-01T12:00:00.000Z") }
  const clock = { now: () => new Date(time.nowMs), monotonicMs: () => time.nowMs }
  const tenant = newId("tenant")
  await store.tenants.ensure({ tenant, id: "alice", name: "Alice", roles: ["member"] })
  const human: Principal = { tenant, user: "alice", roles: ["member"], rights: [], kind: "human", tokenId: null }
  const notes: (ConsentNote & { user: string })[] = []
  const access = createAccess(store, clock)
  const open = (): AuthorizationServer =>
    createAuthorizationServer({
      store,
      access,
      clock,
      limits: withLimits(options.limits ?? {}),
      key: new Uint8Array(32).fill(7),
      issuer: () => issuer,
      outbound: options.outbound ?? { open: () => Promise.reject(new Error("There is no internet here")) },
      endToken: (owner, id) => store.tokens.remove(owner, id),
      note: async ({ user }, note) => void notes.push({ user, ...note }),
      noteAnonymous: async (note) => void notes.push({ user: "anonymous", ...note }),
    })
  const server = open()
  const authenticate = createAuthenticate(store, access, clock)
  const register = async (name = "Claude", uris: readonly string[] = [redirectUri]): Promise<string> =>
    (await server.register({ client_name: name, redirect_uris: uris }, { address: "10.1.2.3", addressPrefix: "10.1.2.0/24" })).client_id
  const ask = (clientId: string, change: Readonly<Record<string, string | null>> = {}): URLSearchParams => {
    const asked = {
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      code_challenge: challenge,
      code_challenge_method: "S256",
      state: "xyz",
      ...change,
    }
    return new URLSearchParams(Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== null))
  }
  const decide = async (query: URLSearchParams, change: Partial<Extract<ConsentDecision, { action: "allow" }>> = {}): Promise<URL> => {
    const offer = await server.show(query, human)
    if (offer.kind !== "offer") throw new Error(offer.message)
    const decision = { action: "allow", shown: offer.shown, patterns: null, elicitation: ["browser"], ...change } as const
    return new URL(await server.decide(query, human, decision))
  }
  const allow = async (clientId: string, change: Parameters<typeof decide>[1] = {}): Promise<string> =>
    (await decide(ask(clientId), change)).searchParams.get("code") ?? ""
  const send = (form: Readonly<Record<string, string>>, to = server): Promise<TokenAnswer> => to.token(new URLSearchParams(form))
  return {
    time,
    clock,
    human,
    notes,
    access,
    server,
    /** As another node would. */
    another: open,
    register,
    ask,
    decide,
    allow,
    redeem: (clientId: string, code: string, change: Readonly<Record<string, string>> = {}): Promise<TokenAnswer> =>
      send({ grant_type: "authorization_code", client_id: clientId, code, code_verifier: verifier, redirect_uri: redirectUri, ...change }),
    refresh: (clientId: string, refreshToken: string, to = server): Promise<TokenAnswer> =>
      send({ grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken }, to),
    authenticate,
  }
}

/** What a client is told. */
export const faultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "nothing",
    (error: unknown) => (error instanceof OauthError ? error.code : String(error)),
  )
