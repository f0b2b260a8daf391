// The inbox in a real browser: what waits, the table of what differs, answering by mouse, keys and phone, and answers given elsewhere.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Page } from "playwright-core"
import { keepShot } from "../e2e/browser.ts"
import { createItem, startMcpServer } from "../e2e/mcp-server.ts"
import type { McpTestServer } from "../e2e/mcp-server.ts"
import type { Console } from "./console.ts"
import { expectAccessible, expectNoSideScroll, startConsoleOf } from "./console.ts"

let app: Console<McpTestServer>
beforeAll(async () => {
  app = await startConsoleOf(startMcpServer)
})
afterAll(() => app.close())

async function pause(code: string): Promise<{ executionId: string; approvalIds: string[] }> {
  const { executionId, structured } = await app.server.run(code, { token: app.server.tokens.agent })
  const approvalIds = structured.status === "waiting_for_interaction" ? structured.interactions.map((one) => one.approvalId) : []
  return { executionId, approvalIds }
}

/** The browser waits for a card that has just appeared to take an answer. */
async function press(page: Page, name: string | RegExp, isDone: () => Promise<unknown>): Promise<void> {
  await page.getByRole("button", { name, exact: typeof name === "string" }).click()
  await isDone()
}

test("empty, in both themes and on a phone", async () => {
  for (const theme of ["light", "dark"] as const) {
    const { page, context, problems } = await app.open("/inbox", { theme, width: theme === "dark" ? 390 : 1280 })
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor()
    await expectAccessible(page)
    await expectNoSideScroll(page)
    await keepShot(page, `inbox-empty-${theme}`)
    expect(problems).toEqual([])
    await context.close()
  }
})

test("what begins to wait appears by itself, with all that is needed to answer it, and all of it as text", async () => {
  const { page, context, problems } = await app.open("/inbox")
  await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor()
  const hostile = `<img src=x onerror=alert(1)>"'&\u202e\u0007`
  const { approvalIds } = await pause(`const name = ${JSON.stringify(hostile)}\nreturn await tools.ledger.items.create({ name })`)
  const call = page.getByRole("region", { name: "The call" })
  await call.getByText("ledger.org.main.items.create").waitFor()
  await expect.poll(() => page.title()).toBe("1 waiting – Inbox – Executor")
  const text = await call.innerText()
  for (const part of [
    "<img src=x onerror=alert(1)>",
    "\\u202e\\u0007",
    "▲ Changes data",
    "shared by the organization",
    "No rule matches this call",
    "This line asks:",
  ])
    expect(text).toContain(part)
  for (const hidden of ["\u0007", "\u202e"]) expect(text).not.toContain(hidden)
  expect(await call.locator("img").count()).toBe(0)
  expect(await page.evaluate("document.activeElement?.tagName")).not.toBe("BUTTON")
  await expectAccessible(page)
  await keepShot(page, "inbox-one-light")
  await press(page, "Approve", () => page.getByText("Approved 1 call.").first().waitFor())
  await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor()
  expect(app.server.writes()).toContain(hostile)
  const again = await app.server.call("POST", `/api/approvals/${approvalIds[0]}`, { body: { action: "decline" } })
  expect(again.status).toBe(409)
  expect(problems).toEqual([])
  await context.close()
})

