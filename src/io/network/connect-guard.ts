// Opens sockets, and only to addresses that the guard allows.
//
// The check sits inside the name resolution of the very connection that is being opened, so that no second DNS answer
// can come between check and connect. A socket that is reused was checked when it was opened.
import type { LookupAddress, LookupOptions } from "node:dns"
import type { LookupFunction } from "node:net"
import { isIP } from "node:net"
import { buildConnector } from "undici"
import type { AddressGuard, Standing, Target } from "./address-guard.ts"
import { targetOf } from "./address-guard.ts"

/** The name resolution of the operating system, in the form that `dns.lookup` has. */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** The connection was not opened because it may not be. */
export class ConnectionRefusal extends Error {
  override readonly name = "ConnectionRefusal"
}

export type ConnectOptions = { readonly lookup: Lookup; readonly connectTimeoutMs: number }

/** One connector serves one origin, because an allowance can depend on the port, which a lookup does not see. */
export function createConnector(
  origin: string | URL,
  standing: Standing,
  guard: AddressGuard,
  options: ConnectOptions,
): buildConnector.connector {
  const target = targetOf(new URL(origin))
  const refusal = (address: string): string | null => guard.refusal(target, address, standing)
  const connect = buildConnector({
    allowH2: false,
    timeout: options.connectTimeoutMs,
    lookup: guardedLookup(target, refusal, options.lookup),
  })
  return (socketOptions, callback) => {
    const literalRefusal = isIP(target.host) === 0 ? null : refusal(target.host)
    if (literalRefusal !== null) return callback(new ConnectionRefusal(literalRefusal), null)
    connect(socketOptions, (...outcome) => {
      const [error, socket] = outcome
      if (error !== null) return callback(error, null)
      const lateRefusal = refusal(socket.remoteAddress ?? "")
      if (lateRefusal === null) return callback(null, socket)
      socket.destroy()
      callback(new ConnectionRefusal(lateRefusal), null)
    })
  }
}

function guardedLookup(target: Target, refusal: (address: string) => string | null, lookup: Lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const allowed = addresses.filter(({ address }) => refusal(address) === null)
      const [first] = allowed
      if (first === undefined) {
        const reason = addresses[0] === undefined ? `${target.host} has no address` : refusal(addresses[0].address)
        return callback(new ConnectionRefusal(reason ?? `${target.host} may not be reached`), [])
      }
      if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}
