// Connecting by OAuth against a real provider: consent in a real browser, renewal, revocation.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { oidcClient, startOidc } from "../servers/oidc.ts"
import type { Oidc } from "../servers/oidc.ts"
import { keepShot } from "./browser.ts"
import {
  addGreetings,
  connectByHand,
  consentInBrowser,
  expireTokens,
  goToProvider,
  inBrowser,
  requireConsent,
  signInPage,
} from "./oauth-consent.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let oidc: Oidc
let registering: Oidc

beforeAll(async () => {
  registering = await startOidc({ redirectUris: ["http://127.0.0.1/unused"] })
  product = await startProduct({
    env: {
      EXECUTOR_ALLOW_PRIVATE_HOSTS: new URL(registering.issuer).host,
      EXECUTOR_LIMITS: JSON.stringify({ oauthRenewGapMs: 0 }),
    },
  })
  oidc = await startOidc({ redirectUris: [`${product.url}/api/oauth/callback`] })
})
afterAll(async () => {
  await product.stop()
  await oidc.close()
  await registering.close()
})

const refreshes = (): number => oidc.ledger.filter((entry) => entry.grantType === "refresh_token").length
const call = (integration: string): string => `return await tools.${integration}.org.main.greetings.get({})`
const resultOf = async (code: string): Promise<unknown> => (await product.client.run(code)).structured

