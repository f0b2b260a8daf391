// EXECUTOR_SSO_ONLY from outside, and invitations to addresses that a provider vouches for: what is left is the provider, and the machine's own human.
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { systemClock } from "../../src/io/clock.ts"
import { newToken } from "../../src/identity/token-create.ts"
import { openSqliteStore } from "../../src/store/sqlite.ts"
import { startLyingProvider } from "../servers/lying-provider.ts"
import type { LyingProvider } from "../servers/lying-provider.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let provider: LyingProvider

beforeAll(async () => {
  provider = await startLyingProvider("executor")
})
afterAll(() => provider.close())

/** Passkeys work at the name of this machine. */
const home = (): string => product.url.replace("127.0.0.1", "localhost")
const post = async (path: string, body: unknown = {}): Promise<{ status: number; text: string }> => {
  const headers = { origin: home(), "content-type": "application/json" }
  const response = await fetch(`${home()}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}
const addProvider = async (): Promise<void> => {
  const body = { id: "acme", name: "Acme", issuer: provider.issuer, clientId: "executor", allow: { domains: ["acme.com"] } }
  expect((await product.request("POST", "/signin/providers", body)).status).toBe(201)
}
const invite = async (email: string): Promise<string> => (await product.client.invitations.create({ email, roles: ["member"] })).token
const credential = { id: "a", rawId: "a", type: "public-key", response: { clientDataJSON: "a", attestationObject: "a" } }
const assertion = { ...credential, response: { clientDataJSON: "a", authenticatorData: "a", signature: "a" } }

describe("with EXECUTOR_SSO_ONLY", () => {
  beforeAll(async () => {
    product = await startProduct({ env: { EXECUTOR_SSO_ONLY: "1" } })
  })
  afterAll(() => product.stop())

  test("a server without a provider says so when it starts", () => {
    expect(product.output()).toMatch(/EXECUTOR_SSO_ONLY is set and there is no sign-in provider/)
  })

  test("no passkey signs in, is added, or accepts an invitation", async () => {
    const token = await invite("zoe@example.com")
    const begin = { token, name: "Zoe" }
    const refused = [
      await post("/signin/passkey/options"),
      await post("/signin/passkey", { key: "k", credential: assertion }),
      await post("/invite/options", begin),
      await post("/invite", { ...begin, key: "k", passkeyName: "p", credential }),
    ]
    for (const { status, text } of refused) {
      expect([status, text]).toEqual([403, expect.stringContaining("Passkeys are turned off here (EXECUTOR_SSO_ONLY)")])
      expect(text).toMatch(/"code":"forbidden"/)
    }
    expect(JSON.parse((await post("/invite/open", { token })).text)).toMatchObject({ passkeys: { kind: "off" }, providers: [] })
    expect((await product.client.invitations.list()).items).toHaveLength(1)
  })

  test("signing in is offered at providers only", async () => {
    const methods = async (): Promise<unknown> => (await fetch(`${home()}/api/signin/methods`)).json()
    expect(await methods()).toMatchObject({ passkeys: { kind: "off" }, providers: [] })
    await addProvider()
    expect(await methods()).toMatchObject({ passkeys: { kind: "off" }, providers: [{ id: "acme", name: "Acme" }] })
  })

  test("the human of the machine signs in with a code, and nobody else does", async () => {
    const { code } = await product.client.sessions.create()
    expect((await post("/signin", { code })).status).toBe(200)
    await product.client.users.create({ id: "bob", name: "Bob", roles: ["admin"] })
    const { row, token } = newToken({ tenant: "default", user: "bob" }, { name: "bob", kind: "human" }, systemClock)
    const store = await openSqliteStore({ path: join(product.dataDir, "executor.db") })
    await store.tokens.put(row)
    await store.close()
    const answer = await product.request("POST", "/sessions", undefined, token)
    expect(answer).toMatchObject({ status: 403, body: { error: { code: "forbidden", message: expect.stringMatching(/One-time codes/) } } })
  })
})

describe("without it", () => {
  beforeAll(async () => {
    product = await startProduct()
    await addProvider()
  })
  afterAll(() => product.stop())

  test("an address that a provider vouches for is not taken by whoever has the link", async () => {
    const token = await invite("anna@ACME.com")
    const shown = await post("/invite/open", { token })
    expect(JSON.parse(shown.text)).toMatchObject({ offer: { vouchedBy: "Acme" }, providers: [{ name: "Acme" }] })
    for (const [path, more] of [
      ["/invite/options", {}],
      ["/invite", { key: "k", passkeyName: "p", credential }],
    ] as const) {
      const answer = await post(path, { token, name: "Mallory", ...more })
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("'Acme' vouches for such addresses")])
    }
  })

  test("another address is accepted with a passkey, by the link", async () => {
    const token = await invite("anna@elsewhere.com")
    const shown = await post("/invite/open", { token })
    expect(JSON.parse(shown.text)).toMatchObject({ offer: { vouchedBy: null }, passkeys: { kind: "works" } })
    expect((await post("/invite/options", { token, name: "Anna" })).status).toBe(200)
  })
})
