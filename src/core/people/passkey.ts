// Passkeys: what their owner sees of them, where they work, and what a browser does with one.
import type { Principal } from "../principal.ts"
import type { RequestFacts } from "../request-facts.ts"

export type PasskeyView = {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  /** Copied between the owner's devices by its provider. */
  readonly isSynced: boolean
}

/** The origin that a browser must have been at, and the domain that its keys belong to. */
export type RelyingParty = { readonly origin: string; readonly id: string }

export type PasskeyPlace =
  | { readonly kind: "works"; readonly party: RelyingParty }
  /** `url`: where they do, null where nowhere. */
  | { readonly kind: "elsewhere"; readonly url: string | null }

/** For what pages show: `off` where nobody signs in with them. */
export type PasskeyOffer = PasskeyPlace | { readonly kind: "off" }

/**
 * Keys belong to a domain, never to an IP address, and browsers use them over TLS or on this machine alone. `origin`: of
 * the page, which the server has checked to be its own. `publicUrl`: where people go, if the operator said so.
 */
export function passkeyPlace(origin: string, publicUrl: string | null): PasskeyPlace {
  const home = withName(new URL(publicUrl ?? origin))
  if (!hasKeys(home)) return { kind: "elsewhere", url: null }
  if (new URL(origin).origin !== home.origin) return { kind: "elsewhere", url: home.origin }
  return { kind: "works", party: { origin: home.origin, id: home.hostname } }
}

/** This machine by its name. */
function withName(url: URL): URL {
  const isThisMachine = url.protocol === "http:" && /^127(?:\.\d+){3}$|^\[::1\]$/.test(url.hostname)
  return isThisMachine ? new URL(`http://localhost${url.port === "" ? "" : `:${url.port}`}`) : url
}

const hasKeys = ({ protocol, hostname }: URL): boolean =>
  hostname === "localhost" || (protocol === "https:" && !/^[\d.]+$|^\[/.test(hostname))

/** What `navigator.credentials.create` answered, as JSON. */
export type NewCredential = {
  readonly id: string
  readonly rawId: string
  readonly type: "public-key"
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string; readonly transports?: readonly string[] }
}

/** What `navigator.credentials.get` answered, as JSON. */
export type Assertion = {
  readonly id: string
  readonly rawId: string
  readonly type: "public-key"
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string
  }
}

/** `flow`: the secret of the cookie that was set when it began; null without one. */
export type PasskeyBrowser = { readonly party: RelyingParty; readonly flow: string | null; readonly facts: RequestFacts }

/** `options`: for the browser's API, as JSON. `flow` is for the cookie, `key` for the page alone. */
export type PasskeyBegun = { readonly options: unknown; readonly key: string; readonly flow: string; readonly lifeMs: number }

export type PasskeySession = { readonly secret: string; readonly key: string; readonly lifeMs: number }

/** An invitation as its page shows it. */
export type InvitationOffer = {
  readonly tenant: string
  readonly name: string
  readonly email: string | null
  readonly roles: readonly string[]
  readonly invitedBy: string
  readonly expiresAt: string
  /** The provider that vouches for the address, so that a passkey alone is not enough; null where there is none. */
  readonly vouchedBy: string | null
}

/** `token`: of the link. `name`: how the person wants to be called. */
export type InvitationBegin = { readonly token: string; readonly name: string }
export type InvitationFinish = InvitationBegin & { readonly key: string; readonly passkeyName: string; readonly credential: NewCredential }

/** What somebody who is not a user yet does with the link of an invitation. */
export type InvitationPages = {
  /** Throws an `ExecutorError` whose message the page shows. */
  openInvitation(token: string, facts: RequestFacts): Promise<InvitationOffer>
  beginInvitation(input: InvitationBegin, browser: PasskeyBrowser): Promise<PasskeyBegun>
  acceptInvitation(input: InvitationFinish, browser: PasskeyBrowser): Promise<PasskeySession>
}

/** What humans do with passkeys in their browser. */
export type PasskeyPages = InvitationPages & {
  /** Only `openInvitation` works. */
  readonly isOff: boolean
  beginSignIn(browser: PasskeyBrowser): Promise<PasskeyBegun>
  signIn(input: { readonly key: string; readonly credential: Assertion }, browser: PasskeyBrowser): Promise<PasskeySession>
  beginRegistration(who: Principal, browser: PasskeyBrowser): Promise<PasskeyBegun>
  register(
    who: Principal,
    input: { readonly key: string; readonly name: string; readonly credential: NewCredential },
    browser: PasskeyBrowser,
  ): Promise<PasskeyView>
}
