// What a token endpoint said: tokens, a refusal that only a human can mend, or nothing usable for now.
import { ResponseBodyError } from "oauth4webapi"
import type { TokenEndpointResponse } from "oauth4webapi"
import { ExecutorError } from "../../core/errors.ts"
import { redactText } from "../redact.ts"

export type Tokens = {
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly lifetimeMs: number | null
}

export type TokenAnswer =
  | { readonly status: "granted"; readonly tokens: Tokens }
  /** `isUnknownClient`: not the grant is gone, but what we are at the provider. */
  | { readonly status: "refused"; readonly reason: string; readonly isUnknownClient: boolean }
  | { readonly status: "unavailable"; readonly message: string }

const transientErrors: ReadonlySet<string> = new Set(["temporarily_unavailable", "server_error", "slow_down"])
const reasonCharsMax = 300
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
      return { status: "unavailable", message: "The provider's token endpoint gave an answer that is not OAuth's" }
    const reason = [error.error, error.error_description].filter(Boolean).join(": ")
    const shown = plainText(redactText(reason, secrets.filter((secret) => secret !== null && secret.length >= 4) as string[])) // nulls were just dropped
    const isTransient = transientErrors.has(error.error) || error.status >= 500 || error.status === 429
    if (isTransient) return { status: "unavailable", message: `The provider answered ${shown}` }
    return { status: "refused", reason: shown, isUnknownClient: error.error === "invalid_client" }
  }
}

const tokensOf = (answer: TokenEndpointResponse): Tokens => ({
  accessToken: answer.access_token,
  refreshToken: answer.refresh_token ?? null,
  lifetimeMs: answer.expires_in === undefined ? null : Math.min(answer.expires_in, lifetimeSecondsMax) * 1000,
})

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
  const lifetime = Number(body["expires_in"] ?? Number.NaN)
  const clean = {
    ...textOf(body, "access_token"),
    token_type: typeof body["token_type"] === "string" ? body["token_type"] : "bearer",
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
export const plainText = (text: string): string => text.replaceAll(/[\p{C}\s]+/gu, " ").slice(0, reasonCharsMax)
