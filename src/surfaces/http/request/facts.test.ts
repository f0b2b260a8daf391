// Whose address a request is counted under, and whose word is taken for it.
import { expect, test } from "vitest"
import { parseCidr } from "../../../io/network/address-range.ts"
import { createFactsReader } from "./facts.ts"

const blocks = ["10.0.0.0/8", "::1/128", "2001:db8:ffff::/48"].map((text) => parseCidr(text) ?? expect.fail(text))
const read = createFactsReader({ publicUrl: "https://tools.example", trustedProxies: blocks })
const facts = (address: string | undefined, headers: Record<string, string> = {}, isEncrypted = false) =>
  read(new Headers(headers), { address, isEncrypted })

test.each([
  ["203.0.113.9", "203.0.113.9", "203.0.113.0/24"],
  ["::ffff:203.0.113.9", "203.0.113.9", "203.0.113.0/24"],
  ["2001:db8:7:1::9", "2001:db8:7:1::9", "2001:db8:7::/48"],
  ["fe80::1%eth0", "fe80::1", "fe80::/48"],
  [undefined, "unknown", "unknown"],
])("a client at %s", (peer, address, addressPrefix) => {
  expect(facts(peer)).toMatchObject({ address, addressPrefix, isSecure: false })
})

test.each([
  ["the right-most hop that is not trusted", "1.1.1.1, 198.51.100.7, 10.2.2.2", "198.51.100.7"],
  ["what a client wrote itself is not read", "8.8.8.8, 198.51.100.7", "198.51.100.7"],
  ["all of them trusted: the first", "10.1.1.1, 10.2.2.2", "10.1.1.1"],
  ["a port", "198.51.100.7:4711", "198.51.100.7"],
  ["IPv6 in brackets with a port", "[2001:db8:7::9]:4711", "2001:db8:7::9"],
  ["IPv6", "2001:db8:7::9", "2001:db8:7::9"],
  ["an IPv4 address inside IPv6", "::ffff:198.51.100.7", "198.51.100.7"],
  ["no address leaves the proxy's", "198.51.100.7, unknown", "10.0.0.1"],
  ["a number is no address", "198.51.100.7, 3405803781", "10.0.0.1"],
  ["an empty list leaves the proxy's", "", "10.0.0.1"],
])("X-Forwarded-For from a trusted proxy: %s", (_, header, expected) => {
  expect(facts("10.0.0.1", { "x-forwarded-for": header }).address).toBe(expected)
})

test.each(["203.0.113.9", "127.0.0.1", "11.0.0.1", "::ffff:203.0.113.9"])("%s is not believed", (peer) => {
  const lies = { "x-forwarded-for": "1.2.3.4", "x-forwarded-proto": "https", forwarded: "for=1.2.3.4;proto=https" }
  expect(facts(peer, lies)).toEqual(facts(peer))
})

test("Forwarded counts where the proxy writes no X-Forwarded-For", () => {
  const forwarded = 'for=8.8.8.8;proto=http, for="[2001:db8:7::9]:4711";Proto=HTTPS;by=10.0.0.1'
  expect(facts("10.0.0.1", { forwarded })).toMatchObject({ address: "2001:db8:7::9", isSecure: true })
  expect(facts("10.0.0.1", { forwarded, "x-forwarded-for": "198.51.100.7" })).toMatchObject({ address: "198.51.100.7", isSecure: false })
  expect(facts("10.0.0.1", { forwarded: "for=_hidden, proto" }).address).toBe("10.0.0.1")
})

test.each([
  ["TLS to this server", "203.0.113.9", {}, true, true],
  ["nothing", "203.0.113.9", { host: "tools.example" }, false, false],
  ["a trusted proxy says https", "10.0.0.1", { "x-forwarded-proto": "https" }, false, true],
  ["a trusted proxy says http", "10.0.0.1", { "x-forwarded-proto": "http", host: "tools.example" }, true, false],
  ["the nearest proxy's word counts", "10.0.0.1", { "x-forwarded-proto": "https, http" }, false, false],
  ["a trusted proxy says nothing, but forwards the public name", "10.0.0.1", { host: "Tools.example:443" }, false, true],
  ["a proxy on this machine forwards the public name", "127.0.0.1", { host: "tools.example" }, false, true],
  ["a program on this machine", "127.0.0.1", { host: "localhost:4788" }, false, false],
])("secure: %s", (_, peer, headers, isEncrypted, expected) => {
  expect(facts(peer, headers, isEncrypted).isSecure).toBe(expected)
})

test("a user agent is one short line", () => {
  expect(facts("203.0.113.9", { "user-agent": `Browser\t${"x".repeat(1000)}` }).userAgent).toBe(`Browser ${"x".repeat(292)}`)
})
