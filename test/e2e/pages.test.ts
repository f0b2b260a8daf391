// The pages that the server shows, in a real browser.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Browser, Page } from "playwright-core"
import { buildConsole } from "../console/console.ts"
import { startBrowser } from "./browser.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let browser: Browser

beforeAll(async () => {
  buildConsole()
  product = await startProduct()
  browser = await startBrowser()
  const spec = {
    openapi: "3.1.0",
    info: { title: "Tea", version: "1" },
    servers: [{ url: "https://example.com" }],
    paths: { "/tea": { get: { operationId: "tea/list", responses: {} } } },
  }
  await product.client.integrations.add({ slug: "tea", kind: "openapi", config: { spec } })
  await product.client.connections.create({ integration: "tea" })
})
afterAll(async () => {
  await browser.close()
  await product.stop()
})

async function open(path: string): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage()
  const problems: string[] = []
  page.on("console", (message) => (message.type() === "error" ? problems.push(message.text()) : undefined))
  page.on("pageerror", (error) => problems.push(error.message))
  page.on("requestfailed", (request) => problems.push(`failed: ${request.url()}`))
  await page.goto(`${product.url}${path}`)
  return { page, problems }
}

test("the front page tells whoever is not signed in where to go", async () => {
  const { page, problems } = await open("/")
  await page.getByRole("heading", { name: "Sign in to continue" }).waitFor()
  const text = await page.locator("body").innerText()
  for (const part of ["Executor", "sign in", "./executor web", "api reference"]) expect(text.toLowerCase()).toContain(part.toLowerCase())
  expect(text).not.toContain(product.token)
  expect(problems).toEqual([])
  await page
    .getByRole("link", { name: /docs|reference/i })
    .first()
    .click()
  await page.waitForURL("**/api/docs")
})

test("the reference lists every route of the API", async () => {
  const { page, problems } = await open("/api/docs")
  const document = (await (await fetch(`${product.url}/api/openapi.json`)).json()) as { paths: Record<string, object> }
  const text = await page.locator("body").innerText()
  for (const path of Object.keys(document.paths)) expect(text).toContain(path)
  expect(problems).toEqual([])
})

test("the reference is searched, and on a phone its contents are folded", async () => {
  const { page, problems } = await open("/api/docs")
  expect(await page.getByText("Run code", { exact: true }).first().isVisible()).toBe(true)
  await page.getByRole("searchbox", { name: "Search the API" }).fill("sign-in code")
  await page.getByText(/^\d+ match(es)?$/).waitFor()
  expect(await page.locator("main section:visible").count()).toBeLessThan(5)
  await page.getByRole("searchbox").fill("")
  expect(await page.locator("main section:visible").count()).toBeGreaterThan(50)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  const first = await page.getByRole("heading", { level: 1 }).boundingBox()
  expect(first?.y).toBeLessThan(400)
  await page.getByText("Contents", { exact: true }).click()
  await page.getByRole("link", { name: "Run code" }).click()
  expect(await page.getByRole("link", { name: "Run code" }).isVisible()).toBe(false)
  expect(problems).toEqual([])
})

test.each(["/api/docs", "/nowhere"])("%s fits a phone, and has a way home and to the others", async (path) => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await page.goto(`${product.url}${path}`)
  await page.locator("h1").waitFor()
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390)
  const bar = page.getByRole("navigation", { name: "Executor" })
  for (const [name, target] of [
    ["Executor", "/"],
    ["Inbox", "/inbox"],
    ["API reference", "/api/docs"],
  ] as const)
    expect(await bar.getByRole("link", { name }).getAttribute("href")).toBe(target)
})

test("what is not there is a page for browsers and JSON for programs; what people type from memory leads there", async () => {
  const page = await browser.newPage()
  const answer = await page.goto(`${product.url}/nowhere`)
  expect(answer?.status()).toBe(404)
  await page.getByRole("heading", { name: "Page not found" }).waitFor()
  await page.getByRole("link", { name: "Home" }).click()
  await page.getByRole("heading", { name: "Sign in to continue" }).waitFor()
  expect(await page.locator("code").innerText()).toBe("./executor web")
  const asked = await fetch(`${product.url}/nowhere`)
  expect([asked.status, await asked.json()]).toMatchObject([404, { error: { code: "not_found" } }])
  await page.goto(`${product.url}/connect/NOT-A-SLUG`)
  await page.getByRole("heading", { name: "This page cannot be shown" }).waitFor()
  await page.goto(`${product.url}/approvals`)
  await page.waitForURL(`${product.pagesUrl}/inbox`)
  await page.goto(`${product.url}/approvals/apr_1`)
  await page.waitForURL(`${product.pagesUrl}/inbox?approval=apr_1`)
})

test("whoever comes to sign in without a code, or with a bad one, is told what to do", async () => {
  const page = await browser.newPage()
  for (const [path, heading] of [
    ["/signin", "Sign in"],
    ["/signin?code=", "Sign in"],
    ["/signin?code=exc_bad", "This sign-in link does not work"],
  ] as const) {
    await page.goto(`${product.url}${path}`)
    await page.getByRole("heading", { name: heading, exact: true }).waitFor()
    expect(await page.locator("pre:visible").innerText()).toBe("./executor web")
    expect(await page.getByText("Signing in").count()).toBe(0)
  }
})
