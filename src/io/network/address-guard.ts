// Decides whether a connection to a resolved address may be opened.
//
// The order is the rule: what is never reachable, what is public, what the operator allows for everyone, and last what
// an integration was granted for exactly this host and port.
import { isIPv6 } from "node:net"
import { networkInterfaces } from "node:os"
import { ExecutorError } from "../../core/errors.ts"
import type { AddressBlock, IpAddress } from "./address-range.ts"
import { addressRange, isInside, isLoopback, parseAddress, parseCidr, singleAddress } from "./address-range.ts"

/** Host in the form that the URL parser gives it, without brackets and trailing dot. */
export type Target = { readonly host: string; readonly port: number }

/** `granted`: the integration may reach this target although it is private. */
export type Standing = "ungranted" | "granted"

export interface AddressGuard {
  /** Null: the address may be connected to. */
  refusal(target: Target, address: string, standing: Standing): string | null
  forbid(host: string, port: number): void
}

type AllowRule =
  | { readonly kind: "name"; readonly name: string; readonly port: number | null }
  | { readonly kind: "range"; readonly range: AddressBlock; readonly port: number | null }

export function createAddressGuard(allowPrivateHosts: readonly string[]): AddressGuard {
  const rules = allowPrivateHosts.map(parseAllowRule)
  const forbidden: Target[] = []
  return {
    forbid: (host, port) => void forbidden.push({ host: normalHost(host) ?? host.toLowerCase(), port }),
    refusal(target, addressText, standing) {
      const address = parseAddress(addressText)
      if (address === null) return `${showTarget(target)} did not resolve to an IP address`
      if (forbidden.some((own) => isOwnAddress(own, target, address)))
        return `${showTarget(target)} is Executor's own address, which tools may not access`
      const range = addressRange(address)
      if (range === "link_local") return `${showTarget(target)} is a link-local address, which tools may not access`
      if (range === "public" || standing === "granted" || rules.some((rule) => isAllowedBy(rule, target, address))) return null
      return `${showTarget(target)} is a private address; to allow it, add '${showTarget(target)}' to EXECUTOR_ALLOW_PRIVATE_HOSTS`
    },
  }
}

export const showTarget = ({ host, port }: Target): string => (host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`)

export function targetOf(url: URL): Target {
  return { host: bareHost(url.hostname), port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port) }
}

/**
 * Whatever host we listen on, all addresses of this machine at that port are ours: which of them the listener answers
 * depends on wildcards, dual stack sockets and aliases, and nothing else can listen there in earnest.
 */
function isOwnAddress(own: Target, target: Target, address: IpAddress): boolean {
  if (own.port !== target.port) return false
  if (own.host === target.host || isLoopback(address)) return true
  const text = address.toString()
  if (parseAddress(own.host)?.toString() === text) return true
  return Object.values(networkInterfaces()).some((list) => list?.some((entry) => parseAddress(entry.address)?.toString() === text))
}

function isAllowedBy(rule: AllowRule, target: Target, address: IpAddress): boolean {
  if (rule.port !== null && rule.port !== target.port) return false
  return rule.kind === "name" ? rule.name === target.host : isInside(address, rule.range)
}

function parseAllowRule(entry: string): AllowRule {
  const text = entry.trim()
  if (text.includes("/")) {
    const range = parseCidr(text)
    if (range === null) throw invalidRule(text)
    return { kind: "range", range, port: null }
  }
  const { host, port } = parseHostPort(text)
  const address = parseAddress(host)
  if (address === null) return { kind: "name", name: host, port }
  return { kind: "range", range: singleAddress(address), port }
}

function parseHostPort(text: string): { host: string; port: number | null } {
  const colon = isIPv6(text) || text.endsWith("]") ? -1 : text.lastIndexOf(":")
  const host = normalHost(colon < 0 ? text : text.slice(0, colon))
  const portText = colon < 0 ? null : text.slice(colon + 1)
  if (host === null || (portText !== null && !/^\d{1,5}$/.test(portText))) throw invalidRule(text)
  return { host, port: portText === null ? null : Number(portText) }
}

const invalidRule = (text: string): ExecutorError =>
  new ExecutorError("invalid_request", `EXECUTOR_ALLOW_PRIVATE_HOSTS: '${text}' is neither a host, host:port nor a CIDR range`)

/** The form in which the URL parser would give a host; null when it is none. */
function normalHost(text: string): string | null {
  const url = URL.parse(`http://${isIPv6(text) ? `[${text}]` : text}/`)
  const isHostOnly = url !== null && url.pathname === "/" && url.href === `http://${url.hostname}/` && !text.includes("*")
  return isHostOnly ? bareHost(url.hostname) : null
}

const bareHost = (hostname: string): string => (hostname.startsWith("[") ? hostname.slice(1, -1) : hostname.replace(/\.$/, ""))
