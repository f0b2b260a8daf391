// The frame of the console: signing in, going places, the palette, keys, themes, phones, and the page's policy.
import { afterAll, beforeAll, expect, test } from "vitest"
import { keepShot } from "../e2e/browser.ts"
import type { Console } from "./console.ts"
import { expectAccessible, expectNoSideScroll, startConsole } from "./console.ts"

let console_: Console
beforeAll(async () => {
  console_ = await startConsole()
})
afterAll(() => console_.close())

test("whoever is not signed in is led to sign in, and comes back to where they were", async () => {
  const { server, browser } = console_
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${server.url}/audit?q=x`)
  const link = page.getByRole("link", { name: "Sign in" })
  await link.waitFor()
  expect(await link.getAttribute("href")).toBe("/signin?return=%2Faudit%3Fq%3Dx")
  expect(await page.getByRole("navigation").count()).toBe(0)
  await expectAccessible(page)
  await keepShot(page, "signed-out")
  await page.context().close()
})

test("the palette finds pages and tools, keys go to pages, and the focus follows", async () => {
  const { page, context, problems } = await console_.open("/")
  await page.getByRole("heading", { level: 1 }).waitFor()
  await page.keyboard.press("Control+k")
  await page.getByRole("combobox").fill("polic")
  await page.getByRole("option", { name: "Policies", exact: true }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { level: 1, name: "Policies" }).waitFor()
  expect(await page.title()).toBe("Policies – Executor")
  expect(await page.evaluate("document.activeElement?.id")).toBe("main")
  await page.keyboard.press("g")
  await page.keyboard.press("e")
  await page.getByRole("heading", { level: 1, name: "Executions" }).waitFor()
  await page.keyboard.press("?")
  await page.getByRole("dialog", { name: "Keys" }).waitFor()
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
  expect(problems).toEqual([])
  await context.close()
})

test.each(["light", "dark"] as const)("the frame fits a phone and passes axe in %s", async (theme) => {
  const { page, context, problems } = await console_.open("/", { theme, width: 390 })
  await page.getByRole("button", { name: "Pages" }).click()
  await page.getByRole("dialog", { name: "Pages" }).getByRole("link", { name: "Inbox" }).waitFor()
  await expectAccessible(page)
  await keepShot(page, `frame-phone-${theme}`)
  await page.getByRole("dialog", { name: "Pages" }).getByRole("link", { name: "Inbox" }).click()
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor()
  await expectNoSideScroll(page)
  expect(problems).toEqual([])
  await context.close()
})

test("signing out ends the session in every tab", async () => {
  const { page, context } = await console_.open("/")
  const other = await context.newPage()
  await other.goto(console_.server.url)
  await other.getByRole("button", { name: "Sign out" }).waitFor()
  await page.getByRole("button", { name: "Sign out" }).click()
  await other.getByRole("link", { name: "Sign in" }).waitFor()
  await context.close()
})

test("a page whose code is not there, as after an upgrade, says so, and loads again", async () => {
  const { page, context } = await console_.open("/")
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor()
  // The page that the link leads to has never been loaded; its name on the server is another one now.
  let isGone = true
  await page.route(/\/assets\/page-/, (route) => (isGone ? route.abort() : route.continue()))
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Audit" }).click()
  const said = page.getByRole("alert")
  await said.getByText("A part of the console could not be loaded").waitFor()
  await page.getByRole("navigation", { name: "Pages" }).waitFor()
  await expectAccessible(page)
  await keepShot(page, "frame-missing-part")
  isGone = false
  await said.getByRole("button", { name: "Try again" }).click()
  await page.getByRole("heading", { level: 1, name: "Audit" }).waitFor()
  await context.close()
})

test("a page that fails while it is drawn says why, keeps the frame, and is drawn again", async () => {
  const { page, context } = await console_.open("/")
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor()
  // As an answer of a server that this console does not understand.
  await page.route(/\/api\/policies$/, (route) => route.fulfill({ json: { items: [{ id: "pol_1", owner: "org", pattern: null }] } }))
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Policies" }).click()
  const said = page.getByRole("alert")
  await said.getByRole("heading", { name: "This could not be loaded" }).waitFor()
  await page.unrouteAll()
  await said.getByRole("button", { name: "Try again" }).click()
  await page.getByRole("heading", { level: 1, name: "Policies" }).waitFor()
  await said.waitFor({ state: "detached" })
  await context.close()
})

test("the page allows no inline script or style, is not framed, and names that were not built give nothing", async () => {
  const { server } = console_
  const { headers, body } = await server.call("GET", "/inbox", { token: null, headers: { accept: "text/html" } })
  const policy = headers.get("content-security-policy") ?? ""
  expect(policy).not.toContain("unsafe")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(String(body)).not.toContain("__EXECUTOR_NONCE__")
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(String(body))?.[1] ?? ""
  const asset = await server.call("GET", script, { token: null })
  expect(asset.headers.get("cache-control")).toContain("immutable")
  for (const name of ["nothing.js", "..%2findex.html", "..%2f..%2fpackage.json", "__proto__"])
    expect((await server.call("GET", `/assets/${name}`, { token: null })).status).toBe(404)
})
