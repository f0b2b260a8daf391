// Agents that connect by consent: the official MCP client, a real browser, and a human who clicks.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Browser, Page } from "playwright-core"
import type { OutboundOpening } from "../../src/io/network/outbound.ts"
import { buildConsole, expectAccessible } from "../console/console.ts"
import { keepShot, keepShots, startStrictBrowser } from "./browser.ts"
import { addAuthenticator } from "./authenticator.ts"
import { startConsentClient } from "./consent-client.ts"
import type { ConsentClient } from "./consent-client.ts"
import { callTool } from "./mcp-client.ts"
import { startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"

const documentUrl = "https://client.example/oauth/metadata.json"
/** The internet, as far as a client's document is on it. */
const documents = new Map<string, unknown>()
const fetched: string[] = []

let server: McpTestServer
let browser: Browser
let page: Page
const problems: string[] = []
const clients: ConsentClient[] = []

beforeAll(async () => {
  buildConsole()
  server = await startMcpServer({
    outbound: {
      async open({ url }: OutboundOpening) {
        fetched.push(url)
        const body = new Response(JSON.stringify(documents.get(url))).body ?? new ReadableStream()
        return { ok: true, status: documents.has(url) ? 200 : 404, statusText: "", headers: {}, body }
      },
    },
  })
  browser = await startStrictBrowser()
  page = await (await browser.newContext()).newPage()
  page.on("pageerror", (error) => problems.push(error.message))
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await browser.close()
  await server.close()
})

async function newClient(name: string, options: { documentUrl?: string; path?: string } = {}): Promise<ConsentClient> {
  const client = await startConsentClient({ name, mcpUrl: `${server.url}${options.path ?? "/mcp"}`, ...options })
  clients.push(client)
  return client
}

async function consentUrlOf(client: ConsentClient): Promise<string> {
  const { consentUrl } = await client.connect()
  if (consentUrl === null) throw new Error("The client should have to ask")
  return consentUrl.href
}

async function connected(client: ConsentClient) {
  const answer = await client.connect()
  if (answer.client === null) throw new Error("The client should be connected")
  return answer.client
}

/** Each test may run alone. */
async function signIn(): Promise<void> {
  const { body } = await server.call("POST", "/api/sessions")
  await page.goto(`${server.url}/signin?code=${(body as { code: string }).code}`) // as documented
  await page.waitForURL("**/inbox")
}

type Token = { id: string; name: string; kind: string; client?: string | null; expiresAt?: string | null; elicitation: string[] }
const tokens = async (): Promise<Token[]> => ((await server.call("GET", "/api/tokens?limit=500")).body as { items: Token[] }).items
const code = `return (await tools.ledger.items.get({ name: "a" })).ok`

test("a client that registers itself: sign in, see who asks, allow, use, refresh, revoke", async () => {
  const claude = await newClient("Claude Code")
  const consentUrl = await consentUrlOf(claude)
  expect(claude.kept.client).toMatchObject({ client_id: expect.stringMatching(/^exo_/), token_endpoint_auth_method: "none" })

  await page.goto(consentUrl)
  await page.getByRole("heading", { name: "Sign in to connect a client" }).waitFor()
  expect(await page.getByRole("link", { name: "Sign in" }).getAttribute("href")).toMatch(/^\/signin\?return=%2Fauthorize%3F/)
  await keepShot(page, "consent-signed-out")

  // Signing in in another window is enough.
  const { body } = await server.call("POST", "/api/sessions")
  const other = await page.context().newPage()
  await other.goto(`${server.url}/signin?code=${(body as { code: string }).code}`)
  await other.waitForURL("**/inbox")
  await other.close()

  await page.getByRole("heading", { name: "Let Claude Code use your tools?" }).waitFor()
  await page.getByText("Signed in as local").waitFor()
  expect(await page.locator("[data-redirect-host]").innerText()).toBe(new URL(claude.redirectUri).host)
  await page.getByText("not verified").waitFor()
  expect(await page.getByLabel("Patterns", { exact: true }).isVisible()).toBe(false)
  await page.getByLabel(/match these patterns/).check()
  expect(await page.getByLabel("Patterns", { exact: true }).getAttribute("placeholder")).toBe("ledger.**")
  await keepShots(page, "consent-patterns")
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
  await page.getByLabel(/Everything that I can use/).check()
  await keepShot(page, "consent-offer")
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390)
  await keepShot(page, "consent-offer-narrow")
  await page.getByRole("button", { name: "Allow" }).click()
  await page.getByRole("heading", { name: "Back at the client" }).waitFor()
  const answer = await claude.finish()
  expect(answer.get("iss")).toBe(server.url)
  expect(answer.get("state")).toBe(claude.kept.state)

  const client = await connected(claude)
  const result = await callTool(client, "execute", { code })
  expect(result.structured).toMatchObject({ status: "completed" })
  const token = (await tokens()).find(({ name }) => name === "Claude Code")
  expect(token).toMatchObject({ kind: "agent", elicitation: ["browser"] })

  // It refreshes by itself when the access token no longer counts.
  const [first, refreshToken] = [claude.kept.tokens?.access_token, claude.kept.tokens?.refresh_token]
  claude.kept.tokens = { ...claude.kept.tokens, access_token: "exa_0.gone", token_type: "Bearer" }
  expect((await callTool(client, "execute", { code: "return 1" })).structured).toMatchObject({ status: "completed", result: 1 })
  expect(claude.kept.tokens?.access_token).not.toBe(first)
  expect(claude.kept.tokens?.refresh_token).not.toBe(refreshToken)

  expect((await server.call("DELETE", `/api/tokens/${token?.id}`)).status).toBe(204)
  const again = await claude.connect()
  expect(again.client).toBeNull()
  await client.close()
  expect(problems).toEqual([])
})

