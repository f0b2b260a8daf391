// Integrations in the console: adding by preset, URL and file, what changed upstream, refreshing, removing.
import { createServer } from "node:http"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { keepShot } from "../e2e/browser.ts"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { startMcpFixture } from "../servers/mcp-fixture.ts"
import type { McpFixture } from "../servers/mcp-fixture.ts"
import type { Console } from "./console.ts"
import { expectAccessible, expectNoSideScroll, startConsole } from "./console.ts"

const hostile = `<img src=x onerror="document.title='taken'"> \u202egnp.\u0007`

let dir: string
let upstream: Listening
let mcp: McpFixture
let console_: Console

const shopDocument = (): object => ({
  openapi: "3.1.0",
  info: { title: "Tea shop", version: "3", description: `Sells tea. ${hostile}` },
  servers: [{ url: upstream.url }],
  paths: {
    "/products": {
      get: { operationId: "products.list", summary: "Lists what the shop sells.", responses: { 200: { description: "ok" } } },
    },
    "/orders": { post: { operationId: "orders.create", summary: hostile, responses: { 200: { description: "ok" } } } },
    "/orders/{id}": {
      delete: {
        operationId: "orders.delete",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { 204: { description: "gone" } },
      },
    },
  },
})

beforeAll(async () => {
  upstream = await listen(
    createServer((request, response) => {
      const isDocument = request.url === "/openapi.json"
      response.writeHead(isDocument ? 200 : 404, { "content-type": "application/json" })
      response.end(JSON.stringify(isDocument ? shopDocument() : { message: "nothing here" }))
    }),
  )
  mcp = await startMcpFixture()
  dir = mkdtempSync(join(tmpdir(), "executor-console-presets-"))
  const shown = { category: "code", docsUrl: "https://example.com/docs", auth: [{ template: "none" }] }
  const presets = [
    { ...shown, id: "notes", name: "Zebra notes", description: "Notes for a test.", kind: "mcp", url: mcp.url },
    {
      ...shown,
      id: "away",
      name: "Away",
      description: "A document out of reach.",
      kind: "openapi",
      url: "http://127.0.0.1:1/openapi.json",
    },
  ]
  writeFileSync(join(dir, "presets.json"), JSON.stringify(presets))
  console_ = await startConsole({ env: { EXECUTOR_PRESETS: join(dir, "presets.json") } })
})
afterAll(async () => {
  await console_.close()
  await Promise.all([upstream.close(), mcp.close()])
  rmSync(dir, { recursive: true, force: true })
})

const heading = (page: Page, name: string): Promise<void> => page.getByRole("heading", { level: 1, name }).waitFor()
const both = ["light", "dark"] as const

test.each(both)("an empty catalog says how to begin, in %s", async (theme) => {
  const { page, context, problems } = await console_.open("/integrations", { theme })
  await page.getByRole("heading", { name: "No integrations yet" }).waitFor()
  await page.getByText("executor integrations add github").waitFor()
  await expectAccessible(page)
  await keepShot(page, `integrations-empty-${theme}`)
  expect(problems).toEqual([])
  await context.close()
})

test("an API is detected at its URL, previewed, and added with a connection where it needs no credentials", async () => {
  const { page, context, problems } = await console_.open("/integrations")
  await page.getByRole("button", { name: "Add integration" }).click()
  await page.waitForURL("**/integrations?add=presets")
  await page.getByRole("tab", { name: "By URL" }).click()
  await page.getByRole("textbox", { name: "URL" }).fill("javascript:alert(1)")
  await page.getByText("A URL begins with https:// or http://").waitFor()
  await page.getByRole("textbox", { name: "URL" }).fill("http://127.0.0.1:1/")
  await page.getByRole("button", { name: "Look what is there" }).click()
  await page.getByRole("alert").getByRole("button", { name: "Use a file instead" }).waitFor()
  await expectAccessible(page)
  await page.getByRole("textbox", { name: "URL" }).fill(`${upstream.url}/openapi.json`)
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Brings 3 tools" }).waitFor()
  await page.getByText(upstream.url, { exact: true }).waitFor()
  await page.getByLabel("Slug").fill("Not a slug")
  expect(await page.getByRole("button", { name: "Add integration" }).last().getAttribute("aria-disabled")).toBe("true")
  await page.getByLabel("Slug").fill("shop")
  await expectAccessible(page)
  await keepShot(page, "integrations-review-light")
  await page.getByRole("dialog").getByRole("button", { name: "Add integration" }).click()
  await page.waitForURL("**/integrations/shop")
  await page.getByText("Added and connected shop: 3 tools").waitFor()
  await page.getByRole("grid", { name: "Tools" }).getByText("products.list").waitFor()
  expect(await page.title()).toBe("Tea shop – Executor")
  expect(problems.filter((text) => !text.includes("400"))).toEqual([])
  await context.close()
})