test("equal calls are one table of what differs: ticked rows are approved, the rest stays", async () => {
  const { executionId } = await pause(`return await Promise.all(["g-1", "g-2", "g-3"].map((name) => tools.ledger.items.create({ name })))`)
  const { page, context, problems } = await app.open("/inbox", { theme: "dark" })
  await page.getByRole("heading", { name: /items\.create × 3/ }).waitFor()
  const table = page.getByRole("region", { name: "Calls" })
  expect(await table.getByRole("columnheader").allInnerTexts()).toEqual(expect.arrayContaining(["name", "Asked by"]))
  await expect.poll(() => table.getByRole("row").count()).toBe(4)
  const code = page.getByRole("region", { name: "Code that asks" })
  await code.getByRole("heading", { name: "What asks, line 1" }).waitFor()
  expect(await code.getByText("This line asks:").count()).toBe(1)
  // Two more of another execution: each row links its own, and the facts below tell only what is the same of what is ticked.
  await table.getByRole("checkbox", { name: "Call 2" }).uncheck()
  const other = await pause(`return await Promise.all(["g-4", "g-5"].map((name) => tools.ledger.items.create({ name })))`)
  await expect.poll(() => table.getByRole("link", { name: `exe_…${other.executionId.slice(-5)}` }).count()).toBe(2)
  expect(await table.getByRole("link", { name: `exe_…${executionId.slice(-5)}` }).count()).toBe(3)
  // What comes in while somebody looks is not approved by their click, and what they chose stays.
  await page.getByText("2 calls are new here, and not ticked.").waitFor()
  const ticks = (): Promise<boolean[]> =>
    Promise.all([1, 2, 3, 4, 5].map((number) => table.getByRole("checkbox", { name: `Call ${number}` }).isChecked()))
  expect(await ticks()).toEqual([true, false, true, false, false])
  await page.getByRole("button", { name: "Approve 2 calls" }).waitFor()
  await table.getByRole("checkbox", { name: "All calls" }).check()
  expect(await ticks()).toEqual([true, true, true, true, true])
  expect(await page.getByRole("link", { name: executionId, exact: true }).count()).toBe(0)
  await code.getByText("The ticked calls come from 2 places in code.").waitFor()
  await expectAccessible(page)
  await keepShot(page, "inbox-group-dark")
  await app.server.call("POST", `/api/executions/${other.executionId}/cancel`, { token: app.server.tokens.agent })
  await page.getByRole("link", { name: executionId, exact: true }).waitFor()
  await expect.poll(() => table.getByRole("row").count()).toBe(4)
  await table.getByRole("checkbox", { name: "Call 2" }).uncheck()
  await press(page, "Approve 2 calls", () => page.getByText("Approved 2 calls.").first().waitFor())
  const goesOn = page.getByRole("region", { name: "Messages" }).getByRole("link", { name: "See the execution" })
  expect(await goesOn.getAttribute("href")).toBe(`/executions/${executionId}`)
  await page.getByRole("region", { name: "The call" }).getByText('"g-2"', { exact: true }).waitFor()
  await press(page, "Decline", () => page.getByText("Declined 1 call.").first().waitFor())
  await expect.poll(() => app.server.writes().filter((name) => name.startsWith("g-"))).toEqual(["g-1", "g-3"])
  const { body } = await app.server.call("GET", `/api/executions/${executionId}`, { token: app.server.tokens.agent })
  expect(body).toMatchObject({ status: "completed" })
  expect(problems).toEqual([])
  await context.close()
})

test("keys choose and answer, and an answer given in another browser shows at once", async () => {
  const first = await pause(createItem("k-1"))
  const second = await pause(`return await tools.ledger.items.remove({ name: "k-2" })`)
  const [one, two] = [await app.open("/inbox"), await app.open("/inbox")]
  const chosen = (page: Page): Promise<string> => page.getByRole("list", { name: "What waits" }).locator("[aria-current=true]").innerText()
  await one.page.getByRole("region", { name: "The call" }).getByText('"k-1"', { exact: true }).waitFor()
  await one.page.keyboard.press("j")
  await expect.poll(() => chosen(one.page)).toContain("items.remove")
  await one.page.getByText("✕ Deletes or overwrites").first().waitFor()
  await one.page.keyboard.press("k")
  await expect.poll(() => chosen(one.page)).toContain("items.create")
  await expect
    .poll(async () => {
      await one.page.keyboard.press("a")
      return app.server.writes().includes("k-1")
    })
    .toBe(true)
  await expect.poll(() => two.page.getByRole("list", { name: "What waits" }).innerText()).not.toContain("items.create")
  await two.page.goto(`${app.server.url}/inbox?approval=${second.approvalIds[0]}`)
  await two.page.getByRole("heading", { name: /items\.remove/ }).waitFor()
  await app.server.call("POST", `/api/approvals/${second.approvalIds[0]}`, { body: { action: "decline" } })
  await two.page.getByRole("heading", { level: 2, name: "Declined" }).waitFor()
  expect(first.approvalIds).toHaveLength(1)
  expect([...one.problems, ...two.problems]).toEqual([])
  await one.context.close()
  await two.context.close()
})

