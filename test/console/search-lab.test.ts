// The Search lab: a query explained, searches that were made, and evaluation sets, in a real browser.
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import { keepShot } from "../e2e/browser.ts"
import { startEcho } from "../servers/echo.ts"
import type { Echo } from "../servers/echo.ts"
import { expectAccessible, expectNoSideScroll, startConsole } from "./console.ts"
import type { Console } from "./console.ts"

let place: Console
let echo: Echo
let client: Client
let agent: Client

const hostile = "<img src=x onerror=alert(1)>\u202Eevil\u0007 archive"
const operation = (operationId: string, summary: string, deprecated = false) => ({
  operationId,
  summary,
  description: `${summary}.`,
  deprecated,
  responses: { 200: { description: "OK" } },
})
const spec = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/open-orders": { get: operation("orders/archive-open", "Archive an open order") },
    "/paid-orders": { get: operation("orders/archive-paid", "Archive a paid order") },
    "/orders": { get: operation("orders/list", "List orders"), delete: operation("orders/delete", `Delete ${hostile}`, true) },
    "/customers": { get: operation("customers/list", "List customers") },
  },
}
const open = "shop.org.main.orders.archiveOpen"
const paid = "shop.org.main.orders.archivePaid"

beforeAll(async () => {
  echo = await startEcho()
  place = await startConsole()
  const clientOf = (token: string): Client => createClient({ origin: `${place.server.url}/api`, token })
  client = clientOf(place.server.tokens.human)
  agent = clientOf(place.server.tokens.agent)
  await client.integrations.add({ slug: "shop", name: "Shop", kind: "openapi", config: { spec, baseUrl: echo.url } })
  await client.connections.create({ integration: "shop" })
})
afterAll(async () => {
  await place.close()
  await echo.close()
})

const ranking = (page: Page) => page.getByRole("list", { name: "Ranking" })
const hits = (page: Page) => ranking(page).locator("> li")
const search = async (page: Page, text: string): Promise<void> => page.getByLabel("Query", { exact: true }).fill(text)

test("before anybody has searched, every tab says what it is for", async () => {
  const { page, context, problems } = await place.open("/search")
  await page.getByRole("heading", { name: "What would an agent ask?" }).waitFor()
  expect(await page.title()).toBe("Search lab – Executor")
  await page.getByRole("tab", { name: "Searches made" }).click()
  await page.getByRole("heading", { name: "Nobody has searched yet" }).waitFor()
  await expectAccessible(page)
  await page.getByRole("tab", { name: "Evaluation" }).click()
  await page.getByRole("heading", { name: "No case in this set yet" }).waitFor()
  await expectAccessible(page)
  expect(problems).toEqual([])
  await context.close()
})

test("a query shows its ranking with the reasons, within a namespace, and says when nothing fits", async () => {
  const { page, context, problems } = await place.open("/search?q=archive%20an%20order")
  await expect.poll(() => hits(page).first().textContent()).toContain(open)
  const why = hits(page).first().getByRole("list", { name: "Why it has this place" })
  await why.getByText("archive").waitFor()
  await why.getByText("order", { exact: true }).waitFor()
  await expectAccessible(page)
  await keepShot(page, "search-lab-query-light")
  await page.getByLabel("Namespace").selectOption("shop")
  await page.waitForURL(/namespace=shop/)
  await expect.poll(async () => (await hits(page).allTextContents()).every((text) => text.includes("shop.org.main"))).toBe(true)
  await search(page, "translate a poem into morse code")
  await page.getByText("Most of the request is in none of the tools").waitFor()
  await expect.poll(() => page.url()).toContain("q=translate")
  await page.reload()
  await page.getByText("Most of the request is in none of the tools").waitFor()
  await expectAccessible(page)
  // Names and texts of strangers stay text.
  await search(page, `delete ${hostile}`)
  await expect.poll(() => ranking(page).textContent()).toContain("shop.org.main.orders.delete")
  await hits(page).filter({ hasText: "orders.delete" }).getByText("Deprecated").waitFor()
  expect(await page.locator("main img").count()).toBe(0)
  expect(await ranking(page).textContent()).not.toContain("\u202E")
  expect(problems).toEqual([])
  await context.close()
})

