// The list of executions in a real browser: filters in the address, keys, phones, hostile text, and what is empty or broken.
import { afterAll, beforeAll, expect, test } from "vitest"
import { keepShot } from "../e2e/browser.ts"
import { startExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import type { ExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import type { Console } from "./console.ts"
import { expectAccessible, expectNoSideScroll, startConsoleOf } from "./console.ts"

let app: Console<ExecutionServer>
beforeAll(async () => {
  app = await startConsoleOf(startExecutionServer)
})
afterAll(() => app.close())

const hostile = `<img src=x onerror=alert(1)>\u202e\u0007`

test("empty, in both themes and on a phone", async () => {
  for (const theme of ["light", "dark"] as const) {
    const { page, context, problems } = await app.open("/executions", { theme, width: theme === "dark" ? 390 : 1280 })
    await page.getByRole("heading", { name: "Nothing has run yet" }).waitFor()
    await expectAccessible(page)
    await expectNoSideScroll(page)
    await keepShot(page, `executions-empty-${theme}`)
    expect(problems).toEqual([])
    await context.close()
  }
})

test("filters are in the address, and rows are opened by keys", async () => {
  const { run, tokens } = app.server
  for (let at = 0; at < 120; at += 1) await run(`return ${at}`)
  await run(`// ${hostile}\nreturn 1`)
  await run(`const [a, b] = await Promise.all(["a", "b"].map((name) => tools.ledger.items.get({ name }).unwrap()))\nreturn [a, b]`)
  await run(`throw new Error("no")`)
  const paused = await run(`\n\nreturn await tools.ledger.items.create({ name: "later" })`, { token: tokens.agent })
  const { page, context, problems } = await app.open("/executions")
  const grid = page.getByRole("grid", { name: "Executions" })
  const row = (text: string) => grid.getByRole("row").filter({ hasText: text })
  await row("items.create").waitFor()
  expect(await row("items.create").innerText()).toMatch(/Waiting[^]*test for local[^]*\n1\n/)
  expect(await row("Promise.all").getByRole("gridcell").allInnerTexts()).toEqual(
    expect.arrayContaining([expect.stringContaining("Completed"), "local", "2"]),
  )
  const strange = await row("onerror").innerText()
  expect(strange).toContain("\\u202e\\u0007")
  expect(await grid.locator("img").count()).toBe(0)
  await keepShot(page, "executions-list-light")
  await expectAccessible(page)

  // Rows of the second page appear when they are scrolled to.
  await grid.focus()
  await page.keyboard.press("End")
  await expect.poll(async () => (await grid.getAttribute("aria-rowcount")) ?? "").toBe("125")
  await page.keyboard.press("End")
  await row("return 0").waitFor()

  await page.getByRole("combobox", { name: "Status" }).selectOption("failed")
  await row("throw new Error").waitFor()
  await expect.poll(() => grid.getByRole("row").count()).toBe(2)
  expect(new URL(page.url()).search).toBe("?status=failed")
  await page.getByRole("button", { name: "Clear filters" }).click()
  await page.keyboard.press("/")
  await page.keyboard.type("PROMISE.all")
  await expect.poll(() => grid.getByRole("row").count()).toBe(2)
  await page.getByRole("searchbox", { name: "Find in code or id" }).fill("")
  await page.getByLabel("Tool called").fill("ledger.org.main.items.create")
  await row("items.create").waitFor()
  await expect.poll(() => grid.getByRole("row").count()).toBe(2)
  await page.getByRole("combobox", { name: "Who" }).selectOption({ label: "local" })
  await page.getByRole("combobox", { name: "Started" }).selectOption("1h")
  await expect.poll(() => new URL(page.url()).search).toBe("?tool=ledger.org.main.items.create&principal=local&since=1h")
  await page.getByRole("combobox", { name: "Status" }).selectOption("cancelled")
  await page.getByRole("heading", { name: "No execution fits these filters" }).waitFor()
  await expectAccessible(page)
  await page.reload()
  await page.getByRole("heading", { name: "No execution fits these filters" }).waitFor()
  expect(await page.getByRole("combobox", { name: "Status" }).inputValue()).toBe("cancelled")

  await page.getByRole("combobox", { name: "Status" }).selectOption("paused")
  await row("items.create").waitFor()
  await grid.focus()
  await page.keyboard.press("Enter")
  await page.waitForURL(`**/executions/${paused.executionId}`)
  expect(problems).toEqual([])
  await context.close()
})

test("dark, on a phone, as somebody who may read little, and broken", async () => {
  const { page, context, problems } = await app.open("/executions", { theme: "dark" })
  await page.getByRole("row", { name: /Waiting/ }).waitFor()
  await expectAccessible(page)
  await keepShot(page, "executions-list-dark")
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSideScroll(page)
  await expectAccessible(page)
  await keepShot(page, "executions-list-phone")
  await context.route("**/api/executions?*", (route) =>
    route.fulfill({
      status: 500,
      headers: { "x-request-id": "req_1" },
      json: { error: { code: "internal", message: "The disk is full" } },
    }),
  )
  await page.reload()
  await page.getByRole("heading", { name: "This could not be loaded" }).waitFor()
  await page.getByText("Request req_1").waitFor()
  await expectAccessible(page)
  await keepShot(page, "executions-list-error")
  expect(problems.filter((text) => !text.includes("500"))).toEqual([])
  await context.close()

  const member = await app.open("/executions", { token: app.server.tokens.member })
  await member.page.getByRole("heading", { name: "Nothing has run yet" }).waitFor()
  await member.context.close()
})
