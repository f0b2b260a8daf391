// Signing in at an OpenID Connect provider: its settings, and what a browser does on the way.
import type { RequestFacts } from "../request-facts.ts"

/** Whoever has a claim value that the glob matches gets these roles. `*` stands for any characters. */
export type SignInRule = { readonly value: string; readonly roles: readonly string[] }

/** Who may sign in at all: everybody of the provider where nothing is said, else whoever fits both. */
export type SignInAllow = {
  /** Of the verified e-mail address. */
  readonly domains?: readonly string[]
  /** Globs, of which one must match a claim value. */
  readonly values?: readonly string[]
}

/** What decides about the people of a provider. */
export type SignInTerms = {
  /** Where the values are in the claims: a name, a dotted path, or a JSON pointer. */
  readonly claim: string
  readonly rules: readonly SignInRule[]
  /** For whoever no rule matches; without it they are refused. It may carry no rights. */
  readonly defaultRole?: string
  readonly allow: SignInAllow
}

export type SignInProviderView = SignInTerms & {
  readonly id: string
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  /** `***` where there is one. */
  readonly clientSecret: string | null
  readonly scopes: readonly string[]
  /** To be registered at the provider. */
  readonly redirectUri: string
  readonly createdAt: string
}

export type SignInProviderCreate = Partial<SignInTerms> & {
  readonly id?: string
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string
  /** A list, or one text with spaces. */
  readonly scopes?: readonly string[] | string
}

export type SignInProviderUpdate = Omit<Partial<SignInProviderCreate>, "id" | "defaultRole"> & { readonly defaultRole?: string | null }

/** Leads one browser through a sign-in that is shown and not kept. */
export type SignInTest = { readonly url: string; readonly expiresAt: string }

/** What a test shows. */
export type SignInTested = {
  readonly claims: Readonly<Record<string, unknown>>
  readonly values: readonly string[]
  readonly roles: readonly string[]
  /** Why they would be refused; null: they would be let in. */
  readonly refusal: string | null
}

/** The last time that somebody known came from an issuer, as an admin reads it: what it said of them, and what became of that. */
export type SignInRecord = SignInTested & {
  readonly provider: string
  readonly issuer: string
  readonly subject: string
  readonly at: string
  /** Whether `claims` has all of them: large ones are left out. */
  readonly isComplete: boolean
}

export type SignInOffer = { readonly id: string; readonly name: string }

export type SignInStart = {
  readonly tenant: string
  readonly provider: string
  /** Where to go afterwards: a path of this server. */
  readonly returnTo: string | null
  /** Of a test; null: a real sign-in. */
  readonly ticket: string | null
  /** Of the link by which somebody was invited. */
  readonly invitation: string | null
  /** Of the page. */
  readonly origin: string
}

/** `key`: for the storage of the tab. */
export type SignInStarted = { readonly url: string; readonly key: string; readonly cookie: SignInCookie }
export type SignInCookie = { readonly name: string; readonly value: string }

export type SignInBrowser = {
  readonly key: string
  cookie(name: string): string | null
  /** The secret of the session that ends with this sign-in. */
  readonly session: string | null
}

export type SignInDone =
  | {
      readonly kind: "signed_in"
      readonly session: { readonly secret: string; readonly key: string; readonly lifeMs: number }
      readonly returnTo: string | null
      readonly cookieName: string
    }
  | { readonly kind: "tested"; readonly provider: string; readonly result: SignInTested; readonly cookieName: string }

/** What humans who are not signed in do in their browser. */
export type SignInPages = {
  /** The same for a tenant that does not exist as for one without providers. */
  offers(tenant: string): Promise<readonly SignInOffer[]>
  start(input: SignInStart, facts: RequestFacts): Promise<SignInStarted>
  /** `answer`: what the provider sent back by way of the browser. */
  finish(answer: URLSearchParams, browser: SignInBrowser, facts: RequestFacts): Promise<SignInDone>
}
