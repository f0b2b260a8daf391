// The first page that a person sees: empty with its first steps, and with something that waits and ran.
import { afterAll, beforeAll, expect, test } from "vitest"
import { keepShot } from "../e2e/browser.ts"
import { createItem, startMcpServer } from "../e2e/mcp-server.ts"
import type { McpTestServer } from "../e2e/mcp-server.ts"
import type { Console } from "./console.ts"
import { expectAccessible, expectNoSideScroll, startConsole, startConsoleOf } from "./console.ts"

let app: Console<McpTestServer>
beforeAll(async () => {
  app = await startConsoleOf(startMcpServer)
})
afterAll(() => app.close())

test("a new server shows the first steps, in both themes and on a phone", async () => {
  const fresh = await startConsole()
  for (const [theme, width] of [
    ["light", 1280],
    ["dark", 390],
  ] as const) {
    const { page, context, problems } = await fresh.open("/", { theme, width })
    await page.getByRole("heading", { name: "First steps" }).waitFor()
    await page.getByText("Nothing waits for you.").waitFor()
    await page.getByText("Nothing has run yet.").waitFor()
    await expectAccessible(page)
    await expectNoSideScroll(page)
    await keepShot(page, `home-empty-${theme}`)
    expect(problems).toEqual([])
    await context.close()
  }
  await fresh.close()
})

test("what waits and what ran appear by themselves, as text, and lead on", async () => {
  const { page, context, problems } = await app.open("/", { theme: "dark" })
  await page.getByText("Nothing waits for you.").waitFor()
  const code = `// <img src=x onerror=alert(1)>\u202e\n${createItem("home")}`
  await app.server.run(code, { token: app.server.tokens.agent })
  await page.getByRole("link", { name: "1 call waits for your answer" }).waitFor()
  const ran = page.getByRole("region", { name: "What ran" })
  await ran.getByText("// <img src=x onerror=alert(1)>\\u202e").waitFor()
  expect(await ran.locator("img").count()).toBe(0)
  expect(await page.getByRole("heading", { name: "First steps" }).count()).toBe(0)
  await expectAccessible(page)
  await keepShot(page, "home-dark")
  await page.getByRole("link", { name: "1 call waits for your answer" }).click()
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor()
  expect(problems).toEqual([])
  await context.close()
})