describe("a consent in a browser", () => {
  test("makes a connection whose tools work, and its token is seen by nobody", async () => {
    await addGreetings(product, oidc, "browsed")
    const started = requireConsent(await product.client.oauth.start({ integration: "browsed", redirectTo: "/api/docs" }))
    expect(started.authorizationUrl.startsWith(`${product.pagesUrl}/api/oauth/go/`)).toBe(true)
    await inBrowser(product, async (page) => {
      await page.goto(started.authorizationUrl)
      await page.getByRole("heading", { name: "Connect browsed.org.main?" }).waitFor()
      const asked = await page.locator("body").innerText()
      for (const part of ["browsed.org.main", new URL(oidc.issuer).host, oidc.apiUrl, "offline_access"]) expect(asked).toContain(part)
      await goToProvider(page, started.authorizationUrl)
      const bound = (await page.context().cookies(started.authorizationUrl)).filter((cookie) => cookie.name.startsWith("executor_oauth"))
      expect(bound).toMatchObject([{ httpOnly: true, sameSite: "Strict", path: "/api/oauth" }])
      await consentInBrowser(page)
      await page.waitForURL("**/api/docs")
      const left = await page.context().cookies(started.authorizationUrl)
      expect(left.filter((cookie) => cookie.name.startsWith("executor_oauth"))).toEqual([])
    })

    const connection = await product.client.connections.get({ integration: "browsed", owner: "org", name: "main" })
    expect(connection).toMatchObject({
      status: "ready",
      toolCount: 2,
      auth: { template: "oauth2", bound: ["token"] },
      origins: [oidc.apiUrl],
    })
    expect(await resultOf(call("browsed"))).toMatchObject({ result: { ok: true, data: { hello: "world", token: "***" } } })
    const token = oidc.apiLedger.at(-1)?.token ?? ""
    expect(token.length).toBeGreaterThan(20)
    const shown = JSON.stringify([connection, await product.client.audit.list(), await product.client.oauth.clients.list()])
    for (const secret of [token, oidcClient.clientSecret]) {
      expect(shown).not.toContain(secret)
      expect(product.output()).not.toContain(secret)
    }
    expect((await product.client.audit.list()).items.map((item) => item.action)).toContain("oauth.complete")
  })

  test("registers by itself where the provider lets it, once", async () => {
    await product.client.integrations.add({ slug: "registered", kind: "openapi", config: { spec: registering.document } })
    for (const name of ["main", "second"]) {
      const { authorizationUrl } = requireConsent(await product.client.oauth.start({ integration: "registered", name }))
      await inBrowser(product, async (page) => {
        await goToProvider(page, authorizationUrl)
        await consentInBrowser(page)
        await page.getByRole("heading", { name: "Connected" }).waitFor()
        expect(await page.locator("body").innerText()).toContain("2 tools")
      })
    }
    const clients = (await product.client.oauth.clients.list()).items.filter((client) => client.kind === "registered")
    expect(clients).toMatchObject([{ issuer: registering.issuer, authMethod: "none", hasSecret: false }])
    expect(await resultOf(call("registered"))).toMatchObject({ result: { ok: true } })
  })

  test("takes the session's key at every step, and goes on where it was when that is back", async () => {
    await addGreetings(product, oidc, "keyed")
    const { authorizationUrl } = requireConsent(await product.client.oauth.start({ integration: "keyed" }))
    await inBrowser(product, async (page) => {
      const other = await page.context().newPage()
      await other.goto(`${product.url}/`)
      const forgetKey = (): Promise<unknown> => other.evaluate(`localStorage.removeItem("executor-session-key")`)
      await page.goto(authorizationUrl)
      const button = page.getByRole("button", { name: /continue to/i })
      await button.waitFor()
      await keepShot(page, "consent")
      await forgetKey()
      await page.getByRole("heading", { name: "Sign in to continue" }).waitFor()
      await keepShot(page, "consent-without-key")
      await signInPage(product, other)
      await button.click()
      await page.waitForURL("**/interaction/**")
      await forgetKey()
      await consentInBrowser(page)
      await page.getByRole("heading", { name: "Sign in to continue" }).waitFor()
      expect((await product.client.connections.list({ integration: "keyed" })).items).toEqual([])
      await signInPage(product, other)
      await page.getByRole("heading", { name: "Connected" }).waitFor()
      await keepShot(page, "consent-connected")
    })
    expect(await resultOf(call("keyed"))).toMatchObject({ result: { ok: true } })
  })

  test("that the human refuses makes no connection", async () => {
    await addGreetings(product, oidc, "refused")
    const { authorizationUrl } = requireConsent(await product.client.oauth.start({ integration: "refused" }))
    await inBrowser(product, async (page) => {
      await goToProvider(page, authorizationUrl)
      await page.getByRole("link", { name: /cancel/i }).click()
      await page.getByRole("heading", { name: "Not connected" }).waitFor()
      expect(await page.locator("body").innerText()).toContain("access_denied")
    })
    await expect(product.client.connections.get({ integration: "refused", owner: "org", name: "main" })).rejects.toMatchObject({
      code: "not_found",
    })
  })
})

