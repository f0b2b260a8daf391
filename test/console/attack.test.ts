// What strangers wrote stays text on every page of the console, and nobody but the person's own browser gets anything.
import { createServer } from "node:http"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Console } from "./console.ts"
import { openSignedIn, startConsoleOf } from "./console.ts"
import type { FilledServer } from "./filled.ts"
import { startFilledServer } from "./filled.ts"
import { addressOf, entryOf, routePaths } from "./route-table.ts"
import { watchRequests } from "./settled.ts"

let app: Console<FilledServer>
let elsewhere: Server
beforeAll(async () => {
  app = await startConsoleOf(startFilledServer)
  elsewhere = createServer((_request, response) => response.setHeader("content-type", "text/html").end("<title>Elsewhere</title>"))
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve))
})
afterAll(async () => {
  await app.close()
  elsewhere.close()
})

const addresses = (): string[] =>
  routePaths.flatMap((path) => {
    const address = addressOf(path, app.server.ids)
    return [address, ...(entryOf(path).states?.(app.server.ids) ?? []).map((state) => `${address}${state}`)]
  })

/** Runs before anything of the page. */
const watch = `
  window.harm = []
  window.alert = () => window.harm.push("alert")
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => window.harm.push(violatedDirective + " " + blockedURI))
`

/** What reorders or hides, other than what ends lines. */
const unseen = /[[\p{Cc}--[\t\n]]\u202A-\u202E\u2066-\u2069]/v

/** Every page and state is opened in it, which on a busy machine takes longer than a test may elsewhere. */
const walkMs = 900_000

test(
  "on every page what strangers wrote is text: nothing is run, loaded or reordered",
  async () => {
    const { context, origin } = await openSignedIn(app.browser, app.server)
    const signedOut = await app.browser.newContext()
    const outside = ["/signin", "/signin?test=1&provider=none", "/authorize?client_id=none", `/invite${app.server.ids.invitation}`]
    const seen = [...(await harmOf(context, origin, addresses())), ...(await harmOf(signedOut, origin, outside))]
    expect(seen.filter(({ harm }) => harm.length > 0)).toEqual([])
    // The text was there to be shown.
    const without = new Set(seen.filter(({ isShown }) => !isShown).map(({ address }) => address))
    for (const address of [
      "/inbox",
      "/executions",
      "/registry",
      "/agents",
      "/people",
      "/roles",
      "/settings",
      "/signin",
      app.server.ids.consent,
    ])
      expect([address, without.has(address)]).toEqual([address, false])
    expect(seen.length - without.size).toBeGreaterThan(40)
    await context.close()
    await signedOut.close()
  },
  walkMs,
)

type Seen = { readonly address: string; readonly isShown: boolean; readonly harm: readonly string[] }

async function harmOf(context: BrowserContext, origin: string, pages: readonly string[]): Promise<Seen[]> {
  await context.addInitScript(watch)
  const page = await context.newPage()
  const settle = watchRequests(page)
  const asked: string[] = []
  page.on("request", (request) => asked.push(request.url()))
  const seen: Seen[] = []
  for (const address of pages) {
    // Of addresses that differ behind `#` alone the browser would stay on the page.
    await page.goto("about:blank")
    asked.length = 0
    await page.goto(`${origin}${address}`)
    await settle()
    const text = await page.locator("body").innerText()
    const labels = await attributesOf(page)
    const ran = (await page.evaluate("window.harm")) as string[] // made above
    const harm = [
      ...ran,
      ...[text, await page.title(), ...labels]
        .filter((one) => unseen.test(one))
        .map((one) => `reorders: ${JSON.stringify(one.slice(0, 200))}`),
      // The editor puts images without a source beside what it replaces.
      ...((await page.locator("img[src]").count()) > 0 ? ["an image of theirs"] : []),
      ...((await page.title()) === "owned" ? ["a script of theirs"] : []),
      ...asked.filter((url) => !url.startsWith(`${origin}/`) && url !== "about:blank"),
    ]
    seen.push({ address, isShown: text.includes("onerror=alert(1)"), harm })
  }
  return seen
}

const attributesOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll("[title], [aria-label], [placeholder]")].flatMap((element) => ["title", "aria-label", "placeholder"].map((name) => element.getAttribute(name) ?? ""))`,
  )

test("every page that the server serves forbids inline scripts and styles, and frames", async () => {
  const { ids, call, tokens } = app.server
  const { body } = await call("POST", "/api/sessions", { token: tokens.human })
  const { code } = body as { code: string } // as documented
  const others = ["/signin", "/signin?code=wrong", `/signin?code=${code}`, `/approve/${ids.approval}`, "/account", "/no/such/page"]
  let count = 0
  for (const path of [...routePaths.map((one) => addressOf(one, ids)), ...others]) {
    const { headers, status } = await call("GET", path, { token: null, headers: { accept: "text/html" } })
    if (!(headers.get("content-type") ?? "").startsWith("text/html")) {
      expect([path, status]).not.toEqual([path, 200])
      continue
    }
    count += 1
    const policy = headers.get("content-security-policy") ?? ""
    expect([path, policy]).toEqual([path, expect.stringContaining("default-src 'none'")])
    expect([path, /unsafe|\*|https?:(?!\/\/127)/.exec(policy)?.[0] ?? null]).toEqual([path, null])
    expect([path, policy]).toEqual([path, expect.stringMatching(/frame-ancestors 'none'/)])
  }
  expect(count).toBeGreaterThan(routePaths.length)
})

test("another port of this host, with the person's own cookie, gets and does nothing", async () => {
  const { context, origin } = await openSignedIn(app.browser, app.server)
  const page = await context.newPage()
  const { port } = elsewhere.address() as AddressInfo // it listens
  const before = (await app.server.call("GET", "/api/executions?limit=100")).body as { items: unknown[] }
  for (const host of ["127.0.0.1", "localhost"]) {
    await page.goto(`http://${host}:${port}/`)
    const read = async (path: string, init: object): Promise<unknown> =>
      page.evaluate(
        `fetch(${JSON.stringify(origin + path)}, ${JSON.stringify({ credentials: "include", ...init })}).then((answer) => answer.text().then((text) => [answer.status, text]), (error) => String(error))`,
      )
    for (const path of ["/api/me", "/api/approvals", "/api/audit", "/inbox"]) {
      expect([path, await read(path, {})]).toEqual([path, expect.stringContaining("TypeError")])
      // What a page may send without asking it cannot read.
      expect(["TypeError: Failed to fetch", [0, ""]]).toContainEqual(await read(path, { mode: "no-cors" }))
    }
    const body = JSON.stringify({ code: "return 1" })
    for (const init of [{ mode: "no-cors" }, {}])
      await read("/api/executions", { method: "POST", body, headers: { "content-type": "text/plain" }, ...init })
    await page.setContent(
      `<form method="post" enctype="text/plain" action="${origin}/api/approvals/${app.server.ids.approval}"><input name='{"action":"accept","x":"' value='"}'></form>`,
    )
    await page.evaluate("document.forms[0].submit()")
    await page.waitForURL(`${origin}/**`)
  }
  const after = (await app.server.call("GET", "/api/executions?limit=100")).body as { items: unknown[] }
  expect(after.items).toHaveLength(before.items.length)
  expect(JSON.stringify((await app.server.call("GET", "/api/approvals")).body)).toContain(app.server.ids.approval)
  await context.close()
})

test("a stolen cookie without the key is nobody, and so is the key without the cookie", async () => {
  const { context, origin } = await openSignedIn(app.browser, app.server)
  const cookies = await context.cookies()
  expect(cookies).toHaveLength(1)
  expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: "Strict" })
  const keys = (await context.storageState()).origins.flatMap(({ localStorage }) => localStorage)
  const key = keys.find(({ name }) => name === "executor-session-key")?.value ?? ""
  expect(key.length).toBeGreaterThan(20)
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  const status = async (headers: Record<string, string>): Promise<number> =>
    (await app.server.call("GET", "/api/me", { token: null, headers })).status
  expect(await status({ cookie, "x-executor-session-key": key })).toBe(200)
  expect(await status({ cookie })).toBe(401)
  expect(await status({ cookie, "x-executor-session-key": key.replace(/^./, (first) => (first === "a" ? "b" : "a")) })).toBe(401)
  expect(await status({ "x-executor-session-key": key })).toBe(401)
  expect(await status({ cookie, "x-executor-session-key": key, origin: "http://127.0.0.1:1" })).toBeGreaterThanOrEqual(400)
  const thief = await app.browser.newContext()
  await thief.addCookies(cookies)
  const page = await thief.newPage()
  await page.goto(`${origin}/inbox?approval=${app.server.ids.approval}`)
  await page.getByRole("link", { name: "Sign in" }).waitFor()
  expect(await page.content()).not.toContain("items.create")
  await thief.close()
  await context.close()
})

test("an agent's token opens no console and answers nothing", async () => {
  const { call, tokens, ids } = app.server
  const approve = { body: { action: "accept" } }
  for (const token of [tokens.agent, tokens.memberAgent]) {
    expect((await call("POST", "/api/sessions", { token })).status).toBe(403)
    expect((await call("POST", `/api/approvals/${ids.approval}`, { token, ...approve })).status).toBeGreaterThanOrEqual(403)
    for (const path of ["/api/users", "/api/notifications", "/api/pipelines/handbook/documents"])
      expect([path, (await call("GET", path, { token })).status]).toEqual([path, 403])
  }
  // Of another organization nothing exists.
  expect((await call("POST", `/api/approvals/${ids.approval}`, { token: tokens.stranger, ...approve })).status).toBe(404)
})
