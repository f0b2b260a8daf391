// The ToolPicker, sentence by sentence of what it promises, where the form of a tool made of code has it.
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { TOOL_BUCKETS } from "../../src/core/tool-types.ts"
import { keepShot } from "../e2e/browser.ts"
import { expectAccessible, expectNoSideScroll } from "./console.ts"
import type { OpenOptions } from "./console.ts"
import type { RegistryPlace } from "./registry-seed.ts"
import { startRegistryPlace } from "./registry-seed.ts"

let place: RegistryPlace
beforeAll(async () => {
  place = await startRegistryPlace()
  const operation = (name: string) => ({ get: { operationId: name, summary: `Reads ${name}`, responses: { 200: { description: "ok" } } } })
  const paths = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`/many/${at}`, operation(`many/read${at}`)]))
  const spec = { openapi: "3.1.0", info: { title: "Many", version: "1" }, servers: [{ url: place.ledgerUrl }], paths }
  await place.client.integrations.add({ slug: "many", kind: "openapi", config: { spec } })
  await place.client.connections.create({ integration: "many" })
})
afterAll(() => place.close())

const list = (page: Page) => page.getByRole("region", { name: "Tools to choose from" })
const selected = (page: Page) => page.getByRole("region", { name: "Selected tools" })

async function openPicker(options: OpenOptions = {}) {
  const opened = await place.console.open("/registry?new=custom", options)
  await opened.page.getByText("Tools of its caller's own connections").click()
  await list(opened.page).getByRole("checkbox").first().waitFor()
  return opened
}

test("the list is grouped by bucket, and search, bucket and subtype narrow it", async () => {
  const { page, context, problems } = await openPicker()
  const { buckets } = await place.client.tools.summary({ includeBlocked: true })
  await list(page)
    .getByRole("heading", { name: `Built-in ${buckets.built_in}` })
    .waitFor()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Bucket").selectOption("mcp")
  await list(page).getByRole("checkbox", { name: "notes.org.main.notes_list" }).waitFor()
  expect(await list(page).getByRole("heading").allInnerTexts()).toEqual([`MCP ${buckets.mcp}`])
  await dialog.getByLabel("Bucket").selectOption("")
  await dialog.getByLabel("Subtype").selectOption("artifact")
  await list(page).getByRole("checkbox", { name: "registry.org.main.add_up" }).waitFor()
  await expect.poll(() => list(page).getByRole("checkbox").count()).toBe(1)
  await dialog.getByLabel("Subtype").selectOption("")
  await dialog.getByLabel("Search tools").fill("items.remove")
  await list(page).getByRole("checkbox", { name: "ledger.org.main.items.remove" }).waitFor()
  await dialog.getByLabel("Search tools").fill("nothing-like-this")
  await dialog.getByRole("heading", { name: "No tool fits these filters" }).waitFor()
  expect(TOOL_BUCKETS.map(({ label }) => label)).toEqual(["Built-in", "MCP", "Artifact", "Custom"])
  expect(problems).toEqual([])
  await context.close()
})

test("several are chosen with check boxes, kept as a pattern with what it matches now, and cleared", async () => {
  const { page, context } = await openPicker()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Search tools").fill("items.get")
  await list(page).getByRole("checkbox", { name: "ledger.org.main.items.get" }).check()
  await dialog.getByLabel("Search tools").fill("items.")
  await list(page).getByRole("checkbox", { name: "ledger.org.main.items.create" }).check()
  await selected(page).getByRole("heading", { name: "Selected: 2 tools" }).waitFor()
  await selected(page).getByText("matches 3 tools now, and tools to come").waitFor()
  await keepShot(page, "tool-picker")
  await selected(page).getByRole("button", { name: "Keep 2 tools as this pattern" }).click()
  await selected(page).getByRole("heading", { name: "Selected: 0 tools and 1 pattern" }).waitFor()
  await selected(page).getByText("3 tools now").waitFor()
  const other = list(page).getByRole("checkbox", { name: "ledger.org.main.items.remove" })
  expect([await other.isChecked(), await other.isDisabled()]).toEqual([true, true])
  await selected(page).getByLabel("Pattern").fill("no spaces")
  await selected(page).getByRole("button", { name: "Add" }).click()
  await selected(page)
    .getByText(/is not a pattern/)
    .waitFor()
  await selected(page).getByLabel("Pattern").fill("notes.*")
  await page.keyboard.press("Enter")
  await selected(page).getByRole("heading", { name: "Selected: 0 tools and 2 patterns" }).waitFor()
  await dialog.getByLabel("Name", { exact: true }).fill("uses_tools")
  await dialog.getByLabel("Description").fill("Uses tools.")
  await dialog.getByLabel("Code", { exact: true }).fill("return 1")
  await selected(page).getByRole("button", { name: "Clear all" }).click()
  await selected(page).getByRole("heading", { name: "Selected: 0 tools" }).waitFor()
  expect(await other.isChecked()).toBe(false)
  await other.check()
  await page.getByRole("button", { name: "Save as draft" }).click()
  await page.getByRole("tab", { name: "Test", selected: true }).waitFor()
  expect(await place.client.registry.find("uses_tools")).toMatchObject({
    configSchema: { implementation: { code: "return 1", uses: ["ledger.items.remove"] } },
  })
  await context.close()
})

test("a drawer shows the details of a tool, and the end of a long list is reached without drawing it", async () => {
  const { page, context } = await openPicker()
  await page.getByRole("dialog").getByLabel("Search tools").fill("items.get")
  await page.getByRole("button", { name: "Details of ledger.org.main.items.get" }).click()
  const drawer = page.getByRole("dialog", { name: "Read an Item" })
  await drawer.getByRole("region", { name: "Input" }).filter({ hasText: '"name"' }).waitFor()
  await page.keyboard.press("Escape")
  await drawer.waitFor({ state: "detached" })
  await page.getByRole("dialog").getByLabel("Search tools").fill("many")
  await list(page).getByRole("checkbox", { name: "many.org.main.many.read0", exact: true }).waitFor()
  await expect.poll(() => list(page).getByRole("checkbox").count()).toBeLessThan(60)
  await list(page).focus()
  await page.keyboard.press("End")
  await list(page).getByRole("checkbox", { name: "many.org.main.many.read999", exact: true }).waitFor()
  await context.close()
})

test.each(["light", "dark"] as const)("it passes axe in %s and fits a phone", async (theme) => {
  const { page, context } = await openPicker({ theme, width: 390 })
  await list(page).getByRole("checkbox").first().check()
  await expectAccessible(page)
  await expectNoSideScroll(page)
  await keepShot(page, `tool-picker-phone-${theme}`)
  await context.close()
})
