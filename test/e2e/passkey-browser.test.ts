// Passkeys in a real browser: added, used to sign in, renamed and removed.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Browser, BrowserContext, Locator, Page } from "playwright-core"
import { startTestServer } from "../../src/surfaces/http/testing/server.ts"
import type { TestServer } from "../../src/surfaces/http/testing/server.ts"
import { buildConsole } from "../console/console.ts"
import { addAuthenticator } from "./authenticator.ts"
import { keepShot, keepShots, startStrictBrowser } from "./browser.ts"

let server: TestServer
let browser: Browser
let context: BrowserContext
let page: Page
let authenticator: Awaited<ReturnType<typeof addAuthenticator>>
let home: string
const problems: string[] = []

beforeAll(async () => {
  buildConsole()
  server = await startTestServer()
  home = server.url.replace("127.0.0.1", "localhost")
  browser = await startStrictBrowser()
  context = await browser.newContext()
  page = await context.newPage()
  page.on("console", (message) => (message.type() === "error" ? problems.push(message.text()) : undefined))
  page.on("pageerror", (error) => problems.push(error.message))
  authenticator = await addAuthenticator(page)
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

async function signInByCode(token = server.tokens.human): Promise<void> {
  const { body } = await server.call("POST", "/api/sessions", { token })
  await page.goto(`${home}/signin?code=${(body as { code: string }).code}&next=/passkeys`) // as documented
  await page.waitForURL(`${home}/passkeys`)
}

async function signOut(): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 844 })
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.waitForURL(`${home}/signin`)
  await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor()
}

const passkeys = (): Locator => page.getByRole("list", { name: "Passkeys" }).getByRole("listitem")
const addButton = (): Locator => page.getByRole("button", { name: "Add a passkey" })

