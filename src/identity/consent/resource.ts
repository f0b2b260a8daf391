// The resource that a token is for (RFC 8707): `/mcp` of this server, or the pass-through of one integration.
import type { ConsentParts } from "./consent-parts.ts"

export type Resource = { readonly url: string; /** Null: `/mcp` itself. */ readonly integration: string | null }

const pathPattern = /^\/mcp(?:\/direct\/([\w.~-]{1,200}))?\/?$/

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

/** Null where it is not ours. A client that names none means `/mcp`. */
export function readResource(text: string | null, { issuer }: Pick<ConsentParts, "issuer">): Resource | null {
  if (text === null) return { url: `${issuer()}/mcp`, integration: null }
  const url = URL.parse(text)
  if (url === null || url.hash !== "" || url.username !== "" || url.password !== "" || !isOurs(url, new URL(issuer()))) return null
  const path = pathPattern.exec(url.pathname)
  return path === null ? null : { url: `${url.origin}${url.pathname.replace(/\/$/, "")}`, integration: path[1] ?? null }
}

/** A machine has several names for itself. Another port is another server, which may have named us to be given our tokens. */
export const isOurs = (url: URL, own: URL): boolean =>
  url.origin === own.origin ||
  (url.protocol === own.protocol && url.port === own.port && loopback.test(url.hostname) && loopback.test(own.hostname))
