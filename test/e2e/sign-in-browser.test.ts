// Signing in at a real OpenID provider, in a real browser: from the sign-in page to the approvals, and what a test shows.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Browser, Page } from "playwright-core"
import { startSignInProvider, signInClient } from "../servers/sign-in-provider.ts"
import type { SignInProvider } from "../servers/sign-in-provider.ts"
import { buildConsole } from "../console/console.ts"
import { keepShot, startStrictBrowser } from "./browser.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let withGroups: SignInProvider
let withoutGroups: SignInProvider
const browsers: Browser[] = []

beforeAll(async () => {
  buildConsole()
  product = await startProduct()
  const redirectUri = `${product.url}/signin/oidc/callback`
  withGroups = await startSignInProvider(redirectUri)
  withoutGroups = await startSignInProvider(redirectUri)
  const scopes = ["email", "profile", "groups"]
  const created = await product.client.signIn.providers.create({
    ...signInClient,
    id: "acme",
    name: "Acme",
    issuer: withGroups.issuer,
    scopes,
    rules: [{ value: "eng-*", roles: ["member"] }],
  })
  expect(created).toMatchObject({ id: "acme", clientSecret: "***", redirectUri, claim: "groups", allow: {} })
  await product.client.signIn.providers.create({
    ...signInClient,
    id: "plain",
    name: longName,
    issuer: withoutGroups.issuer,
    defaultRole: "member",
    allow: { domains: ["acme.com"] },
  })
})
afterAll(async () => {
  await Promise.all(browsers.map((browser) => browser.close()))
  await Promise.all([withGroups.close(), withoutGroups.close(), product.stop()])
})

const longName = "Plain & simple Donaudampfschifffahrtselektrizitätenhauptbetriebswerk"

/** What is wider than its place on a phone. */
const tooWide = (page: Page): Promise<unknown> =>
  page.evaluate(`[document.documentElement, ...document.querySelectorAll("main *, header *")]
    .filter((one) => one.scrollWidth > innerWidth || (one.closest("main, header") && one.getBoundingClientRect().right > innerWidth))
    .map(({ outerHTML }) => outerHTML)`)

/** The packaged browser runs as one process, so that everybody has one of their own. */
async function newPage(): Promise<Page> {
  const browser = await startStrictBrowser()
  browsers.push(browser)
  return (await browser.newContext()).newPage()
}

async function signInAt(page: Page, button: string, login: string): Promise<void> {
  await page.getByRole("button", { name: button }).click()
  await page.locator("input[name=login]").fill(login)
  await page.locator("input[name=password]").fill("anything")
  await page.locator("button[type=submit]").click()
  await page.getByRole("button", { name: /continue/i }).click()
}

const audit = async (): Promise<readonly unknown[]> =>
  (await product.client.audit.list({ action: "signin.oidc", limit: 5 })).items.map(({ subject, outcome, details }) => ({
    subject,
    outcome,
    details,
  }))

test("somebody whose group has a rule signs in, and comes back to where they were", async () => {
  withGroups.people.set("anna", { email: "Anna.Lee@acme.com", email_verified: true, name: "Anna Lee", groups: ["eng-web", "all"] })
  const page = await newPage()
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`${product.url}/signin?return=${encodeURIComponent("/inbox?from=here")}`)
  await page.getByRole("button", { name: "Continue with Acme" }).waitFor()
  await keepShot(page, "signin-methods")
  expect(await page.getByRole("button").allTextContents()).toEqual([
    "Continue with Acme",
    `Continue with ${longName}`,
    "Sign in with a passkey",
  ])
  await signInAt(page, "Continue with Acme", "anna")
  await page.waitForURL("**/inbox?from=here")
  await page.getByRole("button", { name: "Pages" }).click()
  await page.getByRole("dialog").getByText("Anna Lee", { exact: true }).waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem("executor-signin-key"))).toBeNull()
  expect((await audit())[0]).toMatchObject({
    subject: "acme",
    outcome: "ok",
    details: { isNew: true, email: "anna.lee@acme.com", before: { roles: [] }, after: { roles: [{ role: "member", from: "sso:acme" }] } },
  })
})

test("somebody without a group is refused on a page that says so, and nobody is made", async () => {
  withGroups.people.set("bob", { email: "bob@acme.com", email_verified: true, groups: ["sales"], roles: ["admin"] })
  const page = await newPage()
  await page.emulateMedia({ colorScheme: "dark" })
  await page.goto(`${product.url}/signin`)
  await signInAt(page, "Continue with Acme", "bob")
  await page.getByRole("heading", { name: "You are not signed in" }).waitFor()
  await keepShot(page, "signin-refused")
  expect(await page.getByRole("alert").textContent()).toContain("nothing here gives you a role")
  expect(page.url()).toBe(`${product.pagesUrl}/signin/oidc/callback`)
  expect((await audit())[0]).toMatchObject({
    subject: "acme",
    outcome: "forbidden",
    details: { reason: "no_role", isAuthenticated: false },
  })
  await page.getByRole("link", { name: "Try again" }).click()
  await page.waitForURL("**/signin")
})

test("the other provider lets in by domain, with the default role", async () => {
  withoutGroups.people.set("carl", { email: `carl${"l".repeat(60)}@acme.com`, email_verified: true })
  const page = await newPage()
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`${product.url}/signin/default`)
  await page.getByRole("button", { name: "Continue with Plain" }).waitFor()
  expect(await tooWide(page)).toEqual([])
  await signInAt(page, "Continue with Plain", "carl")
  await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor()
  expect(await tooWide(page)).toEqual([])
  await page.getByRole("button", { name: "Pages" }).click()
  await page.getByRole("dialog").getByText(/^carl/).waitFor()
  await page.getByRole("link", { name: "Passkeys" }).click()
  await page.getByRole("button", { name: "Add a passkey" }).waitFor()
})

test("a test shows claims and roles, and saves nothing", async () => {
  withGroups.people.set("dora", { email: "dora@acme.com", email_verified: true, groups: ["eng-db", "CN=all,OU=people"] })
  const { url } = await product.client.signIn.providers.test("acme")
  const page = await newPage()
  await page.goto(url)
  await signInAt(page, "Test Acme", "dora")
  await page.getByRole("heading", { name: "Acme works" }).waitFor()
  await keepShot(page, "signin-tested")
  const text = (await page.locator("main").textContent()) ?? ""
  expect(text).toContain("would be signed in")
  expect(await page.getByRole("list", { name: "Values of the claim" }).getByRole("listitem").allTextContents()).toEqual([
    "eng-db",
    "CN=all,OU=people",
  ])
  expect(text).toContain('"sub": "dora"')
  await page.goto(`${product.url}/inbox`)
  await page.getByRole("heading", { name: "Sign in to continue" }).waitFor()
  const again = await newPage()
  await again.goto(url)
  await again.getByRole("button", { name: "Test Acme" }).click()
  await again.getByText("has been used or has expired").waitFor()
})
