// Passkeys in a real browser: added, used to sign in, renamed and removed.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Browser, BrowserContext, Page } from "playwright-core"
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
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByText("You are signed out.").waitFor()
  await page.getByRole("heading", { name: "Sign in" }).waitFor()
}

/** The first one, after reading what that means. */
async function remove(loss: string): Promise<void> {
  const first = page.locator("[data-passkey]").first()
  expect(await first.getByRole("button", { name: "Remove" }).isVisible()).toBe(false)
  await first.getByText("Remove…").click()
  await first.getByText(loss).waitFor()
  await keepShots(page, "passkeys-remove")
  await first.getByRole("button", { name: "Remove" }).click()
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
  await page.getByText("You have none yet.").waitFor()
  await keepShot(page, "passkeys-none")
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.locator("[data-passkey]").waitFor()
  await keepShot(page, "passkeys-one")
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
  await page.locator("#who").getByText("local").waitFor()
  expect(problems).toEqual([])
  expect(await rows("signin.passkey")).toMatchObject([{ outcome: "ok", principal: { user: "local" } }])
  expect(await rows("passkey.add")).toMatchObject([{ outcome: "ok", principal: { user: "local" }, details: { name: expect.any(String) } }])
})

test("the same device adds no second one; another does, and each can be renamed and removed", async () => {
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.getByText("This device already has a passkey for your account.").waitFor()
  await authenticator.clear()
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.locator("[data-passkey]").nth(1).waitFor()
  const second = page.locator("[data-passkey]").nth(1)
  await second.getByLabel("Name").fill("Phone <b>")
  await second.getByRole("button", { name: "Rename" }).click()
  await page.locator("[data-passkey] input[value='Phone <b>']").waitFor()
  const listed = (await server.call("GET", "/api/passkeys")).body as { items: { id: string; name: string }[] } // as documented
  expect(listed.items.map(({ name }) => name)).toContain("Phone <b>")
  for (const [method, body] of [
    ["DELETE", undefined],
    ["PATCH", { name: "mine" }],
  ] as const)
    for (const token of [server.tokens.colleague, server.tokens.member, server.tokens.stranger]) {
      const answer = await server.call(method, `/api/passkeys/${listed.items[0]?.id}`, { token, ...(body === undefined ? {} : { body }) })
      expect(answer.status).toBe(404)
    }
  for (const token of [server.tokens.agent, server.tokens.memberAgent])
    expect((await server.call("GET", "/api/passkeys", { token })).status).toBe(403)
  await remove("Your other passkeys still do.")
  await page.locator("[data-passkey]").nth(1).waitFor({ state: "detached" })
  expect(await page.locator("[data-passkey]").count()).toBe(1)
  expect((await rows("passkey.remove"))[0]).toMatchObject({ outcome: "ok", principal: { user: "local" } })
})

test("a passkey that was removed, or that its owner does not unlock, signs nobody in", async () => {
  await remove("This is your only passkey, and there is no other way to sign in")
  await page.getByText("You have none yet.").waitFor()
  await signOut()
  problems.length = 0
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
