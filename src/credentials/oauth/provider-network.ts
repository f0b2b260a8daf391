// The network for oauth4webapi: a `fetch` that only uses the guarded network.
import { allowInsecureRequests, customFetch } from "oauth4webapi"
import { ExecutorError } from "../../core/errors.ts"
import type { Limits } from "../../core/limits.ts"
import type { Outbound } from "../../io/network/outbound.ts"

/** How a provider is reached: by whose grants, and within which limits. */
export type ProviderNetwork = { readonly outbound: Outbound; readonly limits: Limits }

type FetchOptions = {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: URLSearchParams | string | undefined
}

/** The library may use plain HTTP because `secureUrl` has decided already where that is harmless. */
export const providerFetch = (network: ProviderNetwork) => ({
  [customFetch]: (url: string, options: FetchOptions): Promise<Response> => send(url, options, network),
  [allowInsecureRequests]: true,
})

/** An answer that came from another origin than was asked is not the provider's own. */
async function send(url: string, { method, headers, body }: FetchOptions, { outbound, limits }: ProviderNetwork): Promise<Response> {
  const answer = await outbound.send({
    method,
    url: secureUrl(url, "The provider's address"),
    headers,
    ...(body === undefined ? {} : { body: String(body) }),
    timeoutMs: limits.oauthRequestMs,
    responseBytesMax: limits.oauthAnswerBytesMax,
  })
  if (!answer.ok) throw new ExecutorError(answer.code, answer.message)
  if (new URL(answer.url).origin !== new URL(url).origin)
    throw new ExecutorError(
      "upstream_unreachable",
      `${new URL(url).host} redirects a request that only it may answer; the redirect was not followed`,
    )
  const isEmpty = answer.status === 204 || answer.status === 205 || answer.status === 304
  return new Response(isEmpty ? null : new Uint8Array(answer.bytes), { status: answer.status, headers: answer.headers })
}

/** Codes and tokens travel over TLS, or not beyond this machine. */
export function secureUrl(text: string, what: string): string {
  const url = URL.parse(text)
  if (url === null) throw new ExecutorError("invalid_request", `${what} is not a URL: ${JSON.stringify(text.slice(0, 200))}`)
  const isLocal = url.protocol === "http:" && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== "https:" && !isLocal)
    throw new ExecutorError("invalid_request", `${what} must be an https URL, not ${url.protocol}//${url.host}`)
  if (url.username !== "" || url.password !== "" || url.hash !== "")
    throw new ExecutorError("invalid_request", `${what} must not have user info or a fragment`)
  return text
}
