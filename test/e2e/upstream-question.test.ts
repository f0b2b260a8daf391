// An upstream's question never looks like Executor's own: wherever it is shown, it says who asks, quotes their words, and shows where links lead.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Browser, Page } from "playwright-core"
import { definePlugin } from "../../src/plugin/define.ts"
import { startMcpFixture } from "../servers/mcp-fixture.ts"
import type { McpFixture } from "../servers/mcp-fixture.ts"
import { buildConsole } from "../console/console.ts"
import { keepShot, startStrictBrowser } from "./browser.ts"
import { openCli } from "./cli-run.ts"
import { callTool, connectMcp, eras, textOf } from "./mcp-client.ts"
import { startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { z } from "zod"

const phishing = "Executor: your session has expired.\nPlease enter your Executor token to continue."
const source = 'The integration "asks" (connection org.main)'
const warning = "Executor never asks for passwords or tokens"
const homograph = "https://\u0430pple.com/signin?next=1"
const userInfo = "https://127.0.0.1:24101@evil.example/signin"

const ask = `return await tools.asks.test_elicitation({ message: ${JSON.stringify(phishing)} })`
const visit = (url: string): string => `return await tools.asks.ask_url({ url: ${JSON.stringify(url)} })`

const contactForm = { type: "object", properties: { mail: { type: "string", format: "email", title: "Email" } }, required: ["mail"] }

const opener = definePlugin({
  id: "opener",
  name: "Opener",
  description: "Asks to open a link.",
  tools: [
    {
      path: "opener.pages.open",
      name: "Open Page",
      description: "Asks to open any page",
      inputSchema: z.object({ url: z.string() }),
      destructive: false,
      handler: (ctx, { url }) => ctx.elicit({ message: "Please sign there", url }),
    },
    {
      path: "opener.contacts.ask",
      name: "Ask Contact",
      description: "Asks for an address",
      inputSchema: z.object({}),
      destructive: false,
      handler: (ctx) => ctx.elicit({ message: "How are you reached?", requestedSchema: contactForm }),
    },
  ],
})

let fixture: McpFixture
let server: McpTestServer
let browser: Browser
let page: Page
beforeAll(async () => {
  fixture = await startMcpFixture()
  server = await startMcpServer({ plugins: [opener] })
  await server.call("POST", "/api/integrations", { body: { slug: "asks", kind: "mcp", config: { transport: "http", url: fixture.url } } })
  await server.call("POST", "/api/connections", { body: { integration: "asks" } })
  buildConsole()
  browser = await startStrictBrowser()
  page = await browser.newPage()
  const { body } = await server.call("POST", "/api/sessions")
  await page.goto(`${server.url}/signin?code=${(body as { code: string }).code}&next=/inbox`) // as documented
  await page.waitForURL(`${server.url}/inbox`)
})
afterAll(async () => {
  await browser.close()
  await server.close()
  await fixture.close()
})

const pause = async (code: string): Promise<string> => (await server.run(code, { token: server.tokens.agent })).executionId

describe("in the browser", () => {
  test("the page names the integration, and sets its words apart from our own headlines", async () => {
    const executionId = await pause(ask)
    await page.goto(`${server.url}/approve/${executionId}`)
    await page.getByText(`${source} asks:`).waitFor()
    for (const heading of await page.getByRole("heading").allInnerTexts()) expect(heading).not.toContain("session has expired")
    expect(await page.locator("blockquote").innerText()).toBe(phishing)
    expect(await page.locator("main").innerText()).toContain(warning)
    await keepShot(page, "question-form")
    await page.goto(`${server.url}/inbox`)
    const row = page.getByRole("list", { name: "What waits" }).getByRole("listitem").filter({ hasText: source })
    expect(await row.innerText()).toContain(`${source} asks`)
    expect(await row.innerText()).not.toContain("session has expired")
  })

  test("a link is shown by its real host, with a caution where that imitates letters", async () => {
    await page.goto(`${server.url}/approve/${await pause(visit(homograph))}`)
    const link = page.getByRole("link", { name: "xn--pple-43d.com/signin" })
    expect(await link.getAttribute("href")).toBe("https://xn--pple-43d.com/signin?next=1")
    const text = await page.getByRole("region", { name: "The call" }).innerText()
    expect(text).toContain("outside ASCII")
    expect(text).not.toContain("\u0430pple")
    await keepShot(page, "question-url")
  })
})

test("a field that is filled in wrongly is told apart from one that is missing", async () => {
  await page.goto(`${server.url}/approve/${await pause("return await tools.opener.contacts.ask({})")}`)
  const field = page.getByRole("textbox", { name: "Email" })
  const send = page.getByRole("button", { name: "Send" })
  await send.click()
  await page.getByText("This is required.", { exact: true }).waitFor()
  await field.fill("not an address")
  await send.click()
  await page.getByText("This must be an email address, such as ann@example.com.", { exact: true }).waitFor()
  expect(await field.getAttribute("aria-invalid")).toBe("true")
  await field.fill("ann@example.com")
  await send.click()
  await page.getByRole("heading", { name: "Done" }).waitFor()
})

test("in the API, over MCP and on the command line it says the same", async () => {
  const expected = [`${source} asks:`, "> Executor: your session has expired.", "> Please enter your Executor token to continue.", warning]
  const paused = await server.run(ask, { token: server.tokens.agent })
  for (const part of expected) expect(paused.text).toContain(part)
  const client = await connectMcp(server.mcpUrl, { era: "modern", token: server.tokens.agent })
  const overMcp = textOf(await callTool(client, "execute", { code: ask }))
  for (const part of expected) expect(overMcp).toContain(part)
  const link = textOf(await callTool(client, "execute", { code: visit(homograph) }))
  for (const part of ["It leads to xn--pple-43d.com/signin", "https://xn--pple-43d.com/signin?next=1", "Caution: "])
    expect(link).toContain(part)
  expect(link).not.toContain("> https")
  await client.close()
  const dataDir = mkdtempSync(join(tmpdir(), "executor-question-"))
  const env = { EXECUTOR_ORIGIN: `${server.url}/api`, EXECUTOR_TOKEN: server.tokens.human }
  const shown = await openCli(dataDir).run(["approvals", "show", approvalOf(paused)], { env })
  for (const part of expected) expect(shown.stdout).toContain(part)
  rmSync(dataDir, { recursive: true })
})

const approvalOf = ({ structured }: Awaited<ReturnType<McpTestServer["run"]>>): string =>
  structured.status === "waiting_for_interaction" ? (structured.interactions[0]?.approvalId ?? "") : ""

describe.each(eras)("a client of the %s era that asks its human itself", (era) => {
  test.each(["", "/direct/asks"])("is told who asks at /mcp%s", async (path) => {
    const asked: string[] = []
    const client = await connectMcp(`${server.mcpUrl}${path}?elicitation_mode=native`, {
      era,
      token: await server.agent("browser", "native"),
      human(params) {
        asked.push(params.message)
        return { action: "decline" }
      },
    })
    await (path === ""
      ? callTool(client, "execute", { code: ask })
      : client.callTool({ name: "test_elicitation", arguments: { message: phishing } }))
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatch(/^The integration "asks" \(connection org.main\) asks:\n> Executor: your session has expired\.\n> Please/)
    expect(asked[0]).toContain(warning)
    await client.close()
  })
})

describe("a link that hides its host behind a user name", () => {
  test("is refused to the server that asks, and nobody is shown it", async () => {
    const before = await waiting()
    const { structured } = await server.run(visit(userInfo), { token: server.tokens.agent })
    expect(JSON.stringify(structured)).toContain("without a user name or password")
    expect(await waiting()).toBe(before)
  })

  test("is refused to an older server in answer to its request", async () => {
    const older = await startMcpFixture({ revisions: "legacy" })
    await server.call("POST", "/api/integrations", { body: { slug: "older", kind: "mcp", config: { transport: "http", url: older.url } } })
    await server.call("POST", "/api/connections", { body: { integration: "older" } })
    const { structured } = await server.run(visit(userInfo).replace("asks", "older"), { token: server.tokens.agent })
    expect(JSON.stringify(structured)).toContain("without a user name or password")
    await older.close()
  })

  test("is refused to a plugin", async () => {
    const { structured } = await server.run(`return await tools.opener.pages.open({ url: ${JSON.stringify(userInfo)} })`)
    expect(JSON.stringify(structured)).toContain("without a user name or password")
  })

  const waiting = async (): Promise<number> => ((await server.call("GET", "/api/approvals")).body as { items: unknown[] }).items.length // as documented
})
