// Which hosts and origins get through.
import { expect, test } from "vitest"
import { createGuard } from "./guard.ts"

const guard = createGuard({ allowedHosts: ["box.lan", "Exact.example:8443"], publicUrl: "https://tools.example/base" })
const verdict = (headers: Record<string, string>): string =>
  guard(new Headers(headers), { address: "127.0.0.1", isSecure: false })?.code ?? "passes"

test.each([
  ["localhost", "passes"],
  ["localhost:4788", "passes"],
  ["LOCALHOST:9", "passes"],
  ["localhost.:4788", "passes"],
  ["127.0.0.1:4788", "passes"],
  ["127.8.9.10", "passes"],
  ["127.255.200.199", "passes"],
  ["127.999.0.1", "forbidden"],
  ["127.0.0.256:4788", "forbidden"],
  ["127.0.0.01", "forbidden"],
  ["[::1]:4788", "passes"],
  ["tools.example", "passes"],
  ["box.lan:1234", "passes"],
  ["exact.example:8443", "passes"],
  ["exact.example:8444", "forbidden"],
  ["evil.example", "forbidden"],
  ["evil.example:4788", "forbidden"],
  ["localhost.evil.example", "forbidden"],
  ["127.0.0.1.evil.example", "forbidden"],
  ["127.0.0.1@evil.example", "forbidden"],
  ["evil.example:80@localhost", "forbidden"],
  ["localhost:4788, evil.example", "forbidden"],
  ["localhost/evil", "forbidden"],
  ["localhost:port", "forbidden"],
  ["localhost:999999", "forbidden"],
  ["[::1", "forbidden"],
  ["[::ffff:8.8.8.8]", "forbidden"],
  ["0.0.0.0:4788", "forbidden"],
  ["", "forbidden"],
])("Host %j: %s", (host, expected) => {
  expect(verdict({ host })).toBe(expected)
})

test("a request without Host is refused", () => {
  expect(verdict({})).toBe("forbidden")
})

test.each([
  ["localhost:4788", "http://localhost:4788", "passes"],
  ["localhost:4788", "HTTP://LOCALHOST:4788", "passes"],
  ["box.lan", "https://box.lan", "passes"],
  ["127.0.0.1:4788", "https://tools.example", "passes"],
  ["localhost:4788", "http://localhost:4789", "forbidden"],
  ["localhost:4788", "http://127.0.0.1:4788", "forbidden"],
  ["localhost:4788", "http://localhost:4788.evil.example", "forbidden"],
  ["localhost:4788", "http://evil.example", "forbidden"],
  ["localhost:4788", "null", "forbidden"],
  ["localhost:4788", "", "forbidden"],
  ["localhost:4788", "file://", "forbidden"],
])("Host %j, Origin %j: %s", (host, origin, expected) => {
  expect(verdict({ host, origin })).toBe(expected)
})

test("a page of the same name without TLS is another site", () => {
  const secure = (origin: string): string =>
    guard(new Headers({ host: "box.lan", origin }), { address: "203.0.113.9", isSecure: true })?.code ?? "passes"
  expect(secure("https://box.lan")).toBe("passes")
  expect(secure("http://box.lan")).toBe("forbidden")
})

test.each([
  ["203.0.113.9", false, "forbidden"],
  ["unknown", false, "forbidden"],
  ["203.0.113.9", true, "passes"],
  ["127.0.0.1", false, "passes"],
  ["::1", false, "passes"],
])("from %s, secure %s: %s", (address, isSecure, expected) => {
  expect(guard(new Headers({ host: "tools.example" }), { address, isSecure })?.code ?? "passes").toBe(expected)
})

test("whoever publishes an address without TLS has chosen it", () => {
  const open = createGuard({ allowedHosts: [], publicUrl: "http://tools.example" })
  expect(open(new Headers({ host: "tools.example" }), { address: "203.0.113.9", isSecure: false })).toBeNull()
})
