// Connections in a real browser: by key and by OAuth at a real provider, what is wrong with them, and who may change them.
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { ConnectionView } from "../../src/core/connection.ts"
import { keepShot } from "../e2e/browser.ts"
import { consentInBrowser } from "../e2e/oauth-consent.ts"
import { startEcho } from "../servers/echo.ts"
import type { Echo } from "../servers/echo.ts"
import { oidcClient, startOidc } from "../servers/oidc.ts"
import type { Oidc } from "../servers/oidc.ts"
import type { Console } from "./console.ts"
import { expectAccessible, expectNoSideScroll, startConsole } from "./console.ts"

const hostile = `<img src=x onerror="document.title='taken'"> \u202egnp`
const secret = "sk-first-of-the-tests-0123456789"

let app: Console
let shop: Echo
let oidc: Oidc

const shopSpec = (servers: readonly string[] = [shop.url]): object => ({
  openapi: "3.1.0",
  info: { title: hostile, version: "1" },
  servers: servers.map((url) => ({ url })),
  components: {
    securitySchemes: {
      token: { type: "http", scheme: "bearer", description: hostile },
      user: { type: "http", scheme: "basic" },
    },
  },
  security: [{ token: [] }, { user: [] }],
  paths: { "/products": { get: { operationId: "products.list", responses: { 200: { description: "ok" } } } } },
})

const addShop = (slug: string): Promise<unknown> =>
  app.server.call("POST", "/api/integrations", { body: { slug, kind: "openapi", config: { spec: shopSpec() } } })

beforeAll(async () => {
  shop = await startEcho()
  app = await startConsole({ hasRealLinks: true, limits: { oauthRenewGapMs: 0 } })
  oidc = await startOidc({ redirectUris: [`${app.server.url}/api/oauth/callback`] })
})
afterAll(async () => {
  await app.close()
  await Promise.all([shop.close(), oidc.close()])
})

const grid = (page: Page) => page.getByRole("grid", { name: "Connections" })
const view = async (path: string): Promise<ConnectionView> => {
  const [slug = "", owner = "", name = ""] = path.split(".")
  return (await app.server.call("GET", `/api/connections/${owner}/${slug}/${name}`)).body as ConnectionView // as documented
}
/** What reaches the shop when the tool is called. */
async function arrives(address: string): Promise<Readonly<Record<string, string>>> {
  const code = `return await tools.${address}.products.list({})`
  expect(await app.server.call("POST", "/api/executions", { body: { code } })).toMatchObject({ status: 200 })
  return shop.ledger.at(-1)?.headers ?? {}
}

test("with nothing in the catalog it says how to begin, in both themes and on a phone", async () => {
  for (const theme of ["light", "dark"] as const) {
    const { page, context, problems } = await app.open("/connections", { theme, width: theme === "dark" ? 390 : 1280 })
    await page.getByRole("heading", { name: "Nothing to connect yet" }).waitFor()
    await expectAccessible(page)
    await expectNoSideScroll(page)
    await keepShot(page, `connections-empty-${theme}`)
    expect(problems).toEqual([])
    await context.close()
  }
})