test("a client with a metadata document, narrowed by the human, with its own dialogs", async () => {
  await signIn()
  const cursor = await newClient("Cursor", { documentUrl })
  documents.set(documentUrl, {
    client_id: documentUrl,
    client_name: "Cursor",
    redirect_uris: ["http://127.0.0.1/callback"],
    token_endpoint_auth_method: "none",
  })
  await page.goto(await consentUrlOf(cursor))
  await page.getByRole("heading", { name: "Let Cursor use your tools?" }).waitFor()
  await page.getByText("the site client.example").waitFor()
  await page.getByLabel(/match these patterns/).check()
  await page.getByRole("textbox", { name: "Patterns" }).fill("desk.**\nledger.items.create")
  await page.getByLabel(/In its own dialogs/).check()
  await page.getByRole("button", { name: "Allow" }).click()
  await page.getByRole("heading", { name: "Back at the client" }).waitFor()
  await cursor.finish()
  expect(cursor.kept.client?.client_id).toBe(documentUrl)
  expect(fetched).toEqual([documentUrl])
  const client = await connected(cursor)
  // It sees what the patterns name, and nothing else of what its human sees.
  const seen = `return [(await tools.ledger.org.main.items.get({ name: "a" })).error?.code, (await tools.search({ query: "item" })).items.map(({ path }) => path)]`
  const [refusal, paths] = (await callTool(client, "execute", { code: seen })).structured.result as [string, string[]] // as the code says
  expect(refusal).toBe("tool_blocked")
  expect([...new Set(paths.map((path) => path.split(".").slice(-2).join(".")))]).toEqual(["items.create"])
  expect((await tokens()).find(({ name }) => name === "Cursor")).toMatchObject({ elicitation: ["browser", "native"] })
  await client.close()
})

test("the pass-through of one integration is asked for alone", async () => {
  await signIn()
  const client = await newClient("Direct", { path: "/mcp/direct/ledger" })
  await page.goto(await consentUrlOf(client))
  await page.getByText("the tools of ledger").waitFor()
  expect(await page.getByRole("textbox", { name: "Patterns" }).inputValue()).toBe("ledger.**")
  await page.getByRole("button", { name: "Allow" }).click()
  await page.getByRole("heading", { name: "Back at the client" }).waitFor()
  await client.finish()
  const mcp = await connected(client)
  expect((await mcp.listTools()).tools.length).toBeGreaterThan(0)
  await mcp.close()
})