test("searches that agents made are listed with what they called, tried again, and become cases", async () => {
  await agent.run(`await tools.search({ query: "archive an order" }); return (await tools.${paid}()).ok`)
  await agent.run(`await tools.discover({ query: "list customers" }); return (await tools.shop.customers.list()).ok`)
  await agent.run(`return await tools.search({ query: ${JSON.stringify(hostile)}, namespace: "shop" })`)
  for (let more = 0; more < 21; more += 1) await agent.run(`return (await tools.search({ query: "list orders number ${more}" })).total`)
  const { page, context, problems } = await place.open("/search?tab=made")
  const list = page.getByRole("list", { name: "Searches" })
  const rows = list.locator("> li")
  await expect.poll(() => rows.count()).toBe(20)
  await page.getByRole("button", { name: "Show older searches" }).click()
  await expect.poll(() => rows.count()).toBe(24)
  await expectAccessible(page)
  expect(await list.textContent()).not.toContain("\u202E")
  expect(await page.locator("main img").count()).toBe(0)
  await page.getByLabel("What came of it").selectOption("other")
  await page.waitForURL(/outcome=other/)
  await expect.poll(() => rows.count()).toBe(1)
  const wrong = rows.filter({ hasText: "archive an order" })
  expect(await wrong.textContent()).toContain(`Called${paid}`)
  await keepShot(page, "search-lab-made-light")
  await wrong.getByRole("button", { name: "Add to the evaluation set: archive an order" }).click()
  await page.getByText("Added to My set").waitFor()
  await wrong.getByRole("button", { name: "Try it: archive an order" }).click()
  await page.waitForURL(/q=archive/)
  // What was called after it is first by now, and says so.
  await expect
    .poll(async () => (await page.reload(), (await hits(page).first().textContent({ timeout: 5000 })) ?? ""), { timeout: 30_000 })
    .toContain(paid)
  await hits(page)
    .first()
    .getByText(/use ×1\.27/)
    .waitFor()
  await page.goBack()
  await page.waitForURL(/tab=made/)
  // Another tenant sees none of it.
  const other = await place.open("/search?tab=made", { token: place.server.tokens.stranger })
  await other.page.getByRole("heading", { name: "Nobody has searched yet" }).waitFor()
  await other.context.close()
  expect(problems).toEqual([])
  await context.close()
})