test("a key goes in, is sent to the shown host alone, is replaced in place, and never comes out", async () => {
  await addShop("shop")
  const { page, context, problems } = await app.open("/integrations/shop")
  await page.getByRole("link", { name: "Connect", exact: true }).click()
  await page.waitForURL("**/connections?add=shop")
  const form = page.getByRole("dialog", { name: "Connect shop" })
  await form.getByText(shop.url, { exact: true }).waitFor()
  await form.getByText("The credential will be sent to").waitFor()
  const connect = form.getByRole("button", { name: "Connect", exact: true })
  expect(await connect.getAttribute("aria-disabled")).toBe("true")
  await connect.focus()
  await page.getByRole("tooltip", { name: "Enter the token" }).waitFor()
  await form.getByLabel("Name").fill("Not a name")
  await form.getByText("Small letters, digits and _").waitFor()
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "connections-form-light")
  await form.getByLabel("Name").fill("main")
  await form.getByLabel("Token").fill(secret)
  expect(await form.getByLabel("Token").getAttribute("type")).toBe("password")
  await page.keyboard.press("Enter")
  await page.waitForURL("**/connections?connection=shop.org.main")
  await page.getByText("Connected shop.org.main: 1 tool").waitFor()
  expect(await arrives("shop.org.main")).toMatchObject({ authorization: `Bearer ${secret}` })

  const drawer = page.getByRole("dialog", { name: "shop.org.main" })
  await drawer.getByText("Bearer token").waitFor()
  await drawer.getByRole("button", { name: "Test" }).click()
  await drawer.getByText("It works").waitFor()
  await drawer.getByRole("button", { name: "Refresh tools" }).click()
  await page.getByText("Read again: 1 tool").waitFor()
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "connection-light")
  await drawer.getByRole("button", { name: "Reconnect…" }).click()
  const again = page.getByRole("dialog", { name: "Reconnect shop.org.main" })
  await again.getByLabel("Authentication").selectOption({ label: "Basic: user" })
  await again.getByLabel("Username").fill("anna")
  await again.getByLabel("Password").fill("another-secret")
  await again.getByRole("button", { name: "Replace the credential" }).click()
  await page.getByText("Reconnected shop.org.main: 1 tool").waitFor()
  expect(await arrives("shop.org.main")).toMatchObject({
    authorization: `Basic ${Buffer.from("anna:another-secret").toString("base64")}`,
  })
  for (const gone of [secret, "another-secret"]) {
    expect(await page.content()).not.toContain(gone)
    expect(JSON.stringify(await view("shop.org.main"))).not.toContain(gone)
  }

  await drawer.getByRole("button", { name: "Remove…" }).click()
  await page.getByRole("button", { name: "Keep it" }).click()
  await drawer.getByRole("button", { name: "Remove…" }).click()
  await page.getByRole("button", { name: "Remove shop.org.main" }).click()
  await page.getByRole("heading", { name: "No connections yet" }).waitFor()
  expect((await app.server.call("GET", "/api/connections")).body).toMatchObject({ items: [] })
  expect(problems).toEqual([])
  await context.close()
})

