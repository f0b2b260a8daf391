// Which IP addresses belong to the public internet, in whatever form they are written.
import ipaddr from "ipaddr.js"

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6
/** A block of addresses: all those that share so many leading bits with this one. */
export type AddressBlock = readonly [IpAddress, number]
export type AddressRange = "public" | "private" | "link_local"

/** Reads an address; IPv4 inside IPv6 (`::ffff:127.0.0.1`) is the IPv4 address that it reaches. */
export const parseAddress = (text: string): IpAddress | null => (ipaddr.isValid(text) ? ipaddr.process(text) : null)

export function addressRange(address: IpAddress): AddressRange {
  const range = address.range()
  if (range === "linkLocal") return "link_local"
  if (address instanceof ipaddr.IPv4) return range === "unicast" ? "public" : "private"
  const embedded = embeddedIpv4(address)
  if (embedded !== null) return addressRange(embedded) === "link_local" ? "link_local" : "private"
  return range === "unicast" && isGlobalUnicast(address) ? "public" : "private"
}

/** Whether the address leads to this machine whatever its interfaces are: Linux takes 0.0.0.0 and :: for itself. */
export function isLoopback(address: IpAddress): boolean {
  const embedded = address instanceof ipaddr.IPv6 ? embeddedIpv4(address) : null
  const range = (embedded ?? address).range()
  return range === "loopback" || range === "unspecified"
}

export function isInside(address: IpAddress, block: AddressBlock): boolean {
  return address.kind() === block[0].kind() && address.match(block[0], block[1])
}

/** Reads a CIDR such as `10.0.0.0/8`; null where it is none. */
export const parseCidr = (text: string): AddressBlock | null => (ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null)

export const singleAddress = (address: IpAddress): AddressBlock => [address, address.kind() === "ipv4" ? 32 : 128]

/** The network of an address, e.g. `203.0.113.0/24`: enough to recognise where somebody came from. Null for what is no address. */
export function addressPrefix(text: string): string | null {
  const address = parseAddress(text)
  if (address === null) return null
  const bits = address instanceof ipaddr.IPv4 ? 24 : 48
  const network = (address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(`${address.toString()}/${bits}`)
  return `${network.toString()}/${bits}`
}

/** Everything else is unassigned by IANA, reserved, or a way of writing an IPv4 address. */
const isGlobalUnicast = (address: ipaddr.IPv6): boolean => ((address.parts[0] ?? 0) & 0xe000) === 0x2000

/** The IPv4 address that a gateway would make of this one: NAT64, 6to4, translated and compatible addresses. */
function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0, high = 0, low = 0] = address.parts
  if (first === 0x2002) return ipv4Of(second, third)
  if (first === 0x64 && second === 0xff9b) return ipv4Of(high, low)
  const isShort = first === 0 && second === 0 && third === 0 && fourth === 0
  if (isShort && (fifth === 0xffff || fifth === 0) && sixth === 0 && high !== 0) return ipv4Of(high, low)
  return null
}

const ipv4Of = (high: number, low: number): ipaddr.IPv4 => new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff])