test("the gallery is searched, a preset is added from its card, and one out of reach takes its document as a file", async () => {
  const { page, context } = await console_.open("/integrations?add=presets")
  const cards = page.getByRole("list", { name: "Presets" })
  await cards
    .getByRole("button", { name: /GitHub/ })
    .first()
    .waitFor()
  await expect.poll(() => cards.getByRole("listitem").count()).toBeGreaterThan(40)
  await keepShot(page, "integrations-gallery-light")
  await expectAccessible(page)
  await page.getByLabel("Category").selectOption("payments")
  await cards
    .getByRole("button", { name: /Stripe/ })
    .first()
    .waitFor()
  expect(await cards.getByRole("button", { name: /GitHub/ }).count()).toBe(0)
  await page.getByLabel("Category").selectOption("")
  await page.getByLabel("Search presets").fill("zebra")
  await expect.poll(() => cards.getByRole("listitem").count()).toBe(1)
  await page.waitForURL("**/integrations?add=presets&find=zebra")
  await page.goto(`${console_.server.url}/integrations?add=presets&find=away&category=code`)
  await cards.getByRole("button", { name: /Away/ }).waitFor()
  expect(await page.getByLabel("Search presets").inputValue()).toBe("away")
  expect(await page.getByLabel("Category").inputValue()).toBe("code")
  await page.getByLabel("Search presets").fill("zebra")
  await cards.getByRole("button", { name: /Zebra notes/ }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Add integration" }).click()
  await page.waitForURL("**/integrations/notes")
  await page.getByRole("grid", { name: "Tools" }).getByRole("row").nth(1).waitFor()

  await page.goto(`${console_.server.url}/integrations?add=presets`)
  await page.getByLabel("Search presets").fill("out of reach")
  await cards.getByRole("button", { name: /Away/ }).click()
  await page.getByRole("alert").getByText("It could not be read").waitFor()
  await expectAccessible(page)
  await keepShot(page, "integrations-unreachable-light")
  const document = { name: "away.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(shopDocument())) }
  await page.getByLabel("Its document, as a file").setInputFiles(document)
  await page.getByRole("heading", { name: "Brings 3 tools" }).waitFor()
  await page.getByRole("dialog").getByRole("button", { name: "Add integration" }).click()
  await page.waitForURL("**/integrations/away")
  await context.close()
})

test("a document that somebody has is added from a file, and a taken slug is refused in place", async () => {
  const { page, context } = await console_.open("/integrations?add=file")
  await page
    .getByLabel("Document", { exact: true })
    .setInputFiles({ name: "empty.json", mimeType: "application/json", buffer: Buffer.from(" ") })
  await page.getByText("empty.json is empty").waitFor()
  const buffer = Buffer.from(JSON.stringify(shopDocument()))
  await page.getByLabel("Document", { exact: true }).setInputFiles({ name: "shop.json", mimeType: "application/json", buffer })
  await page.getByRole("button", { name: "Preview" }).click()
  await page.getByRole("heading", { name: "Brings 3 tools" }).waitFor()
  await page.getByLabel("Slug").fill("shop")
  await page.getByRole("dialog").getByRole("button", { name: "Add integration" }).click()
  await page.getByRole("alert").getByText(/shop/).waitFor()
  await page.getByLabel("Slug").fill("shop_copy")
  await page.getByRole("dialog").getByRole("button", { name: "Add integration" }).click()
  await page.waitForURL("**/integrations/shop_copy")
  await context.close()
})

test("what the source changed is seen after a refresh, compared, and accepted", async () => {
  const { page, context, problems } = await console_.open("/integrations/notes")
  await heading(page, "Zebra notes")
  const before = mcp.mood.description
  mcp.mood.description = "Tells the weather, and sends it elsewhere."
  for (const take of mcp.moodSwings) take()
  await page.getByRole("button", { name: "Refresh" }).click()
  await page.getByText("Read again: 37 tools").waitFor()
  await page.getByRole("tab", { name: "Changes 1" }).click()
  await page.waitForURL("**/integrations/notes?tab=changes")
  await page.getByText("weather", { exact: true }).click()
  await page.getByText("In full", { exact: true }).click()
  await page.getByRole("region", { name: "Accepted" }).first().getByText(before).waitFor()
  await page.getByRole("region", { name: "Now" }).first().getByText("and sends it elsewhere").waitFor()
  await page.getByRole("list", { name: "Changes" }).getByText("The description changed").waitFor()
  await page.getByRole("list", { name: "Changes" }).getByText("Text only").waitFor()
  await page.getByText("Now, version 2: no calls in 30 days").waitFor()
  await page.getByText("Before, version 1: no calls in 30 days").waitFor()
  await expectAccessible(page)
  await keepShot(page, "integration-changes-light")
  await page.getByRole("button", { name: "Accept this version" }).click()
  await page.getByRole("heading", { name: "Nothing changed" }).waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test("a refresh says which of its connections it reads, and how many are left", async () => {
  const added = await console_.server.call("POST", "/api/connections", { body: { integration: "notes", name: "second" } })
  expect(added.status).toBe(201)
  const { page, context, problems } = await console_.open("/integrations/notes")
  await heading(page, "Zebra notes")
  // Each is held back until its progress was seen.
  const held: (() => void)[] = []
  await page.route("**/api/connections/**/refresh", async (route) => {
    await new Promise<void>((resolve) => held.push(resolve))
    await route.continue()
  })
  await page.getByRole("button", { name: "Refresh" }).click()
  const bar = page.getByRole("progressbar", { name: "Refreshed connections" })
  await page.getByText("Reading notes.org.main (1 of 2)…").waitFor()
  expect([await bar.getAttribute("value"), await bar.getAttribute("max")]).toEqual(["0", "2"])
  await expect.poll(() => held.length).toBe(1)
  held[0]?.()
  await page.getByText("Reading notes.org.second (2 of 2)…").waitFor()
  expect(await bar.getAttribute("value")).toBe("1")
  await expectAccessible(page)
  await keepShot(page, "integration-refresh-light")
  await expect.poll(() => held.length).toBe(2)
  held[1]?.()
  await page.getByText("Read again: 74 tools").waitFor()
  await bar.waitFor({ state: "detached" })
  expect(problems).toEqual([])
  await context.close()
})

test.each(both)("the table and an integration pass axe and fit a phone, whatever its source says, in %s", async (theme) => {
  const { page, context, problems } = await console_.open("/integrations", { theme })
  const grid = page.getByRole("grid", { name: "Integrations" })
  await grid.getByText("Zebra notes").waitFor()
  await expectAccessible(page)
  await keepShot(page, `integrations-${theme}`)
  await page.getByLabel("Filter integrations").fill("zebra")
  await grid.getByText("Tea shop").first().waitFor({ state: "detached" })
  await page.getByLabel("Filter integrations").fill("")
  await grid.focus()
  await page.keyboard.press("End")
  await page.keyboard.press("Enter")
  await page.waitForURL("**/integrations/shop_copy")
  await page.goto(`${console_.server.url}/integrations/shop?tab=details`)
  await page.getByText("<img src=x").first().waitFor()
  expect(await page.locator("img").count()).toBe(0)
  expect(await page.title()).toBe("Tea shop – Executor")
  await expectAccessible(page)
  await page.goto(`${console_.server.url}/integrations/shop`)
  await page.getByRole("grid", { name: "Tools" }).getByText("orders.create").waitFor()
  await expectAccessible(page)
  await keepShot(page, `integration-${theme}`)
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ["integrations", "integrations/shop", "integrations/shop?tab=details", "integrations?add=presets"]) {
    await page.goto(`${console_.server.url}/${path}`)
    await page.getByRole(path.includes("add=") ? "dialog" : "heading", path.includes("add=") ? {} : { level: 1 }).waitFor()
    await page
      .getByText(path.includes("add=") ? "Stripe" : "Tea shop")
      .first()
      .waitFor()
    await expectNoSideScroll(page)
    await keepShot(page, `phone-${path.replaceAll(/\W+/g, "-")}-${theme}`)
  }
  expect(problems).toEqual([])
  await context.close()
})

test("who may not manage integrations sees why, and what does not exist says so", async () => {
  const { page, context } = await console_.open("/integrations", { token: console_.server.tokens.member })
  const add = page.getByRole("button", { name: "Add integration" })
  await page.getByRole("grid", { name: "Integrations" }).getByText("Zebra notes").waitFor()
  expect(await add.getAttribute("aria-disabled")).toBe("true")
  await add.focus()
  await page.getByRole("tooltip", { name: "Needs the right connections.org" }).waitFor()
  for (const tab of ["presets", "url", "file"]) {
    await page.goto(`${console_.server.url}/integrations?add=${tab}`)
    const dialog = page.getByRole("dialog", { name: "Add integration" })
    await dialog.getByText("Needs the right connections.org. Ask an admin of your organization.").waitFor()
    expect(await dialog.getByRole("textbox").count()).toBe(0)
  }
  await expectAccessible(page, "[role=dialog]")
  await page.goto(`${console_.server.url}/registry`)
  const importing = page.getByRole("button", { name: "Import an API" })
  expect(await importing.getAttribute("aria-disabled")).toBe("true")
  await importing.focus()
  await page.getByRole("tooltip", { name: "Needs the right connections.org" }).waitFor()
  await page.goto(`${console_.server.url}/integrations/nothing`)
  await page
    .getByRole("alert")
    .getByText(/Request /)
    .waitFor()
  await expectAccessible(page)
  await context.close()
})

test("removing asks first, and takes the connections along", async () => {
  const { page, context } = await console_.open("/integrations/shop_copy")
  await page.getByRole("button", { name: "Remove", exact: true }).click()
  await expectAccessible(page)
  await page.getByRole("button", { name: "Keep it" }).click()
  await page.getByRole("button", { name: "Remove", exact: true }).click()
  await page.getByRole("button", { name: "Remove shop_copy" }).click()
  await page.getByText("Removed shop_copy").waitFor()
  await page.getByRole("grid", { name: "Integrations" }).getByText("Zebra notes").waitFor()
  expect((await console_.server.call("GET", "/api/integrations/shop_copy")).status).toBe(404)
  await context.close()
})
