// The home page in a real browser: what it shows to an admin, to a member and to whoever is not signed in.
import { createServer } from "node:http"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import type { Browser, Page } from "playwright-core"
import { startTestServer } from "../../src/surfaces/http/testing/server.ts"
import type { TestServer } from "../../src/surfaces/http/testing/server.ts"
import { listen } from "../servers/listen.ts"
import { keepShots, startStrictBrowser } from "./browser.ts"

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startTestServer()
  browser = await startStrictBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

async function open(token: string): Promise<{ page: Page; problems: string[] }> {
  const page = await (await browser.newContext()).newPage()
  const problems: string[] = []
  page.on("console", (message) => (message.type() === "error" ? problems.push(message.text()) : undefined))
  const { body } = await server.call("POST", "/api/sessions", { token })
  await page.goto(`${server.url}/signin?code=${(body as { code: string }).code}&next=/`) // as documented
  await page.getByText("Signed in as").waitFor()
  return { page, problems }
}

const text = async (page: Page): Promise<string> => page.locator("body").innerText()

test("an admin sees who they are and counts, on every screen, and signs out in all tabs", async () => {
  const { page, problems } = await open(server.tokens.human)
  expect(await page.locator("#who").innerText()).toMatch(/Signed in as .+ \(admin\)/)
  expect(await text(page)).toContain("1,200")
  expect(await page.getByRole("link", { name: "Sign in" }).isVisible()).toBe(false)
  await keepShots(page, "home-admin")
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390)
  const inside = `[...document.querySelectorAll(".counts div")].every((tile) => { const range = document.createRange(); range.selectNodeContents(tile.querySelector("dd")); return range.getBoundingClientRect().right < tile.getBoundingClientRect().right - 4 })`
  expect(await page.evaluate(inside)).toBe(true)
  const other = await page.context().newPage()
  await other.goto(server.url)
  await other.getByText("Signed in as").waitFor()
  await page.getByRole("button", { name: "Sign out" }).click()
  for (const one of [page, other]) await one.getByRole("link", { name: "Sign in" }).waitFor()
  expect(await page.locator("#who").isHidden()).toBe(true)
  expect(await text(page)).not.toContain("1,200")
  await page.getByRole("link", { name: "Sign in" }).click()
  await page.waitForURL(`${server.url}/signin?return=%2F`)
  expect(problems).toEqual([])
})

test("a member is told nothing that only works on the machine itself", async () => {
  const { page, problems } = await open(server.tokens.member)
  expect(await page.locator("#who").innerText()).toContain("member (member)")
  const shown = await text(page)
  expect(shown).toContain(`${server.url}/mcp`)
  for (const part of ["1,200", "/token", "./executor"]) expect(shown).not.toContain(part)
  await keepShots(page, "home-member")
  expect(problems).toEqual([])
})

test("a session that has ended shows what strangers see", async () => {
  const { page } = await open(server.tokens.member)
  const { body } = await server.call("GET", "/api/sessions?limit=100", { token: server.tokens.member })
  for (const { id } of (body as { items: { id: string }[] }).items)
    // as documented
    await server.call("DELETE", `/api/sessions/${id}`, { token: server.tokens.member })
  await page.reload()
  await page.getByRole("link", { name: "Sign in" }).waitFor()
  expect(await page.locator("#who").isHidden()).toBe(true)
  await keepShots(page, "home-stranger")
})

test("a link on a page of another origin signs nobody in as its maker until they say so", async () => {
  const { page, problems } = await open(server.tokens.human)
  const { body } = await server.call("POST", "/api/sessions", { token: server.tokens.member })
  const link = `${server.url}/signin?code=${(body as { code: string }).code}` // as documented
  const evil = await listen(
    createServer((_request, response) =>
      response.setHeader("content-type", "text/html").end(`<meta http-equiv=refresh content="0;url=${link}">`),
    ),
  )
  onTestFinished(() => evil.close())
  for (const from of [evil.url, evil.url.replace("127.0.0.1", "localhost")]) {
    await page.goto(from)
    await page.getByRole("heading", { name: "Sign in with this link?" }).waitFor()
    await keepShots(page, "signin-led")
    await page.goto(server.url)
    await page.getByText("Signed in as").waitFor()
    expect(await page.locator("#who").innerText()).toContain("(admin)")
  }
  await page.goto(evil.url)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL(`${server.url}/approve`)
  await page.getByText("Signed in as").waitFor()
  expect(await page.locator("#who").innerText()).toContain("member")
  expect(problems).toEqual([])
})
