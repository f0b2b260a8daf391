// The frame of the console: signing in, going places, the palette, keys, themes, phones, and the page's policy.
import { afterAll, beforeAll, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import { keepShot } from "../e2e/browser.ts"
import { startLedger } from "../servers/ledger.ts"
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

test("the palette finds pages, keys go to pages, and the focus follows", async () => {
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

test("the palette is no part of the first page, and what is typed before it is here counts", async () => {
  const { page, context, problems } = await console_.open("/")
  await page.getByRole("heading", { level: 1 }).waitFor()
  const release = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route(/assets\/palette-/, async (route) => {
    asked.resolve()
    await release.promise
    await route.continue()
  })
  await page.getByText(process.platform === "darwin" ? "⌘K" : "Ctrl K", { exact: true }).waitFor()
  await page.keyboard.press("Control+k")
  await asked.promise
  await page.keyboard.type("polixx")
  await page.keyboard.press("Backspace")
  await page.keyboard.press("Backspace")
  await page.keyboard.type("c")
  release.resolve()
  await expect.poll(() => page.getByRole("combobox").inputValue()).toBe("polic")
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { level: 1, name: "Policies" }).waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test("the palette finds tools, recent executions and actions, and does something with what is open", async () => {
  const { server } = console_
  const ledger = await startLedger()
  const client = createClient({ origin: `${server.url}/api`, token: server.tokens.human })
  await client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await client.connections.create({ integration: "ledger" })
  const { executionId } = await client.run("// Counts to six times seven\nreturn 6 * 7")
  const { page, context, problems } = await console_.open("/")
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  const option = (name: string | RegExp) => page.getByRole("option", { name, exact: typeof name === "string" })
  const find = async (text: string): Promise<void> => {
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox").fill(text)
  }
  const copied = () => page.evaluate("navigator.clipboard.readText()")
  await page.getByRole("heading", { level: 1 }).waitFor()
  await find("six times seven")
  await option(/Counts to six times seven/).click()
  await page.waitForURL(new RegExp(executionId))
  await find("copy the id")
  await page.keyboard.press("Enter")
  await expect.poll(copied).toBe(executionId)
  // The first tool that is found can be acted upon without opening it.
  await find("items.create")
  await option("New policy for ledger.org.main.items.create").click()
  const rule = page.getByRole("dialog", { name: "New rule" })
  await expect.poll(() => rule.getByLabel("Pattern").inputValue()).toBe("ledger.org.main.items.create")
  await page.keyboard.press("Escape")
  await rule.waitFor({ state: "detached" })
  expect(new URL(page.url()).search).toBe("")
  await find("items.create")
  await option(/^ledger\.org\.main\.items\.create/).waitFor()
  await keepShot(page, "palette-tools")
  await expectAccessible(page, "[role=dialog]")
  await option(/^ledger\.org\.main\.items\.create/).click()
  await page.getByRole("dialog").getByText("ledger.org.main.items.create", { exact: true }).first().waitFor()
  expect(new URL(page.url()).searchParams.get("tool")).toContain("items.create")
  await find("copy the path")
  await page.keyboard.press("Enter")
  await expect.poll(copied).toBe("ledger.org.main.items.create")
  await find("dark theme")
  await page.keyboard.press("Enter")
  await expect.poll(() => page.evaluate("getComputedStyle(document.body).backgroundColor")).not.toBe("rgb(255, 255, 255)")
  await find("invite")
  await page.keyboard.press("Enter")
  await page.waitForURL(/\/people\?/)
  await page.getByRole("dialog", { name: "Invite" }).waitFor()
  await page.keyboard.press("Escape")
  await page.getByRole("heading", { level: 1, name: "People" }).waitFor()
  await find("")
  await option("Theme as the system has it").waitFor()
  await option(/Counts to six times seven/).waitFor()
  await keepShot(page, "palette-all")
  await find("zzqqxx")
  await page.getByText("Nothing fits").waitFor()
  expect(problems).toEqual([])
  await context.close()
  await ledger.close()
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

test("a session that ends in the middle of a form loses nothing: signed in again in another tab, the form goes on", async () => {
  const { server } = console_
  const { page, context, problems } = await console_.open("/policies?rule=new")
  const rule = page.getByRole("dialog", { name: "New rule" })
  await rule.getByLabel("Pattern").fill("typed.in.time.**")
  // Nor does a click beside the dialog lose it.
  await page.mouse.click(5, 400)
  const { items } = (await server.call("GET", "/api/sessions")).body as { items: { id: string }[] } // as documented
  for (const { id } of items) await server.call("DELETE", `/api/sessions/${id}`)
  await rule.getByRole("button", { name: "Create the rule" }).click()
  await rule.getByText("Your session has ended").waitFor()
  await page.evaluate("dispatchEvent(new Event('focus')); document.dispatchEvent(new Event('visibilitychange'))")
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "frame-session-over")
  expect(await rule.getByLabel("Pattern").inputValue()).toBe("typed.in.time.**")
  const [other] = await Promise.all([context.waitForEvent("page"), rule.getByRole("link", { name: "Sign in again" }).click()])
  await other.waitForURL("**/signin?**")
  const { code } = (await server.call("POST", "/api/sessions", { token: server.tokens.human })).body as { code: string } // as documented
  await other.goto(`${server.url}/signin?code=${code}&next=%2F`)
  await rule.getByText("Your session has ended").waitFor({ state: "detached" })
  await rule.getByRole("button", { name: "Create the rule" }).click()
  await rule.waitFor({ state: "detached" })
  expect((await server.call("GET", "/api/policies")).body).toMatchObject({ items: [{ pattern: expect.stringContaining("in.time") }] })
  // What a session that is over asks for is refused.
  expect(problems.filter((text) => !text.includes("401"))).toEqual([])
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

test("a server that is slow to say who is signed in leaves no empty screen", async () => {
  const { page, context } = await console_.open("/")
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor()
  let answer = (): void => {}
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route("**/api/me", (route) => mayAnswer.then(() => route.continue()))
  await page.reload()
  await page.getByRole("status", { name: "Loading" }).locator("div").first().waitFor()
  await expectAccessible(page)
  answer()
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor()
  await context.close()
})

test("a page that was not opened before keeps the frame while the server is away, and loads when it is back", async () => {
  const { page, context } = await console_.open("/")
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor()
  let tries = 0
  await page.route("**", (route) => {
    if (new URL(route.request().url()).pathname === "/") tries += 1
    return route.abort()
  })
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Audit" }).click()
  const said = page.getByRole("alert")
  await said.getByText("A part of the console could not be loaded").waitFor()
  await page.getByRole("navigation", { name: "Pages" }).waitFor()
  expect(tries).toBeGreaterThan(0)
  await said.getByRole("button", { name: "Try again" }).click()
  await page.getByText("The server does not answer.").waitFor()
  await page.unrouteAll()
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
