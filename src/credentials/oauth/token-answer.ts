// Interprets the response of a token endpoint: tokens, a refusal that only a human can resolve, or a temporary failure.
import { ResponseBodyError } from "oauth4webapi"
import type { TokenEndpointResponse } from "oauth4webapi"
import { ExecutorError } from "../../core/errors.ts"
import { redactText } from "../redact.ts"

export type Tokens = {
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly lifetimeMs: number | null
  /** Null: the provider states none, which means those that were asked for. */
  readonly scopes: readonly string[] | null
}

export type TokenAnswer =
  | { readonly status: "granted"; readonly tokens: Tokens }
  | { readonly status: "refused"; readonly reason: string; readonly what: Refused }
  | { readonly status: "unavailable"; readonly message: string }

/** `grant`: the consent has ended. `client`: what we are at the provider is not accepted. `request`: it wants to be asked otherwise. */
export type Refused = "grant" | "client" | "request"

const clientErrors: ReadonlySet<string> = new Set(["invalid_client", "unauthorized_client"])
/** The standard's own, OpenID Connect's, and those of GitHub and Slack. */
const grantErrors: ReadonlySet<string> = new Set([
  "invalid_grant",
  "access_denied",
  "interaction_required",
  "login_required",
  "consent_required",
  "bad_refresh_token",
  "invalid_refresh_token",
  "token_revoked",
  "token_expired",
])
const transientErrors: ReadonlySet<string> = new Set(["temporarily_unavailable", "server_error", "slow_down"])
const reasonCharsMax = 300
const scopesCharsMax = 10_000
/** Ten years: a date can hold no arbitrary number. */
const lifetimeSecondsMax = 315_360_000

/** `secrets`: what was sent, so that an answer that repeats it does not give it away. */
export async function readTokenAnswer(
  work: () => Promise<TokenEndpointResponse>,
  secrets: readonly (string | null)[],
): Promise<TokenAnswer> {
  try {
    const answer = await work()
    return { status: "granted", tokens: tokensOf(answer) }
  } catch (error) {
    if (error instanceof ExecutorError) return { status: "unavailable", message: error.message }
    if (!(error instanceof ResponseBodyError))
      return { status: "unavailable", message: "The provider's token endpoint did not return an OAuth response" }
    const reason = [error.error, error.error_description].filter(Boolean).join(": ")
    const shown = plainText(redactText(reason, secrets.filter((secret) => secret !== null && secret.length >= 4) as string[])) // nulls were just dropped
    const isTransient = transientErrors.has(error.error) || error.status >= 500 || error.status === 429
    if (isTransient) return { status: "unavailable", message: `The provider answered ${shown}` }
    return { status: "refused", reason: shown, what: whatIsRefused(error.error) }
  }
}

function whatIsRefused(error: string): Refused {
  if (clientErrors.has(error)) return "client"
  return grantErrors.has(error) ? "grant" : "request"
}

const tokensOf = (answer: TokenEndpointResponse): Tokens => ({
  accessToken: answer.access_token,
  refreshToken: answer.refresh_token ?? null,
  lifetimeMs: answer.expires_in === undefined ? null : Math.min(answer.expires_in, lifetimeSecondsMax) * 1000,
  scopes: answer.scope === undefined ? null : scopesOf(answer.scope),
})

/** Some providers put commas between them. */
const scopesOf = (text: string): string[] =>
  plainText(text, scopesCharsMax)
    .split(/[ ,]+/)
    .filter((scope) => scope !== "")

/** What real providers send in the place of what the standard says: an error with status 200, no token type, nulls. */
export async function standardAnswer(response: Response): Promise<Response> {
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as Record<string, unknown> | null // read as unknown below
  if (typeof body !== "object" || body === null || Array.isArray(body)) return response
  const headers = { "content-type": "application/json" }
  if (typeof body["error"] === "string") {
    const error = { error: body["error"], ...textOf(body, "error_description") }
    return new Response(JSON.stringify(error), { status: response.status >= 400 ? response.status : 400, headers })
  }
  if (response.status !== 200) return response
  const type = body["token_type"]
  if (typeof type === "string" && type.toLowerCase() !== "bearer") {
    const error = {
      error: "unsupported_token_type",
      error_description: `it issues tokens of type ${type}, but only Bearer is supported`,
    }
    return new Response(JSON.stringify(error), { status: 400, headers })
  }
  const lifetime = Number(body["expires_in"] ?? Number.NaN)
  const clean = {
    ...textOf(body, "access_token"),
    token_type: "bearer",
    ...textOf(body, "refresh_token"),
    ...textOf(body, "scope"),
    ...(Number.isFinite(lifetime) && lifetime > 0 ? { expires_in: lifetime } : {}),
  }
  return new Response(JSON.stringify(clean), { status: 200, headers })
}

const textOf = (body: Record<string, unknown>, name: string): Record<string, string> => {
  const value = body[name]
  return typeof value === "string" && value !== "" ? { [name]: value } : {}
}

/** One line that a terminal and a page can show. */
export const plainText = (text: string, charsMax = reasonCharsMax): string => text.replaceAll(/[\p{C}\s]+/gu, " ").slice(0, charsMax)
