// The pages that the server shows, in a real browser.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Browser, Page } from "playwright-core"
import { startBrowser } from "./browser.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let browser: Browser

beforeAll(async () => {
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

test("the front page says what is there and where to go", async () => {
  const { page, problems } = await open("/")
  const text = await page.locator("body").innerText()
  for (const part of ["Executor", "running", "sqlite", "api reference"]) expect(text.toLowerCase()).toContain(part.toLowerCase())
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
