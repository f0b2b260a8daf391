// The page Audit: filters in the address, an entry with its details, and a file of what is filtered.
import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { AuditView, Client } from "../../src/surfaces/client/index.ts"
import { keepShot } from "../e2e/browser.ts"
import type { Ledger } from "../servers/ledger.ts"
import { startLedger } from "../servers/ledger.ts"
import { expectAccessible, expectNoSideScroll, startConsole } from "./console.ts"
import type { Console } from "./console.ts"

let place: Console
let ledger: Ledger
let client: Client

const hostile = "<img src=x onerror=alert(1)>\u202Eevil\u0007"

beforeAll(async () => {
  ledger = await startLedger()
  place = await startConsole()
  client = createClient({ origin: `${place.server.url}/api`, token: place.server.tokens.human })
  await client.integrations.add({ slug: "ledger", name: hostile, kind: "openapi", config: { spec: ledger.document } })
  await client.connections.create({ integration: "ledger" })
  await client.policies.create({ owner: "org", pattern: "ledger.items.get", action: "allow" })
  await client.run(`await tools.ledger.items.get({ name: "tea" })`)
  await client.tokens.create({ name: hostile, kind: "agent" })
  // As at a machine of one's own, where the token is called like the human.
  const own = await client.tokens.create({ name: "local", kind: "human" })
  await createClient({ origin: `${place.server.url}/api`, token: own.token }).roles.create({
    id: "reader",
    name: "Reader",
    patterns: ["ledger.**"],
  })
})
afterAll(async () => {
  await place.close()
  await ledger.close()
})

const rows = (page: Page) => page.getByRole("grid", { name: "Audit" }).getByRole("row")
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })

test("filters are in the address, and an entry leads to its rule and its execution", async () => {
  const { page, context, problems } = await place.open("/audit")
  await row(page, "policy.create").waitFor()
  expect(await row(page, "role.create").getByRole("gridcell").nth(1).innerText()).toBe("local")
  await page.keyboard.press("/")
  await page.keyboard.type("call")
  await row(page, "policy.create").waitFor({ state: "detached" })
  await page.waitForURL(/action=call/)
  await page.reload()
  const call = row(page, "ledger.org.main.items.get")
  await call.click()
  const drawer = page.getByRole("dialog", { name: "call" })
  const [entry] = (await client.audit.list({ action: "call" })).items
  expect(new URL(page.url()).searchParams.get("entry")).toBe(entry?.id)
  await drawer.getByRole("link", { name: entry?.executionId ?? "" }).waitFor()
  await drawer.getByRole("region", { name: "Details" }).waitFor()
  await keepShot(page, "audit-drawer-light")
  await expectAccessible(page, "[role=dialog]")
  await drawer.getByRole("link", { name: entry?.rule ?? "" }).click()
  await page.getByRole("dialog", { name: "Edit ledger.items.get" }).waitFor()
  await page.goto(`${place.server.url}/audit?action=nothing.like_this`)
  await page.getByRole("heading", { name: "No entry fits these filters" }).waitFor()
  await expectAccessible(page)
  await page.getByRole("button", { name: "Clear filters" }).last().click()
  await row(page, "policy.create").waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test("it is filtered by who, on what and when, and a linked entry opens wherever it stands", async () => {
  await client.run(`await tools.ledger.items.get({ name: "coffee" })`)
  const { page, context, problems } = await place.open("/audit")
  await row(page, "policy.create").waitFor()
  const box = (name: string) => page.getByRole("searchbox", { name, exact: true }).or(page.getByRole("combobox", { name, exact: true }))
  await box("Tool or subject").fill("ledger.org.main.items.get")
  await row(page, "policy.create").waitFor({ state: "detached" })
  expect(await row(page, "ledger.org.main.items.get").count()).toBeGreaterThan(1)
  await page.waitForURL(/subject=ledger.org.main.items.get/)
  await box("Who").fill("nobody-here")
  await page.getByRole("heading", { name: "No entry fits these filters" }).waitFor()
  await box("Who").fill("local")
  await row(page, "ledger.org.main.items.get").first().waitFor()
  await page.getByLabel("To", { exact: true }).fill("2020-01-01")
  await page.getByRole("heading", { name: "No entry fits these filters" }).waitFor()
  const today = await page.evaluate(() => new Date().toLocaleDateString("sv"))
  await page.getByLabel("To", { exact: true }).fill(today)
  await page.getByLabel("From", { exact: true }).fill(today)
  await row(page, "ledger.org.main.items.get").first().waitFor()
  await page.waitForURL(new RegExp(`from=${today}`))
  await keepShot(page, "audit-filters-light")
  await expectAccessible(page)
  const lines = (await download(page, "Export what is filtered", "JSON lines")).trim().split("\n")
  expect(new Set(lines.map((line) => (JSON.parse(line) as AuditView).subject))).toEqual(new Set(["tools.ledger.org.main.items.get"]))
  const [entry] = (await client.audit.list({ action: "policy.create" })).items
  for (const search of ["", "&action=nothing.like_this"]) {
    await page.goto(`${place.server.url}/audit?entry=${encodeURIComponent(entry?.id ?? "")}${search}`)
    await page
      .getByRole("dialog", { name: "policy.create" })
      .getByText(entry?.id ?? "", { exact: true })
      .waitFor()
  }
  await page.goto(`${place.server.url}/audit?entry=aud_absent`)
  await page.getByRole("dialog", { name: "Entry" }).getByRole("heading", { name: "There is no such entry" }).waitFor()
  await expectAccessible(page, "[role=dialog]")
  expect(problems).toEqual([])
  await context.close()
})

async function download(page: Page, button: string, format: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page
      .getByRole("button", { name: button, exact: true })
      .click()
      .then(() => page.getByRole("menuitem", { name: format }).click()),
  ])
  return readFile(await file.path(), "utf8")
}

