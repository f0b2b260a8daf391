// Tests which addresses count as public, with the forms that attackers write them in.
import { describe, expect, it } from "vitest"
import type { AddressRange } from "./address-range.ts"
import { addressPrefix, addressRange, isLoopback, parseAddress } from "./address-range.ts"

const cases: readonly [string, AddressRange][] = [
  ["93.184.216.34", "public"],
  ["2606:2800:220:1:248:1893:25c8:1946", "public"],
  ["::ffff:93.184.216.34", "public"],
  ["0.0.0.0", "private"],
  ["10.1.2.3", "private"],
  ["100.64.0.1", "private"],
  ["127.0.0.1", "private"],
  ["127.255.255.254", "private"],
  ["172.31.255.255", "private"],
  ["172.32.0.0", "public"],
  ["192.0.0.192", "private"],
  ["192.168.0.1", "private"],
  ["198.18.0.1", "private"],
  ["203.0.113.7", "private"],
  ["224.0.0.1", "private"],
  ["240.0.0.1", "private"],
  ["255.255.255.255", "private"],
  ["169.254.169.254", "link_local"],
  ["::", "private"],
  ["::1", "private"],
  ["::ffff:127.0.0.1", "private"],
  ["::ffff:7f00:1", "private"],
  ["::ffff:169.254.169.254", "link_local"],
  ["::127.0.0.1", "private"],
  ["::ffff:0:127.0.0.1", "private"],
  ["64:ff9b::7f00:1", "private"],
  ["64:ff9b::169.254.169.254", "link_local"],
  ["64:ff9b:1::10.0.0.1", "private"],
  ["2002:a9fe:a9fe::1", "link_local"],
  ["2002:7f00:1::", "private"],
  ["2001:0:53aa:64c::1", "private"],
  ["2001:db8::1", "private"],
  ["3fff::1", "private"],
  ["fc00::1", "private"],
  ["fd00:ec2::254", "private"],
  ["fe80::1", "link_local"],
  ["fe80::1%eth0", "link_local"],
  ["febf::1", "link_local"],
  ["fec0::1", "private"],
  ["ff02::1", "private"],
  ["100::1", "private"],
  ["4000::1", "private"],
]

describe("addressRange", () => {
  it.each(cases)("%s is %s", (text, range) => {
    const address = parseAddress(text)
    expect(address && addressRange(address)).toBe(range)
  })

  it("knows the addresses that lead to this machine", () => {
    const leads = (text: string): boolean => {
      const address = parseAddress(text)
      return address !== null && isLoopback(address)
    }
    expect(
      ["127.0.0.1", "127.9.9.9", "0.0.0.0", "::", "::1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1"].map(leads),
    ).not.toContain(false)
    expect(["10.0.0.1", "93.184.216.34", "fe80::1", "::2"].map(leads)).not.toContain(true)
  })

  it.each(["", "localhost", "1.2.3.4.5", "[::1]", "::1]"])("%j is no address", (text) => expect(parseAddress(text)).toBeNull())
})

it.each([
  ["203.0.113.77", "203.0.113.0/24"],
  ["::ffff:203.0.113.77", "203.0.113.0/24"],
  ["2001:db8:1:2::3", "2001:db8:1::/48"],
  ["::1", "::/48"],
  ["nobody", null],
])("the network of %s is %s", (address, prefix) => expect(addressPrefix(address)).toBe(prefix))