test("an integration is searched for, and its credential put where a person says", async () => {
  await addShop("tea")
  const { page, context, problems } = await app.open("/connections")
  await page.getByRole("button", { name: "Connect", exact: true }).click()
  const pick = page.getByRole("dialog", { name: "Connect an integration" })
  await pick.getByRole("list", { name: "Integrations" }).getByText("shop").waitFor()
  await pick.getByLabel("Search integrations").fill("tea")
  await expect.poll(() => pick.getByRole("listitem").count()).toBe(1)
  expect(await page.locator("img").count()).toBe(0)
  await expectAccessible(page, "[role=dialog]")
  await pick.getByRole("button", { name: /tea/ }).click()
  const form = page.getByRole("dialog", { name: "Connect tea" })
  await form.getByRole("radio", { name: /Only me/ }).check()
  await form.getByLabel("Name").fill("custom")
  await form.getByLabel("Authentication").selectOption({ label: "Custom" })
  await form.getByLabel("Name of place 1").fill("X-Tea")
  await form.getByLabel("Text of place 1").fill("Leaf ${leaf}")
  await form.getByLabel("leaf").fill("green-secret")
  await expectAccessible(page, "[role=dialog]")
  await form.getByRole("button", { name: "Connect", exact: true }).click()
  await page.waitForURL("**/connections?connection=tea.user.custom")
  expect(await arrives("tea.user.custom")).toMatchObject({ "x-tea": "Leaf green-secret" })
  await page.getByRole("dialog", { name: "tea.user.custom" }).getByText("Only you and your agents use it").waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test("hosts that the source names later wait until somebody confirms them", async () => {
  await app.server.call("POST", "/api/connections", {
    body: { integration: "shop", auth: { template: "bearer", values: { token: secret } } },
  })
  await app.server.call("PATCH", "/api/integrations/shop", { body: { config: { spec: shopSpec([shop.url, "https://tea.example"]) } } })
  await app.server.call("POST", "/api/connections/org/shop/main/refresh")
  const { page, context, problems } = await app.open("/connections?state=needs_review")
  await grid(page).getByText("Needs review").waitFor()
  await grid(page).focus()
  await page.keyboard.press("Enter")
  const drawer = page.getByRole("dialog", { name: "shop.org.main" })
  await drawer.getByText("https://tea.example", { exact: true }).waitFor()
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "connection-review-light")
  await drawer.getByRole("button", { name: "Confirm 1 host" }).click()
  await drawer.getByText(/OK$/).waitFor()
  expect((await view("shop.org.main")).origins).toEqual([shop.url, "https://tea.example"])
  await page.keyboard.press("Escape")
  await page.getByRole("heading", { name: "No connection fits these filters" }).waitFor()
  await page.getByRole("button", { name: "Clear the filters" }).click()
  await expect.poll(() => grid(page).getByRole("row").count()).toBe(3)
  expect(problems).toEqual([])
  await context.close()
})

test("OAuth: the provider's refusal is shown, the consent makes the connection, and what ended is connected again in place", async () => {
  await app.server.call("POST", "/api/integrations", { body: { slug: "greetings", kind: "openapi", config: { spec: oidc.document } } })
  const { page, context } = await app.open("/connections?add=greetings")
  const form = page.getByRole("dialog", { name: "Connect greetings" })
  await form
    .getByRole("textbox", { name: "Redirect URI" })
    .or(form.getByLabel("Redirect URI", { exact: true }))
    .first()
    .waitFor()
  expect(await form.getByLabel("Redirect URI", { exact: true }).innerText()).toBe(`${app.server.url}/api/oauth/callback`)
  await form.getByLabel("Client id").fill(oidcClient.clientId)
  await form.getByLabel("Client secret").fill(oidcClient.clientSecret)
  await form.getByLabel("Issuer").fill(oidc.issuer)
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "connections-oauth-client-light")
  await form.getByRole("button", { name: "Save the client" }).click()
  await form.getByText("Asks as the OAuth client").waitFor()
  expect(await form.getByLabel("Scopes").inputValue()).toBe("")
  await form.getByRole("button", { name: "Review what is asked" }).click()
  await form.getByText("Token is sent to").waitFor()
  await form.getByText(oidc.apiUrl, { exact: true }).waitFor()
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "connections-oauth-offer-light")

  const provider = new URL(oidc.issuer).host
  const openWindow = async (name: string | RegExp): Promise<Page> => {
    const opened = page.waitForEvent("popup")
    await page.getByRole("button", { name }).click()
    return opened
  }
  const left = page.waitForResponse((response) => response.url().includes("/api/oauth/go/") && response.request().method() === "POST")
  const refused = await openWindow(`Continue to ${provider}`)
  await refused.getByRole("link", { name: /cancel/i }).waitFor()
  const { providerUrl } = (await (await left).json()) as { providerUrl: string } // as documented
  const state = new URL(providerUrl).searchParams.get("state") ?? ""
  const answer = new URLSearchParams({ state, iss: oidc.issuer, error: "access_denied", error_description: hostile })
  await refused.goto(`${app.server.url}/api/oauth/callback?${answer.toString()}`)
  await refused.getByRole("heading", { name: "Not connected" }).waitFor()
  await refused.getByText(/access_denied.*<img src=x/).waitFor()
  expect(await refused.locator("img").count()).toBe(0)
  await expectAccessible(refused)
  await keepShot(refused, "consent-refused-light")
  await form
    .getByRole("alert")
    .getByText(/access_denied/)
    .waitFor()
  await form.getByRole("button", { name: "Try again" }).click()
  await form.getByRole("button", { name: "Review what is asked" }).click()
  const allowed = await openWindow(`Continue to ${provider}`)
  await consentInBrowser(allowed)
  await allowed.getByRole("heading", { name: "Connected" }).waitFor()
  await allowed.getByText("is ready, with 2 tools.").waitFor()
  await expectAccessible(allowed)
  const drawer = page.getByRole("dialog", { name: "greetings.org.main" })
  await drawer.getByRole("row", { name: /offline_access yes/ }).waitFor()
  await drawer.getByText(provider).waitFor()
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "connection-oauth-light")
  expect((await view("greetings.org.main")).consent).toMatchObject({
    provider,
    scopes: expect.arrayContaining(["offline_access"]),
    grantedBy: "local",
  })

  oidc.accessTokenSeconds = 1
  oidc.revokeAll()
  oidc.forgetTokens()
  const code = "return await tools.greetings.org.main.greetings.get({})"
  const failed = await app.server.call("POST", "/api/executions", { body: { code } })
  const { connectUrl } = (failed.body as { structured: { result: { error: { details: { connectUrl: string } } } } }).structured.result.error
    .details // as documented
  expect(connectUrl).toBe(`${app.server.url}/connections?connection=greetings.org.main`)
  oidc.restore()
  oidc.accessTokenSeconds = 3600
  await page.goto(connectUrl)
  await drawer.getByText("Expired").waitFor()
  await drawer.getByText(/It has ended/).waitFor()
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "connection-expired-light")
  await drawer.getByRole("button", { name: "Reconnect…" }).click()
  await page.getByRole("button", { name: "Review what is asked" }).click()
  await page.getByText("This replaces the current credential of greetings.org.main").waitFor()
  const renewed = await openWindow(`Continue to ${provider}`)
  await renewed.waitForURL(/interaction|callback/)
  if (renewed.url().includes("/interaction/")) await consentAgain(renewed)
  await renewed.getByRole("heading", { name: "Connected" }).waitFor()
  await drawer.getByText(/OK$/).waitFor()
  await context.close()
})

