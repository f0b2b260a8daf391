// Where a client may have codes sent: to https, or to a program on the human's own machine.
//
// Addresses are compared as text, character by character: whatever a parser would smooth over is another address. The
// one exception is the port of a loopback address, because native programs take any free one (RFC 8252, 7.3).
import type { RedirectTarget } from "../../core/authorization-server.ts"

const charsMax = 500
const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/
/** What a URL cannot hold as it stands, or what browsers read as something else. */
const odd = /[^\x21-\x7e]|["\\<>^`{|}#]/
/** Ours, in the answer. */
const taken = ["code", "state", "iss", "error", "error_description"]
/** Of clients that are known to come back in no other way: exactly these, and PKCE keeps the code theirs. */
const privateUse: readonly string[] = ["cursor://anysphere.cursor-mcp/oauth/callback"]

export function isRedirectUri(text: string): boolean {
  if (privateUse.includes(text)) return true
  if (text.length > charsMax || odd.test(text)) return false
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.password !== "" || taken.some((name) => url.searchParams.has(name))) return false
  // What the parser reads is what is written: no missing slashes, no host in other letters.
  if (!text.startsWith(`${url.protocol}//${url.host}`)) return false
  return url.protocol === "https:" || loopback.test(text)
}

/** `asked` is one of these, to the letter; of a loopback address with any port. */
export function isRegisteredRedirect(asked: string, registered: readonly string[]): boolean {
  if (!isRedirectUri(asked)) return false
  const shape = withoutPort(asked)
  return registered.some((one) => one === asked || (loopback.test(asked) && withoutPort(one) === shape))
}

const withoutPort = (uri: string): string => uri.replace(loopback, "http://$1")

export function redirectTarget(uri: string): RedirectTarget {
  const { protocol, host } = new URL(uri)
  return { kind: protocol === "https:" ? "site" : "this_machine", host: protocol.startsWith("http") ? host : `${protocol}//${host}` }
}

/** `redirectUri` is checked, so that nothing of it is lost. */
export function redirectWith(redirectUri: string, answer: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(given).toString()}`
}
