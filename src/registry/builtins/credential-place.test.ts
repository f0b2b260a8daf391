// Tests that a credential is put into headers for its own endpoint alone.
import { expect, test } from "vitest"
import { placeCredential } from "./credential-place.ts"

const url = new URL("https://api.example.com/v1/users")
const endpoint = "https://api.example.com/v1"

test.each([
  [{ token: "t" }, { authorization: "Bearer t" }],
  [{ api_key: "k" }, { "x-api-key": "k" }],
  [{ username: "u", password: "p" }, { authorization: "Basic dTpw" }],
  [{ authorization: "Key k", token: "t" }, { authorization: "Key k" }],
])("%j is sent as %j", (values, headers) => {
  expect(placeCredential({ values, endpoint }, url)).toEqual({ ok: true, headers })
})

test.each([
  "https://api.example.com.evil.example/",
  "http://api.example.com/",
  "https://api.example.com:8443/",
  "https://evil.example/?api.example.com",
])("nothing goes to %s", (other) => {
  const placed = placeCredential({ values: { token: "planted" }, endpoint }, new URL(other))
  expect(placed).toMatchObject({
    ok: false,
    error: { code: "invalid_arguments", message: expect.stringContaining("https://api.example.com") },
  })
  expect(JSON.stringify(placed)).not.toContain("planted")
})

test("without an endpoint, or without a value that can be sent, it says what to set", () => {
  expect(placeCredential({ values: { token: "t" }, endpoint: null }, url)).toMatchObject({ error: { code: "auth_required" } })
  expect(placeCredential({ values: { constructor: "t" }, endpoint }, url)).toMatchObject({ error: { code: "auth_required" } })
  expect(placeCredential(null, url)).toEqual({ ok: true, headers: {} })
})