/** The provider may remember who is signed in there. */
async function consentAgain(page: Page): Promise<void> {
  const login = page.locator("input[name=login]")
  await login
    .or(page.getByRole("button", { name: /continue/i }))
    .first()
    .waitFor()
  if ((await login.count()) > 0) return consentInBrowser(page)
  await page.getByRole("button", { name: /continue/i }).click()
}

test("the table fits a phone and passes axe in both themes, and is used by keyboard", async () => {
  for (const theme of ["light", "dark"] as const) {
    const { page, context, problems } = await app.open("/connections", { theme })
    await expect.poll(() => grid(page).getByRole("row").count()).toBe(4)
    await expectAccessible(page)
    await keepShot(page, `connections-${theme}`)
    await page.getByLabel("Owner").selectOption("user")
    await expect.poll(() => grid(page).getByRole("row").count()).toBe(2)
    expect(page.url()).toContain("owner=user")
    await grid(page).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("dialog", { name: "tea.user.custom" }).waitFor()
    await page.keyboard.press("Escape")
    await page.setViewportSize({ width: 390, height: 844 })
    for (const query of ["", "?add=-", "?add=shop", "?connection=shop.org.main"]) {
      await page.goto(`${app.server.url}/connections${query}`)
      if (query === "") await grid(page).getByText("shop").first().waitFor()
      else await page.getByRole("dialog").getByRole("button").nth(2).waitFor()
      await expectNoSideScroll(page)
      if (theme === "dark") await expectAccessible(page, query === "" ? "html" : "[role=dialog]")
      await keepShot(page, `phone-connections-${query.replaceAll(/\W+/g, "-")}-${theme}`)
    }
    expect(problems).toEqual([])
    await context.close()
  }
})

test("members connect for themselves, and see why they may not change what is shared", async () => {
  const { page, context } = await app.open("/connections?connection=shop.org.main", { token: app.server.tokens.member })
  const drawer = page.getByRole("dialog", { name: "shop.org.main" })
  for (const name of ["Refresh tools", "Reconnect…", "Remove…"])
    await expect.poll(() => drawer.getByRole("button", { name }).getAttribute("aria-disabled")).toBe("true")
  await drawer.getByRole("button", { name: "Remove…" }).focus()
  await page.getByRole("tooltip", { name: "Needs the right connections.org" }).waitFor()
  await page.goto(`${app.server.url}/connections?add=shop`)
  const form = page.getByRole("dialog", { name: "Connect shop" })
  await form.getByText("Needs the right connections.org").waitFor()
  expect(await form.getByRole("radio", { name: /Organization/ }).isDisabled()).toBe(true)
  await form.getByLabel("Token").fill("members-own")
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "connections-member-light")
  await form.getByRole("button", { name: "Connect", exact: true }).click()
  await page.waitForURL("**/connections?connection=shop.user.main2")
  await page.goto(`${app.server.url}/connections?connection=tea.user.custom`)
  await page
    .getByRole("alert")
    .getByText(/There is no connection/)
    .waitFor()
  await context.close()
})
