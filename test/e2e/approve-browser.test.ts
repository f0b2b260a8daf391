// The approval page in a real browser: from the link to the answer, without a mouse and in the dark.
import { mkdirSync } from "node:fs"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { startStrictBrowser } from "./browser.ts"
import { createItem, startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"

let server: McpTestServer
let browser: Browser
let context: BrowserContext
const problems: string[] = []

beforeAll(async () => {
  server = await startMcpServer()
  browser = await startStrictBrowser()
  context = await browser.newContext({ colorScheme: "dark" })
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

async function newPage(): Promise<Page> {
  const page = await context.newPage()
  page.on("console", (message) => (message.type() === "error" ? problems.push(message.text()) : undefined))
  page.on("pageerror", (error) => problems.push(error.message))
  return page
}

async function pause(code: string): Promise<string> {
  return (await server.run(code, { token: server.tokens.agent })).executionId
}

test("a link signs in once, and leads to what waits", async () => {
  const executionId = await pause(createItem("first"))
  const { body } = await server.call("POST", "/api/sessions")
  const link = `${server.url}/signin?code=${(body as { code: string }).code}&next=/approve/${executionId}`
  const page = await newPage()
  await page.goto(link)
  await page.waitForURL((url) => url.pathname === `/approve/${executionId}`)
  expect(await page.locator("h1").innerText()).toBe("A call waits for you")
  expect(await page.evaluate("document.cookie")).toBe("")
  await shot(page)
  await page.getByRole("button", { name: "Approve" }).press("Enter")
  await page.getByRole("heading", { name: "Done" }).waitFor()
  expect(await page.locator("pre").first().innerText()).toContain("first")
  expect(server.writes()).toContain("first")
  expect(problems).toEqual([])
  const other = await (await browser.newContext()).newPage()
  await other.goto(link)
  await other.getByText("used already").waitFor()
})

test("declining, remembering and several at once", async () => {
  const page = await newPage()
  await page.goto(`${server.url}/approve/${await pause(`return await tools.ledger.items.create({ name: "no" })`)}`)
  await page.getByRole("button", { name: "Decline" }).click()
  await page.getByText("approval_declined").waitFor()
  const all = `return await Promise.all(["a1", "a2"].map((name) => tools.ledger.items.create({ name }).unwrap()))`
  await page.goto(`${server.url}/approve/${await pause(all)}`)
  await page.getByRole("button", { name: "Approve all 2" }).first().click()
  await page.getByRole("heading", { name: "Done" }).waitFor()
  const loop = `for (const name of ["r1", "r2", "r3"]) await tools.ledger.items.create({ name }).unwrap(); return "looped"`
  await page.goto(`${server.url}/approve/${await pause(loop)}`)
  await page.getByLabel(/rest of this execution/).check()
  await page.getByRole("button", { name: "Approve" }).click()
  await page.getByRole("heading", { name: "Done" }).waitFor()
  expect(server.writes()).toEqual(expect.arrayContaining(["a1", "a2", "r1", "r2", "r3"]))
  expect(server.writes()).not.toContain("no")
  expect(problems).toEqual([])
})

test("a form is filled in, and what does not fit is said", async () => {
  const page = await newPage()
  await page.goto(`${server.url}/approve/${await pause("return (await tools.desk.names.ask({})).data")}`)
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByText("fill in what is missing").waitFor()
  await page.getByRole("textbox", { name: "Name" }).fill("Ann")
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByRole("heading", { name: "Done" }).waitFor()
  expect(await page.locator("pre").first().innerText()).toContain("Ann")
  expect(problems).toEqual([])
})

test("arguments and code are shown to their last character", async () => {
  const page = await newPage()
  const long = `return await tools.ledger.items.create({ name: "${"x".repeat(3000)}END" })`
  await page.goto(`${server.url}/approve/${await pause(long)}`)
  const cut = `[...document.querySelectorAll("pre")].filter((pre) => pre.scrollWidth > pre.clientWidth || pre.scrollHeight > pre.clientHeight).length`
  expect(await page.locator("pre").count()).toBe(2)
  expect(await page.evaluate(cut)).toBe(0)
  await page.close()
})

test("signing out ends it", async () => {
  const page = await newPage()
  await page.goto(`${server.url}/approve`)
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("heading", { name: "Sign in to answer" }).waitFor()
})

/** For people who change the page: `EXECUTOR_TEST_SHOTS=<directory>` keeps what it looks like. */
async function shot(page: Page): Promise<void> {
  const directory = process.env["EXECUTOR_TEST_SHOTS"]
  if (directory === undefined) return
  mkdirSync(directory, { recursive: true })
  await page.screenshot({ path: `${directory}/approve.png`, fullPage: true })
}