test("what somebody else answered stays in sight with who did, until another call is chosen", async () => {
  const first = await pause(createItem("e-1"))
  await pause(`return await tools.ledger.items.remove({ name: "e-2" })`)
  const { page, context, problems } = await app.open("/inbox")
  const call = page.getByRole("region", { name: "The call" })
  await call.getByText('"e-1"', { exact: true }).waitFor()
  await app.server.call("POST", `/api/approvals/${first.approvalIds[0]}`, { body: { action: "decline" } })
  await page.getByRole("heading", { level: 2, name: "Declined" }).waitFor()
  await call.getByText("By local, ").waitFor()
  await expectAccessible(page)
  await keepShot(page, "inbox-answered-elsewhere")
  expect(await page.getByRole("list", { name: "What waits" }).getByRole("listitem").count()).toBe(1)
  expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0)
  await call.getByText("1 more call waits for you.").waitFor()
  await page.keyboard.press("j")
  await call.getByText('"e-2"', { exact: true }).waitFor()
  await press(page, "Decline", () => page.getByText("Declined 1 call.").first().waitFor())
  expect(problems).toEqual([])
  await context.close()
})

test("a key answers only what is in sight: nothing below a dialog, and nothing beside the list of a narrow screen", async () => {
  const { executionId } = await pause(createItem("below"))
  const { page, context, problems } = await app.open("/inbox")
  await page.getByText('"below"', { exact: true }).waitFor()
  const approve = page.getByRole("button", { name: "Approve" })
  await expect.poll(() => approve.getAttribute("aria-disabled")).toBe("false")
  await page.keyboard.press("?")
  const keys = page.getByRole("dialog", { name: "Keys" })
  await keys.waitFor()
  await page.keyboard.press("a")
  await page.keyboard.press("Escape")
  await keys.waitFor({ state: "detached" })
  await page.setViewportSize({ width: 600, height: 844 })
  await approve.waitFor({ state: "hidden" })
  await page.keyboard.press("a")
  // Held down, it is one answer.
  await page.setViewportSize({ width: 1280, height: 844 })
  await approve.waitFor()
  await page.evaluate(`document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "a", repeat: true, bubbles: true }))`)
  const state = async () => (await app.server.call("GET", `/api/executions/${executionId}`, { token: app.server.tokens.agent })).body
  expect(await state()).toMatchObject({ status: "paused" })
  expect(app.server.writes()).not.toContain("below")
  await page.keyboard.press("a")
  await expect.poll(() => app.server.writes()).toContain("below")
  expect(problems).toEqual([])
  await context.close()
})

test("on a phone: a list, then one call with large buttons; long arguments are opened before anything is approved", async () => {
  const { executionId } = await pause(`return await tools.ledger.items.create({ name: "x".repeat(50_000) + "END" })`)
  const { page, context } = await app.open("/inbox", { width: 390 })
  await page.getByRole("list", { name: "What waits" }).getByRole("button").first().click()
  const approve = page.getByRole("button", { name: "Approve" })
  await page.getByText("Show all arguments first.").waitFor()
  expect(await approve.getAttribute("aria-disabled")).toBe("true")
  expect((await approve.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await expectNoSideScroll(page)
  await keepShot(page, "inbox-phone-long")
  await page.getByRole("button", { name: /Show all 50,0\d\d characters/ }).click()
  await expect.poll(() => approve.getAttribute("aria-disabled")).toBe("false")
  expect(await page.getByRole("region", { name: "The call" }).innerText()).toContain("xEND")
  await expectAccessible(page)
  await app.server.call("POST", `/api/executions/${executionId}/cancel`, { token: app.server.tokens.agent })
  await context.close()
})

test("a tool's question is quoted as a stranger's, and its form says what is missing", async () => {
  await pause("return (await tools.desk.names.ask({})).data")
  const { page, context, problems } = await app.open("/inbox")
  await page.getByText("This text is written by the integration, not by Executor.").waitFor()
  await press(page, "Send", () => page.getByText("This is required.").waitFor())
  await expectAccessible(page)
  await keepShot(page, "inbox-form")
  await page.getByRole("textbox", { name: "Name" }).fill("Ann")
  await press(page, "Send", () => page.getByText("Sent the answer.").first().waitFor())
  expect(problems).toEqual([])
  await context.close()
})

test("a failing server is said, with the request and a way to try again; the agent's token opens nothing", async () => {
  const { page, context } = await app.open("/inbox")
  await page.route("**/api/approvals?*", (route) =>
    route.fulfill({
      status: 500,
      headers: { "x-request-id": "req_x1" },
      json: { error: { code: "internal", message: "The server failed" } },
    }),
  )
  await page.reload()
  await page.getByRole("alert").getByText("The server failed").waitFor({ timeout: 60_000 })
  await page.getByText("Request req_x1").waitFor()
  await expectAccessible(page)
  await page.unroute("**/api/approvals?*")
  await page.getByRole("button", { name: "Try again" }).click()
  await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor()
  await context.close()
})
