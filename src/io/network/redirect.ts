// Where a redirect leads, and which headers and body follow it.
import type { Answer, Hop } from "./exchange.ts"

export type Redirect =
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "followed"; readonly hop: Hop }

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** What another origin may know about us. */
const sharedHeaders: ReadonlySet<string> = new Set(["accept", "accept-language", "accept-encoding", "user-agent"])

/** Only reads follow: a redirected write would be sent twice, or turn into something else. */
export const isRead = (method: string): boolean => method === "GET" || method === "HEAD"

export function redirectOf(hop: Hop, answer: Answer, reach: "everywhere" | "same_host" = "everywhere"): Redirect {
  const location = answer.headers["location"]
  if (!isRead(hop.method) || !redirectStatuses.has(answer.status) || location === undefined) return { kind: "none" }
  const url = URL.parse(location, hop.url.href)
  if (url === null) return { kind: "refused", reason: "redirected to an invalid URL" }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return { kind: "refused", reason: "redirected to a URL that is neither http nor https" }
  if (hop.url.protocol === "https:" && url.protocol === "http:") return { kind: "refused", reason: "redirected from https to http" }
  if (reach === "same_host" && siteOf(url) !== siteOf(hop.url)) return { kind: "none" }
  // User info in a redirect is the upstream's, not ours to vouch for.
  url.username = ""
  url.password = ""
  if (url.origin === hop.url.origin) return { kind: "followed", hop: { ...hop, url } }
  return { kind: "followed", hop: { method: hop.method, url, headers: sharedOnly(hop.headers), body: null } }
}

const siteOf = ({ hostname }: URL): string => hostname.replace(/^www\./, "")

const sharedOnly = (headers: Hop["headers"]): Hop["headers"] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => sharedHeaders.has(name)))
