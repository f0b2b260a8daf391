// Reads the facts about a client from its request and connection.
//
// Anybody can write the headers by which proxies tell of their clients, so they count only when they come from a trusted
// proxy. Each proxy appends the address that it saw: read from the right, the first address that is no trusted proxy's is
// the client's. What stands left of it was written by the client itself.
import type { RequestFacts } from "../../../core/request-facts.ts"
import { safeLine } from "../../../core/text/safe.ts"
import { addressPrefix, isInside, isLoopback, parseAddress } from "../../../io/network/address-range.ts"
import type { AddressBlock, IpAddress } from "../../../io/network/address-range.ts"

/** The other end of the connection. */
export type Peer = { readonly address: string | undefined; readonly isEncrypted: boolean }

export type FactsOptions = {
  readonly publicUrl?: string
  /** Whose forwarding headers are believed. By default nobody's. */
  readonly trustedProxies?: readonly AddressBlock[]
}

export type FactsReader = (headers: Headers, peer: Peer) => RequestFacts

/** Enough to tell browsers apart; it is stored with sessions. */
const userAgentCharsMax = 300

export function createFactsReader({ publicUrl, trustedProxies = [] }: FactsOptions): FactsReader {
  const secureHost = publicUrl?.startsWith("https:") === true ? new URL(publicUrl).hostname : null
  const isTrusted = (address: IpAddress): boolean => trustedProxies.some((block) => isInside(address, block))
  const isPublicHost = (headers: Headers): boolean => secureHost !== null && hostName(headers) === secureHost

  return (headers, peer) => {
    const userAgent = safeLine((headers.get("user-agent") ?? "").slice(0, userAgentCharsMax))
    const direct = parseAddress(peer.address?.replace(/%.*$/, "") ?? "")
    if (direct === null) return { address: "unknown", addressPrefix: "unknown", userAgent, isSecure: peer.isEncrypted }
    if (!isTrusted(direct)) {
      // A proxy on this machine that nobody named still forwards the public name.
      const isSecure = peer.isEncrypted || (isLoopback(direct) && isPublicHost(headers))
      return { ...addressFacts(direct), userAgent, isSecure }
    }
    const forwarded = readForwarded(headers)
    const client = clientOf(direct, forwarded.addresses, isTrusted)
    const isSecure = forwarded.proto === null ? peer.isEncrypted || isPublicHost(headers) : forwarded.proto === "https"
    return { ...addressFacts(client), userAgent, isSecure }
  }
}

function addressFacts(client: IpAddress): Pick<RequestFacts, "address" | "addressPrefix"> {
  const address = client.toString()
  return { address, addressPrefix: addressPrefix(address) ?? "unknown" }
}

/** What a proxy does not tell, or tells in no way that is an address, leaves the last one that is known. */
function clientOf(direct: IpAddress, hops: readonly string[], isTrusted: (address: IpAddress) => boolean): IpAddress {
  let client = direct
  for (const hop of hops.toReversed()) {
    const address = parseHop(hop)
    if (address === null) return client
    client = address
    if (!isTrusted(address)) return client
  }
  return client
}

type Forwarded = { readonly addresses: readonly string[]; /** As the nearest proxy saw it. */ readonly proto: string | null }

/** Most proxies write `X-Forwarded-*` and pass a `Forwarded` of the client on, so that the former counts where both are. */
function readForwarded(headers: Headers): Forwarded {
  const addresses = listOf(headers.get("x-forwarded-for"))
  const proto = listOf(headers.get("x-forwarded-proto")).at(-1)?.toLowerCase() ?? null
  if (addresses.length > 0 || proto !== null) return { addresses, proto }
  const hops = listOf(headers.get("forwarded")).map(readPairs)
  return {
    addresses: hops.map((pairs) => pairs.get("for") ?? ""),
    proto: hops.at(-1)?.get("proto")?.toLowerCase() ?? null,
  }
}

/** `for="[2001:db8::1]:4711";proto=https`, RFC 7239. No value that is read here may hold a comma or a semicolon. */
function readPairs(hop: string): Map<string, string> {
  return new Map(
    hop.split(";").map((pair): [string, string] => {
      const equals = pair.indexOf("=")
      const value = pair.slice(equals + 1).trim()
      return [pair.slice(0, Math.max(equals, 0)).trim().toLowerCase(), /^"(.*)"$/.exec(value)?.[1] ?? value]
    }),
  )
}

const listOf = (header: string | null): string[] => (header === null ? [] : header.split(",").map((item) => item.trim()))

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function parseHop(hop: string): IpAddress | null {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(hop)?.[1] ?? hop
  return /^[\d.]+$/.test(bare) && !/^\d+(?:\.\d+){3}$/.test(bare) ? null : parseAddress(bare)
}

const hostName = (headers: Headers): string => (headers.get("host") ?? "").toLowerCase().replace(/:\d+$/, "")
