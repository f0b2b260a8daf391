// Tests that codes are sent to https or to this machine, and to the letter where they were registered to go.
import fc from "fast-check"
import { expect, test } from "vitest"
import { isRedirectUri, isRegisteredRedirect, redirectTarget, redirectWith } from "./redirect-uri.ts"

test.each([
  "https://claude.ai/api/mcp/auth_callback",
  "https://vscode.dev/redirect?x=1",
  "http://127.0.0.1/callback",
  "http://127.0.0.1:33418/",
  "http://localhost:54212/callback",
  "http://[::1]:9000/cb",
  "cursor://anysphere.cursor-mcp/oauth/callback",
])("%s can be registered", (uri) => expect(isRedirectUri(uri)).toBe(true))

test.each([
  "http://example.com/cb",
  "http://10.0.0.1/cb",
  "http://127.0.0.2/cb",
  "http://127.0.0.1.evil.example/cb",
  "http://localhost.evil.example/cb",
  "http://localhost@evil.example/cb",
  "https://user@example.com/cb",
  "https://user:secret@example.com/cb",
  "https://example.com/cb#fragment",
  "https://example.com/cb#",
  "https://example.com\\@evil.example/cb",
  "https://EXAMPLE.com/cb",
  "https:example.com/cb",
  "https:///example.com/cb",
  "https://exa\u{6d}ple.com/\u{200b}cb",
  "https://example.com/cb?code=1",
  "https://example.com/cb?iss=https://evil.example",
  "https://example.com/ cb",
  "https://example.com/\ncb",
  "javascript:alert(1)",
  "data:text/html,hi",
  "file:///etc/passwd",
  "myapp://callback",
  "cursor://anysphere.cursor-mcp/oauth/callback?x",
  "cursor://evil/oauth/callback",
  "",
  "callback",
  `https://example.com/${"x".repeat(500)}`,
])("%s cannot", (uri) => expect(isRedirectUri(uri)).toBe(false))

test.each([
  ["http://127.0.0.1:9999/callback", true],
  ["http://127.0.0.1/callback", true],
  ["http://localhost:9999/callback", false],
  ["http://127.0.0.1:9999/other", false],
  ["http://127.0.0.1:9999/callback/", false],
  ["http://127.0.0.1:9999/callback?x", false],
  ["https://127.0.0.1:9999/callback", false],
  ["https://claude.ai/cb", true],
  ["https://claude.ai:443/cb", false],
  ["https://claude.ai:8443/cb", false],
  ["https://claude.ai/cb/", false],
  ["https://claude.ai/cb?", false],
  ["https://claude.ai/cb#", false],
  ["https://claude.ai/x/../cb", false],
  ["https://claude.ai/%63b", false],
  ["https://Claude.ai/cb", false],
  ["https://user@claude.ai/cb", false],
  ["https://evil.example/cb", false],
])("%s is registered: %s", (uri, isRegistered) => {
  expect(isRegisteredRedirect(uri, ["http://127.0.0.1:1234/callback", "https://claude.ai/cb"])).toBe(isRegistered)
})

test("a human sees where the answer goes", () => {
  expect(redirectTarget("https://claude.ai/cb")).toEqual({ kind: "site", host: "claude.ai" })
  expect(redirectTarget("http://[::1]:90/cb")).toEqual({ kind: "this_machine", host: "[::1]:90" })
  expect(redirectTarget("cursor://anysphere.cursor-mcp/oauth/callback").kind).toBe("this_machine")
})

test("the answer is added to what was registered", () => {
  expect(redirectWith("https://a.example/cb", { code: "c&d", state: null, iss: "http://x" })).toBe(
    "https://a.example/cb?code=c%26d&iss=http%3A%2F%2Fx",
  )
  expect(redirectWith("https://a.example/cb?x=1", { state: "ü" })).toBe("https://a.example/cb?x=1&state=%C3%BC")
})

const pieces = fc.constantFrom(
  ..."https:// http:// 127.0.0.1 localhost [::1] evil.example @ : / \\ # ? & = % .. %2f %00 code= 80 x \t \u00e9 \u3002".split(" "),
)

test("whatever is accepted leads to the host that is shown, and keeps the answer apart", () => {
  const scheme = fc.constantFrom("https://", "http://127.0.0.1", "http://localhost", "https://a.example", "")
  const uris = fc.tuple(scheme, fc.array(pieces, { maxLength: 6 })).map(([first, rest]) => first + rest.join(""))
  fc.assert(
    fc.property(uris, fc.string(), fc.string(), (uri, code, state) => {
      if (!isRedirectUri(uri)) return
      const before = new URL(uri)
      const after = new URL(redirectWith(uri, { code, state }))
      expect(after.host).toBe(redirectTarget(uri).host)
      expect([after.origin, after.pathname, after.hash, after.username]).toEqual([before.origin, before.pathname, "", ""])
      expect(after.searchParams.getAll("code")).toEqual([code.toWellFormed()])
      expect(before.protocol === "https:" || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(before.hostname)).toBe(true)
      expect(isRegisteredRedirect(uri, [uri])).toBe(true)
      expect(isRegisteredRedirect(`${uri}x`, [uri])).toBe(false)
    }),
    { numRuns: 3000 },
  )
})