test("a human who says no is heard", async () => {
  await signIn()
  const before = (await tokens()).length
  const client = await newClient("Nobody")
  await page.goto(await consentUrlOf(client))
  await page.getByRole("button", { name: "Deny" }).click()
  await page.getByRole("heading", { name: "Back at the client" }).waitFor()
  const answer = await client.finish()
  expect(Object.fromEntries(answer)).toMatchObject({ error: "access_denied", iss: server.url, state: client.kept.state })
  expect(await tokens()).toHaveLength(before)
})

test("a name is text, whatever it is written like, and the page is shown in no frame", async () => {
  await signIn()
  const name = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
  const client = await newClient(name)
  const url = await consentUrlOf(client)
  await page.goto(url)
  await page.getByRole("button", { name: "Allow" }).waitFor()
  expect(await page.locator("main img, main script").count()).toBe(0)
  expect(await page.title()).toBe("Connect a client – Executor")
  expect(await page.locator("h1").innerText()).toContain("<img src=x")
  const served = await fetch(url)
  expect(served.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
  expect(served.headers.get("x-frame-options")).toBe("DENY")
  const framing = await page.context().newPage()
  await framing.setContent(`<iframe src="${url}"></iframe>`)
  await framing.waitForLoadState("networkidle")
  expect(framing.frames().some((frame) => frame.url().startsWith(server.url))).toBe(false)
  await framing.close()
})

test("one's own role is granted alone, named once, with its id where that says more; one that allows everything is no choice", async () => {
  for (const [id, name, patterns] of [
    ["desk", "Desk <b>", ["desk.*"]],
    ["ledger", "ledger", ["ledger.**"]],
    ["all", "All", ["**"]],
  ])
    expect((await server.call("POST", "/api/roles", { body: { id, name, patterns } })).status).toBe(201)
  expect((await server.call("PATCH", "/api/users/member", { body: { roles: ["desk", "ledger", "all"] } })).status).toBe(200)
  const fresh = await (await browser.newContext()).newPage()
  const { body } = await server.call("POST", "/api/sessions", { token: server.tokens.member })
  await fresh.goto(`${server.url}/signin?code=${(body as { code: string }).code}`)
  await fresh.waitForURL("**/inbox")
  const client = await newClient("Narrow")
  await fresh.goto(await consentUrlOf(client))
  await fresh.getByText("Signed in as member").waitFor()
  expect(await fresh.locator("label").filter({ hasText: "Only what my role" }).allInnerTexts()).toEqual([
    "Only what my role Desk <b> (desk) allows now: desk.*",
    "Only what my role ledger allows now: ledger.**",
  ])
  await fresh.getByLabel(/my role ledger/).check()
  await keepShots(fresh, "consent-role")
  await fresh.getByRole("button", { name: "Allow" }).click()
  await fresh.getByRole("heading", { name: "Back at the client" }).waitFor()
  await client.finish()
  const { items } = (await server.call("GET", "/api/tokens?limit=500", { token: server.tokens.member })).body as {
    items: { name: string; patterns: string[] | null }[]
  }
  expect(items.find(({ name }) => name === "Narrow")?.patterns).toEqual(["ledger.**"])
})

test("buttons take no click that was meant for another window, and nothing of one human's choice is another's", async () => {
  await signIn()
  await page.goto(await consentUrlOf(await newClient("Guarded")))
  const allow = page.getByRole("button", { name: "Allow" })
  await expect.poll(() => allow.isEnabled()).toBe(true)
  // A click in the same moment as the window comes to the front.
  expect(
    await page.evaluate(`(() => {
      dispatchEvent(new Event("focus"))
      const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Allow")
      button.click()
      return button.disabled
    })()`),
  ).toBe(true)
  expect(await page.getByText("Connecting…").count()).toBe(0)
  await expect.poll(() => allow.isEnabled()).toBe(true)
  await page.getByLabel(/match these patterns/).check()
  await page.getByRole("textbox", { name: "Patterns" }).fill("mine.**")
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("heading", { name: "Sign in to connect a client" }).waitFor()
  const { body } = await server.call("POST", "/api/sessions", { token: server.tokens.colleague })
  const other = await page.context().newPage()
  await other.goto(`${server.url}/signin?code=${(body as { code: string }).code}`)
  await other.waitForURL("**/inbox")
  await other.close()
  await page.getByText("Signed in as colleague").waitFor()
  expect(await page.getByRole("textbox", { name: "Patterns" }).count()).toBe(0)
})

test("a request that is wrong, or whose parameter came twice, is stopped and grants nothing", async () => {
  await signIn()
  const client = await newClient("Wrong")
  const link = await consentUrlOf(client)
  const before = (await tokens()).length
  await page.goto(`${link}&state=`)
  await page.getByRole("alert").getByText("The client sent the parameter 'state' twice").waitFor()
  await page.getByText("Nothing was granted.").waitFor()
  await keepShots(page, "consent-stopped")
  expect(await page.getByRole("button", { name: /Allow|Deny/ }).count()).toBe(0)
  await page.goto(link.replace("response_type=code", "response_type=token"))
  await page.getByText("It sent a request that this server does not accept: response_type must be 'code'.").waitFor()
  expect(await page.getByRole("link", { name: /Back to the client at/ }).getAttribute("href")).toContain(`${client.redirectUri}?error=`)
  await keepShots(page, "consent-problem")
  expect(await page.getByRole("button", { name: /Allow|Deny/ }).count()).toBe(0)
  expect(await tokens()).toHaveLength(before)
})

test("signing in leads back to the consent, and to no other site", async () => {
  const path = (await consentUrlOf(await newClient("Returning"))).slice(server.url.length)
  const visit = async (back: string): Promise<Page> => {
    const { body } = await server.call("POST", "/api/sessions")
    const fresh = await (await browser.newContext()).newPage()
    await fresh.goto(`${server.url}/signin?code=${(body as { code: string }).code}&return=${encodeURIComponent(back)}`)
    return fresh
  }
  await (await visit(path)).getByRole("heading", { name: "Let Returning use your tools?" }).waitFor()
  for (const back of [
    "//evil.example/",
    "/\\evil.example/",
    "https://evil.example/",
    "/\t/evil.example/",
    "javascript:alert(1)",
    "@evil.example",
  ]) {
    const fresh = await visit(back)
    await fresh.waitForURL((url) => url.pathname !== "/signin")
    expect([back, new URL(fresh.url()).origin]).toEqual([back, server.url])
  }
})

test("whoever has a passkey signs in with it on the way, and is led back to the consent", async () => {
  const home = server.url.replace("127.0.0.1", "localhost")
  const path = (await consentUrlOf(await newClient("Keyed"))).slice(server.url.length)
  const fresh = await (await browser.newContext()).newPage()
  await addAuthenticator(fresh)
  const { body } = await server.call("POST", "/api/sessions")
  await fresh.goto(`${home}/signin?code=${(body as { code: string }).code}&next=/passkeys`) // as documented
  await fresh.getByRole("button", { name: "Add a passkey" }).click()
  await fresh.getByRole("list", { name: "Passkeys" }).getByRole("listitem").waitFor()
  await fresh.getByRole("button", { name: "Sign out" }).click()
  await fresh.waitForURL("**/signin")
  await fresh.goto(`${home}${path}`)
  await fresh.getByRole("link", { name: "Sign in" }).click()
  await fresh.getByRole("button", { name: "Sign in with a passkey" }).click()
  await fresh.getByRole("heading", { name: "Let Keyed use your tools?" }).waitFor()
})