test("what is filtered is exported, and without filters the whole chain", async () => {
  const { page, context } = await place.open("/audit?action=policy.create")
  await row(page, "policy.create").waitFor()
  const lines = (await download(page, "Export what is filtered", "JSON lines")).trim().split("\n")
  expect(lines.map((line) => (JSON.parse(line) as AuditView).action)).toEqual(["policy.create"])
  const csv = (await download(page, "Export what is filtered", "CSV")).trim().split("\r\n")
  expect(csv).toHaveLength(2)
  expect(csv[1]).toContain('"policy.create"')
  await page.getByRole("button", { name: "Clear filters" }).click()
  await row(page, "token.create").first().waitFor()
  expect((await download(page, "Export", "JSON lines")).split("\n")[0]).toContain('"export"')
  await context.close()
})

test("whoever is no auditor reads what they did, and sees why they cannot export the chain", async () => {
  const { page, context } = await place.open("/audit", { token: place.server.tokens.member })
  await page.getByRole("button", { name: "Export" }).click()
  await page.getByRole("menuitem", { name: "CSV" }).getByText("Needs the right auditor").waitFor()
  expect(await page.getByRole("menuitem", { name: "CSV" }).getAttribute("aria-disabled")).toBe("true")
  await context.close()
})

test.each(["light", "dark"] as const)("the page passes axe in %s, fits a phone, and shows what strangers wrote as text", async (theme) => {
  const { page, context, problems } = await place.open("/audit", { theme })
  await row(page, "\\u202eevil").first().waitFor()
  expect(await page.locator("img").count()).toBe(0)
  await expectAccessible(page)
  await keepShot(page, `audit-${theme}`)
  await page.setViewportSize({ width: 390, height: 844 })
  await row(page, "token.create").first().waitFor()
  await expectNoSideScroll(page)
  await expectAccessible(page)
  await keepShot(page, `audit-phone-${theme}`)
  expect(problems).toEqual([])
  await page.route("**/api/audit?**", (route) =>
    route.fulfill({ status: 500, contentType: "application/json", body: JSON.stringify({ error: { code: "forbidden", message: "No." } }) }),
  )
  await page.goto(`${place.server.url}/audit`)
  await page.getByRole("alert").waitFor()
  await expectAccessible(page)
  await context.close()
})
