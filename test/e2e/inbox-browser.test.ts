// The inbox in a real browser: an open tab shows what begins to wait, says how much, and leads from one question to the next.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { buildConsole } from "../console/console.ts"
import { keepShot, startStrictBrowser } from "./browser.ts"
import { createItem, startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"
import { startProduct } from "./product.ts"

let server: McpTestServer
let browser: Browser
let context: BrowserContext
beforeAll(async () => {
  buildConsole()
  server = await startMcpServer()
  browser = await startStrictBrowser()
  context = await browser.newContext()
  const page = await context.newPage()
  const { body } = await server.call("POST", "/api/sessions")
  await page.goto(`${server.url}/signin?code=${(body as { code: string }).code}&next=/inbox`) // as documented
  await page.waitForURL(`${server.url}/inbox`)
  await page.close()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

const pause = async (name: string): Promise<string> => (await server.run(createItem(name), { token: server.tokens.agent })).executionId

async function openInbox(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${server.url}/inbox`)
  await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor()
  return page
}

test("what begins to wait appears in every open tab, with a count in the title; answers lead to the next", async () => {
  const tabs = [await openInbox(), await openInbox()] as const
  for (const tab of tabs) await expect.poll(() => tab.title()).toBe("Inbox – Executor")
  const requests: string[] = []
  tabs.forEach((tab) => tab.on("request", (request) => requests.push(request.url())))
  const first = await pause("live-1")
  for (const tab of tabs) {
    await tab.getByRole("region", { name: "The call" }).getByText('"live-1"', { exact: true }).waitFor()
    await expect.poll(() => tab.title()).toBe("1 waiting – Inbox – Executor")
  }
  const others = [await pause("live-2"), await pause("live-3")]
  for (const tab of tabs) await tab.getByRole("heading", { name: /items\.create × 3/ }).waitFor()
  // Each change is read once or twice, call by call; between changes nothing is asked.
  expect(requests.length).toBeLessThan(60)
  await keepShot(tabs[0], "inbox-live")

  await tabs[0].goto(`${server.url}/approve/${first}`)
  await tabs[0].getByRole("button", { name: "Approve", exact: true }).click()
  await tabs[0].getByRole("heading", { name: "Done" }).waitFor()
  await tabs[0].getByText("2 more calls wait for you.").waitFor()
  await keepShot(tabs[0], "inbox-next")
  await tabs[1].getByRole("heading", { name: /items\.create × 2/ }).waitFor()
  await tabs[0].getByRole("link", { name: "Go to the next one" }).click()
  await tabs[0].getByRole("region", { name: "The call" }).getByText('"live-2"', { exact: true }).waitFor()
  await tabs[0].getByRole("button", { name: "Decline", exact: true }).click()
  await tabs[0].getByText("1 more call waits for you.").waitFor()
  // Answered elsewhere: the page that tells what else waits hears of it too.
  await server.approve(others[1] ?? "")
  for (const tab of tabs) await tab.getByText("Nothing else waits for you").waitFor()
  // What was open there when somebody else answered it stays in sight.
  await tabs[1].getByRole("heading", { level: 2, name: /^(?:Approved|All of these were answered)$/ }).waitFor()
  await Promise.all(tabs.map((tab) => tab.close()))
})

test("a tab takes over the stream when the one that had it closes", async () => {
  const [holder, heir] = [await openInbox(), await openInbox()]
  await holder.close()
  const executionId = await pause("inherited")
  await heir.getByText('"inherited"', { exact: true }).waitFor()
  await server.approve(executionId)
  await heir.getByRole("heading", { level: 2, name: "Approved" }).waitFor()
  await heir.close()
})

test("a stream says at once that it is there, and then only what its reader may see", async () => {
  const stop = new AbortController()
  const open = async (token: string) => {
    const response = await fetch(`${server.url}/api/approvals/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: stop.signal,
    })
    let text = ""
    const read = async (): Promise<void> => {
      for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk)
    }
    void read().catch(() => {})
    return () => text.split("event: approvals").length - 1
  }
  const [human, stranger] = [await open(server.tokens.human), await open(server.tokens.stranger)]
  await expect.poll(human).toBe(1)
  await expect.poll(stranger).toBe(1)
  const executionId = await pause("seen")
  await expect.poll(human).toBeGreaterThan(1)
  await server.approve(executionId)
  await expect.poll(human).toBeGreaterThan(2)
  expect(stranger()).toBe(1)
  stop.abort()
})

test("an open inbox says when Executor has stopped, and goes on when it runs again", async () => {
  const before = await startProduct()
  const { port } = new URL(before.url)
  const page = await context.newPage()
  const { code } = await before.client.sessions.create()
  await page.goto(`${before.url}/signin?code=${code}`)
  await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor()
  await before.kill("SIGTERM")
  await page.getByRole("status").getByText("Not live: reconnecting…").waitFor({ timeout: 60_000 })
  const after = await startProduct({ dataDir: before.dataDir, args: ["--port", port] })
  await page.getByText("Not live: reconnecting…").waitFor({ state: "hidden", timeout: 60_000 })
  await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor()
  await page.close()
  await after.stop()
})
