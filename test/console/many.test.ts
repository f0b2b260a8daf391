// Lists that a person looks through as a whole are shown whole, however many pages the API gives them in.
import { afterAll, beforeAll, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Console } from "./console.ts"
import { startConsole } from "./console.ts"

/** One more than the API gives in a page. */
const count = 101
const spec = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "http://127.0.0.1:1" }],
  paths: { "/products": { get: { operationId: "products.list", responses: { 200: { description: "ok" } } } } },
}

let app: Console
beforeAll(async () => {
  app = await startConsole()
  const client = createClient({ origin: `${app.server.url}/api`, token: app.server.tokens.human })
  for (let at = 0; at < count; at += 1) {
    await client.integrations.add({ slug: `shop_${at}`, kind: "openapi", config: { spec } })
    await client.connections.create({ integration: "shop_0", name: `more_${at}` })
    await client.tokens.create({ name: `Token ${at}`, kind: "agent" })
  }
})
afterAll(() => app.close())

test("101 integrations, 101 connections and 101 tokens are all there", async () => {
  const { page, context, problems } = await app.open("/integrations")
  await page.getByText(`${count} integrations`).waitFor()
  const grid = page.getByRole("grid")
  expect(await grid.getAttribute("aria-rowcount")).toBe(String(count + 1))
  await page.goto(`${app.server.url}/connections`)
  await page.getByText(`${count} connections`).waitFor()
  expect(await grid.getAttribute("aria-rowcount")).toBe(String(count + 1))
  await page.goto(`${app.server.url}/settings?tab=access`)
  const tokens = page.getByRole("list", { name: "Tokens" })
  await tokens.getByText("Token 0", { exact: true }).waitFor()
  await tokens.getByText(`Token ${count - 1}`, { exact: true }).waitFor()
  await page.goto(`${app.server.url}/registry`)
  await expect.poll(() => page.getByLabel("Integration").locator("option").count()).toBeGreaterThan(count)
  expect(problems).toEqual([])
  await context.close()
})