describe("a token", () => {
  test("that ran out is renewed once, however many calls need it", async () => {
    await addGreetings(product, oidc, "renewed")
    await expireTokens(product, oidc, "renewed")
    const before = refreshes()
    const code = `return (await Promise.all(Array.from({ length: 20 }, () => tools.renewed.greetings.get({})))).map((one) => one.ok)`
    expect(await resultOf(code)).toMatchObject({ result: Array.from({ length: 20 }, () => true) })
    expect(refreshes() - before).toBe(1)
    await expireTokens(product, oidc, "renewed")
    const again = refreshes()
    const runs = await Promise.all(Array.from({ length: 20 }, () => resultOf(call("renewed"))))
    for (const run of runs) expect(run).toMatchObject({ result: { ok: true } })
    expect(refreshes() - again).toBe(1)
  })

  test("that the upstream refuses is renewed, and the call repeated once, also one that writes", async () => {
    await addGreetings(product, oidc, "refusing")
    await connectByHand(product, "refusing")
    expect(await resultOf(call("refusing"))).toMatchObject({ result: { ok: true } })
    oidc.forgetTokens()
    const before = { refreshes: refreshes(), calls: oidc.apiLedger.length }
    const reply = await product.client.run(`return await tools.refusing.greetings.send({})`, { autoApprove: true })
    expect(reply.structured).toMatchObject({ result: { ok: true, data: { token: "***" } } })
    expect(refreshes() - before.refreshes).toBe(1)
    expect(oidc.apiLedger.slice(before.calls).map(({ method, status }) => [method, status])).toEqual([
      ["POST", 401],
      ["POST", 200],
    ])
  })

  test("of a client that acts for itself is fetched at once and again when it ran out", async () => {
    await product.client.integrations.add({ slug: "machine", kind: "openapi", config: { spec: oidc.document } })
    const client = await product.client.oauth.clients.create({ ...oidcClient, issuer: oidc.issuer })
    const fetched = (): number => oidc.ledger.filter((entry) => entry.grantType === "client_credentials").length
    const start = { integration: "machine", grant: "client_credentials", scopes: [] } as const
    const wrong = await product.client.oauth.clients.create({ ...oidcClient, clientSecret: "not it", issuer: oidc.issuer })
    await expect(product.client.oauth.start({ ...start, client: wrong.id })).rejects.toMatchObject({ code: "forbidden" })
    expect((await product.client.connections.list()).items.map((item) => item.integration)).not.toContain("machine")
    const before = fetched()
    oidc.accessTokenSeconds = 1
    const started = await product.client.oauth.start({ ...start, client: client.id })
    expect(started).toMatchObject({ status: "connected", connection: { status: "ready", toolCount: 2 } })
    expect(fetched() - before).toBe(1)
    oidc.accessTokenSeconds = 3600
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const code = `return (await Promise.all(Array.from({ length: 5 }, () => tools.machine.greetings.get({})))).map((one) => one.ok)`
    expect(await resultOf(code)).toMatchObject({ result: [true, true, true, true, true] })
    expect(fetched() - before).toBe(2)
  })
})

describe("a consent that was withdrawn", () => {
  test("answers auth_required with a link, by which a human connects again", async () => {
    const withdrawn = await startOidc({ redirectUris: [`${product.url}/api/oauth/callback`] })
    await addGreetings(product, withdrawn, "withdrawn")
    await expireTokens(product, withdrawn, "withdrawn")
    withdrawn.revokeAll()
    const failed = (await resultOf(call("withdrawn"))) as { result: { error: { code: string; details: { connectUrl: string } } } }
    expect(failed.result.error).toMatchObject({ code: "auth_required" })
    const { connectUrl } = failed.result.error.details
    const key = { integration: "withdrawn", owner: "org", name: "main" } as const
    expect(await product.client.connections.get(key)).toMatchObject({ status: "needs_credentials", toolCount: 2 })
    expect(await product.client.connections.health(key)).toMatchObject({ ok: false, status: "needs_credentials" })
    expect(await product.client.connections.refresh(key)).toMatchObject({ status: "needs_credentials", toolCount: 2 })
    const asked = withdrawn.ledger.length
    expect(await resultOf(call("withdrawn"))).toMatchObject({ result: { error: { code: "auth_required", details: { connectUrl } } } })
    expect(withdrawn.ledger.length).toBe(asked)

    withdrawn.restore()
    await inBrowser(product, async (page) => {
      await page.goto(connectUrl)
      await page.getByText(/It has ended/).waitFor()
      await page.getByRole("button", { name: "Reconnect…" }).click()
      await page.getByRole("button", { name: "Review what is asked" }).click()
      const opened = page.waitForEvent("popup")
      await page.getByRole("button", { name: /continue to/i }).click()
      const provider = await opened
      await consentInBrowser(provider)
      await provider.getByRole("heading", { name: "Connected" }).waitFor()
      expect(await resultOf(call("withdrawn"))).toMatchObject({ result: { ok: true } })
      expect(await product.client.connections.get(key)).toMatchObject({ status: "ready" })
      await page.goto(connectUrl)
      await page.getByRole("dialog").getByText(/OK$/).waitFor()
    })
    await withdrawn.close()
  })
})
