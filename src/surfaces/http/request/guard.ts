// Keeps web pages of other origins away from the server, and plain HTTP on this machine: `Host`, `Origin`, TLS.
//
// A page that rebinds its own DNS name to 127.0.0.1 is same-origin to the browser, and only `Host` gives it
// away. A page that calls us by our own name is cross-origin, and `Origin` gives it away. Ports of loopback
// names are not compared, so that forwarded ports work; a page can not choose the `Host` it sends.
import { ExecutorError } from "../../../core/errors.ts"
import type { RequestFacts } from "../../../core/request-facts.ts"
import { isLoopback, parseAddress } from "../../../io/network/address-range.ts"

export type GuardOptions = {
  /** `name` for any port, or `name:port`. Loopback names are always allowed. */
  readonly allowedHosts: readonly string[]
  readonly publicUrl?: string
  /** This server by the name of its machine, where that is its own as much as `127.0.0.1`; null where not, as by default. */
  localhostUrl?(): string | null
}

export type Guard = (headers: Headers, facts: Pick<RequestFacts, "address" | "isSecure">) => ExecutorError | null

const hostPattern = /^(\[[0-9a-f:.]+\]|[^:[\]@/\\\s]+)(?::\d{1,5})?$/
const loopbackPattern = /^(?:localhost\.?|127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}|\[::1\])$/

/** Whether a `Host` header names the machine that reads it. */
export const isLoopbackHost = (host: string): boolean => loopbackPattern.test(hostPattern.exec(host.toLowerCase())?.[1] ?? "")

export function createGuard(options: GuardOptions): Guard {
  const publicUrl = options.publicUrl === undefined ? null : new URL(options.publicUrl)
  const allowed = new Set(options.allowedHosts.map((host) => host.toLowerCase()))
  if (publicUrl) allowed.add(publicUrl.hostname)

  return (headers, { address, isSecure }) => {
    if (!isSecure && !isOnMachine(address) && publicUrl?.protocol !== "http:") return refusePlain(publicUrl)
    const host = headers.get("host")?.toLowerCase() ?? ""
    const name = hostPattern.exec(host)?.[1]
    if (name === undefined || !(loopbackPattern.test(name) || allowed.has(name) || allowed.has(host))) return refuseHost(host)
    const origin = headers.get("origin")?.toLowerCase() ?? null
    if (origin === null || origin === `https://${host}` || origin === publicUrl?.origin) return null
    // A page without TLS may come from whoever is on the way to it.
    if (!isSecure && [`http://${host}`, ...namesOf(`http://${host}`, options.localhostUrl?.() ?? null)].includes(origin)) return null
    return new ExecutorError(
      "forbidden",
      "This request came from a web page of another site, and was refused. If the page is this server's own, set EXECUTOR_PUBLIC_URL to the address in your browser",
    )
  }
}

/** The origins that are this server's own pages, if `origin` is one of them. */
function namesOf(origin: string, localhostUrl: string | null): readonly string[] {
  if (localhostUrl === null) return []
  const names = [localhostUrl, addressed(localhostUrl)]
  return names.includes(origin) ? names : []
}

/** The same server by its address. */
export const addressed = (localhostUrl: string): string => localhostUrl.replace("//localhost", "//127.0.0.1")

function isOnMachine(text: string): boolean {
  const address = parseAddress(text)
  return address !== null && isLoopback(address)
}

/** It comes too late for what this request has shown on its way, and in time for those after it. */
const refusePlain = (publicUrl: URL | null): ExecutorError =>
  new ExecutorError(
    "forbidden",
    `This request came over the network without TLS, and was refused; use ${publicUrl === null ? "https" : publicUrl.origin}, and replace the token that it carried. Behind a proxy: name it in EXECUTOR_TRUSTED_PROXIES, and let it send X-Forwarded-Proto`,
  )

const refuseHost = (host: string): ExecutorError =>
  new ExecutorError(
    "forbidden",
    `This server does not serve the host ${JSON.stringify(host.slice(0, 100))}; if it should, set EXECUTOR_PUBLIC_URL to its public address`,
  )