/** The first one, after reading what that means. */
async function remove(loss: string): Promise<void> {
  await passkeys().first().getByRole("button", { name: "Remove…" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByText(loss).waitFor()
  await keepShots(page, "passkeys-remove")
  await dialog.getByRole("button", { name: "Remove this passkey" }).click()
  await dialog.waitFor({ state: "detached" })
}

const rows = async (action: string, token = server.tokens.human) => {
  const { body } = await server.call("GET", `/api/audit?action=${action}&limit=100`, { token })
  return (body as { items: { outcome: string; principal: { user: string }; details: Record<string, unknown> }[] }).items // as documented
}

test("at an IP address the pages say what passkeys need", async () => {
  await page.goto(`${server.url}/signin`)
  expect(await page.locator("[data-caution]").innerText()).toContain("Passkeys need an address that begins with https://")
  expect(await page.getByRole("button", { name: "Sign in with a passkey" }).count()).toBe(0)
  await keepShot(page, "signin-elsewhere")
  const refusal = await server.call("POST", "/signin/passkey/options", { token: null, body: {}, headers: { origin: server.url } })
  expect(refusal.body).toMatchObject({
    error: { code: "invalid_request", message: expect.stringContaining("Passkeys need an address that begins with https://") },
  })
})

test("a human adds a passkey, signs out, and signs in with it", async () => {
  await signInByCode()
  await page.getByText("You have no passkeys yet").waitFor()
  await keepShots(page, "passkeys-none")
  await addButton().click()
  await passkeys().waitFor()
  await page.getByText("Add a second one, on another device").waitFor()
  await keepShots(page, "passkeys-one")
  expect(await authenticator.credentials()).toHaveLength(1)
  await signOut()
  await page.goto(`${home}/signin?return=/passkeys`)
  await keepShot(page, "signin-passkey")
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await page.waitForURL(`${home}/passkeys`)
  await page.getByText(/last used/).waitFor()
  // Whoever is signed in already need not do it again.
  await page.goto(`${home}/signin?return=/passkeys`)
  await page.waitForURL(`${home}/passkeys`)
  expect(
    await page.evaluate(`(async () => {
      const headers = { "x-executor-session-key": localStorage.getItem("executor-session-key") }
      return (await (await fetch("/api/me", { headers })).json()).id
    })()`),
  ).toBe("local")
  expect(problems).toEqual([])
  expect(await rows("signin.passkey")).toMatchObject([{ outcome: "ok", principal: { user: "local" } }])
  expect(await rows("passkey.add")).toMatchObject([{ outcome: "ok", principal: { user: "local" }, details: { name: expect.any(String) } }])
})

test("the same device adds no second one; another does, and each can be renamed and removed", async () => {
  await addButton().click()
  await page.getByText("This device already has a passkey for your account.").waitFor()
  await authenticator.clear()
  await addButton().click()
  await expect.poll(() => passkeys().count()).toBe(2)
  const second = passkeys().nth(1)
  await second.getByLabel("Name").fill("Phone <b>")
  await second.getByRole("button", { name: "Rename" }).click()
  const list = async () => ((await server.call("GET", "/api/passkeys")).body as { items: { id: string; name: string }[] }).items // as documented
  await expect.poll(async () => (await list()).map(({ name }) => name)).toContain("Phone <b>")
  await page.reload()
  await expect.poll(() => passkeys().count()).toBe(2)
  expect(await second.getByLabel("Name").inputValue()).toBe("Phone <b>")
  const listed = await list()
  await keepShots(page, "passkeys-two")
  for (const [method, body] of [
    ["DELETE", undefined],
    ["PATCH", { name: "mine" }],
  ] as const)
    for (const token of [server.tokens.colleague, server.tokens.member, server.tokens.stranger]) {
      const answer = await server.call(method, `/api/passkeys/${listed[0]?.id}`, { token, ...(body === undefined ? {} : { body }) })
      expect(answer.status).toBe(404)
    }
  for (const token of [server.tokens.agent, server.tokens.memberAgent])
    expect((await server.call("GET", "/api/passkeys", { token })).status).toBe(403)
  await remove("Your other passkeys still do.")
  await expect.poll(() => passkeys().count()).toBe(1)
  expect((await rows("passkey.remove"))[0]).toMatchObject({ outcome: "ok", principal: { user: "local" } })
})

test("a passkey that was removed, or that its owner does not unlock, signs nobody in", async () => {
  await remove("This is your only passkey, and there is no other way to sign in")
  await page.getByText("You have no passkeys yet").waitFor()
  await signOut()
  await page.goto(`${home}/signin`)
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await page.getByText("This passkey is not known here, or was removed.").waitFor()
  await keepShot(page, "signin-refused")
  await authenticator.setVerified(false)
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await page.getByText("No passkey was used: it was cancelled, or it took too long.").waitFor()
  expect(await page.evaluate(`localStorage.getItem("executor-session-key")`)).toBeNull()
  expect((await rows("signin.passkey"))[0]).toMatchObject({ outcome: "unauthorized", principal: { user: "anonymous" } })
})

test("requests of other sites, without a session, or too large are refused", async () => {
  const headers = { origin: home, host: new URL(home).host }
  expect(
    (await server.call("POST", "/passkeys/options", { token: server.tokens.human, body: {}, headers: { origin: server.url } })).status,
  ).toBe(401)
  expect((await server.call("POST", "/signin/passkey/options", { token: null, body: {} })).status).toBe(403)
  expect(
    (await server.call("POST", "/signin/passkey/options", { token: null, body: {}, headers: { origin: "https://evil.example" } })).status,
  ).toBe(403)
  const response = await fetch(`${home}/signin/passkey`, {
    method: "POST",
    headers: { origin: headers.origin, "content-type": "application/json" },
    body: JSON.stringify({ key: "k", credential: { id: "x y", rawId: "x", type: "public-key", response: {} } }),
  })
  expect([response.status, await response.json()]).toMatchObject([400, { error: { code: "invalid_request" } }])
})