test("a set is written, run, run again after a change, exported and imported", async () => {
  const { page, context, problems } = await place.open("/search?tab=evaluation")
  await page.getByLabel("Request").fill("archive an order")
  await page.getByLabel("Right tool").fill("shop.orders.archivePaid")
  await page.getByRole("button", { name: "Add the case" }).click()
  await page.getByLabel("Request").fill("show all customers")
  await page.getByLabel("Right tool").fill("shop.customers.list")
  await page.keyboard.press("Enter")
  const cases = page.getByRole("list", { name: "Cases of the set" }).getByRole("listitem")
  await expect.poll(() => cases.count()).toBe(2)
  await page.getByLabel("Name").fill("Orders")
  await page.getByRole("button", { name: "Run the set" }).click()
  const result = page.getByRole("region", { name: "Result" })
  const firstRow = result.getByRole("row", { name: /First hit right/ })
  await expect.poll(() => firstRow.textContent()).toContain("50.0 %–")
  await result.getByRole("list", { name: "Wrong first" }).getByText("archive an order").waitFor()
  await expectAccessible(page)
  await keepShot(page, "search-lab-evaluation-light")
  // The wanted tool gets the better description, and the same set says what that changed.
  const better = structuredClone(spec)
  better.paths["/paid-orders"].get.summary = "Archive an order"
  await client.integrations.update("shop", { config: { spec: better, baseUrl: echo.url } })
  await client.connections.refresh({ integration: "shop", owner: "org", name: "main" })
  await page.getByRole("button", { name: "Run the set" }).click()
  await expect.poll(() => firstRow.textContent()).toContain("100.0 %50.0 % ▲ +50.0")
  await result.getByText("Every first hit is right.").waitFor()
  // It is still there after a reload, and travels as the file that the command line reads.
  await page.reload()
  await expect.poll(() => cases.count()).toBe(2)
  const saving = page.waitForEvent("download")
  await page.getByRole("button", { name: "Export" }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe("Orders.json")
  const file = await download.path()
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    cases: [
      { query: "archive an order", tools: { "shop.orders.archivePaid": 2 } },
      { query: "show all customers", tools: { "shop.customers.list": 2 } },
    ],
  })
  await page.getByRole("button", { name: "Remove", exact: true }).click()
  await page.getByRole("button", { name: "Remove the set" }).click()
  await page.getByRole("heading", { name: "No case in this set yet" }).waitFor()
  const picker = page.getByLabel("File with cases")
  await picker.setInputFiles({ name: "broken.json", mimeType: "application/json", buffer: Buffer.from('[{"query":7}]') })
  await page.getByText("Case 1 cannot be read").waitFor()
  await picker.setInputFiles(file)
  await expect.poll(() => cases.count()).toBe(2)
  // Which set is open is in the address.
  await page.getByRole("button", { name: "New set" }).click()
  await page.waitForURL(/[?&]set=Set\+2/)
  await page.getByLabel("Name").fill("Teas & coffees")
  await page.waitForURL(/[?&]set=Teas\+%26\+coffees/)
  await page.reload()
  await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Teas & coffees")
  await page.getByText("Sets are kept in this browser").waitFor()
  // Another person at the same browser has sets of their own, and only admins run them.
  expect(problems).toEqual([])
  await context.close()
  const member = await place.open("/search?tab=evaluation", { token: place.server.tokens.member })
  await member.page.getByRole("heading", { name: "No case in this set yet" }).waitFor()
  expect(await member.page.getByRole("button", { name: "Run the set" }).getAttribute("aria-disabled")).toBe("true")
  await member.page.getByRole("button", { name: "Run the set" }).hover()
  await member.page.getByRole("tooltip", { name: "Needs the right admin" }).waitFor()
  await member.context.close()
})

test("it works by keyboard from anywhere, on a phone and in the dark, and says what went wrong", async () => {
  const { page, context, problems } = await place.open("/", { theme: "dark", width: 390 })
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor()
  await page.keyboard.press("ControlOrMeta+k")
  await page.getByPlaceholder("Search tools, go to a page, act…").fill("search lab")
  await page.getByRole("option", { name: "Home" }).waitFor({ state: "detached" })
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "What would an agent ask?" }).waitFor()
  await page.keyboard.press("/")
  await page.keyboard.type("archive an order")
  await expect.poll(() => hits(page).count()).toBeGreaterThan(1)
  await expectNoSideScroll(page)
  await expectAccessible(page)
  await keepShot(page, "search-lab-query-dark-390")
  await page.getByRole("tab", { name: "Try a query" }).focus()
  await page.keyboard.press("ArrowRight")
  await page.getByRole("list", { name: "Searches" }).waitFor()
  await expectNoSideScroll(page)
  await expectAccessible(page)
  await keepShot(page, "search-lab-made-dark-390")
  await page.keyboard.press("ArrowRight")
  await page.getByRole("button", { name: "Run the set" }).waitFor()
  await expectNoSideScroll(page)
  await expectAccessible(page)
  expect(problems).toEqual([])
  const failing = (route: { fulfill(answer: object): Promise<void> }): Promise<void> =>
    route.fulfill({ status: 409, json: { error: { code: "conflict", message: "Not now", requestId: "req_test" } } })
  await page.route("**/api/tools/search**", failing)
  await page.goto(`${place.server.url}/search?q=anything`)
  await page.getByRole("alert").getByText("Not now").waitFor()
  await expectAccessible(page)
  await context.close()
})
