// The approval page in a real browser: from the link to the answer, without a mouse and in the dark.
import { createServer } from "node:http"
import type { IncomingMessage } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { listen } from "../servers/listen.ts"
import { keepShot, startStrictBrowser } from "./browser.ts"
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

async function signInLink(next: string): Promise<string> {
  const { body } = await server.call("POST", "/api/sessions")
  return `${server.url}/signin?code=${(body as { code: string }).code}&next=${next}` // as documented
}

const forgetKey = (page: Page): Promise<unknown> => page.evaluate(`localStorage.removeItem("executor-session-key")`)

test("a link signs in once, and leads to what waits", async () => {
  const executionId = await pause(createItem("first"))
  const link = await signInLink(`/approve/${executionId}`)
  const page = await newPage()
  await page.goto(link)
  await page.waitForURL((url) => url.pathname === `/approve/${executionId}`)
  expect(await page.locator("h1").innerText()).toBe("Approve this call?")
  expect(await page.evaluate("document.cookie")).toBe("")
  await keepShot(page, "approve-question")
  await page.getByRole("button", { name: "Approve" }).press("Enter")
  await page.getByRole("heading", { name: "Done" }).waitFor()
  expect(await page.locator("pre").first().innerText()).toContain("first")
  expect(server.writes()).toContain("first")
  expect(problems).toEqual([])
  // Whoever is signed in already is led on by a link that was used.
  await page.goto(link)
  await page.waitForURL((url) => url.pathname === `/approve/${executionId}`)
  expect(problems.splice(0)).toEqual([expect.stringContaining("401")])
  const stranger = await startStrictBrowser()
  const other = await stranger.newPage()
  await other.goto(link)
  await other.getByRole("heading", { name: "This sign-in link does not work" }).waitFor()
  expect(await other.locator("pre").innerText()).toBe("./executor web")
  await keepShot(other, "signin-used")
  await stranger.close()
})

test("declining, remembering and several at once", async () => {
  const page = await newPage()
  await page.goto(`${server.url}/approve/${await pause(`return await tools.ledger.items.create({ name: "no" })`)}`)
  await page.getByRole("button", { name: "Decline" }).click()
  await page.getByRole("heading", { name: "Declined" }).waitFor()
  await page.getByText("1 call was declined.").waitFor()
  await keepShot(page, "approve-declined")
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
  await page.getByRole("status").getByText("Name is required.").waitFor()
  const field = page.getByRole("textbox", { name: "Name" })
  expect(await field.getAttribute("aria-invalid")).toBe("true")
  await field.fill("A")
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByRole("status").getByText("Name must have at least 2 characters.").waitFor()
  await keepShot(page, "approve-form-wrong")
  await field.fill("Ann")
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByRole("heading", { name: "Done" }).waitFor()
  expect(await page.locator("pre").first().innerText()).toContain("Ann")
  expect(problems).toEqual([])
})

test("arguments and code are shown to their last character", async () => {
  const page = await newPage()
  const long = `return await tools.ledger.items.create({ name: "${"x".repeat(3000)}END" })`
  await page.goto(`${server.url}/approve/${await pause(long)}`)
  await page.getByRole("heading", { name: "Approve this call?" }).waitFor()
  const cut = `[...document.querySelectorAll("pre")].filter((pre) => pre.checkVisibility() && (pre.scrollWidth > pre.clientWidth || pre.scrollHeight > pre.clientHeight)).length`
  expect(await page.locator("pre.text").innerText()).toMatch(/xEND$/)
  expect(await page.evaluate(cut)).toBe(0)
  await page.close()
})

test("the outcome is told in words; a long one scrolls, is cut, and says where the rest is", async () => {
  const page = await newPage()
  const small = `console.warn("careful"); await tools.ledger.items.create({ name: "told" }).unwrap(); return { ok: true, data: { items: [1, { a: "<b>" }] }, http: { status: 200, headers: {} } }`
  await page.goto(`${server.url}/approve/${await pause(small)}`)
  await page.getByRole("button", { name: "Approve" }).click()
  await page.getByText("The code completed. 1 call was approved.").waitFor()
  const [result, logged] = await page.locator("pre.outcome").allInnerTexts()
  expect(JSON.parse(result ?? "")).toEqual({ items: [1, { a: "<b>" }] })
  expect(logged).toBe("[warn] careful")
  await keepShot(page, "approve-done")
  const long = `await tools.ledger.items.create({ name: "long" }).unwrap(); return Array.from({ length: 5000 }, (_, n) => ({ n, name: "item " + n }))`
  const executionId = await pause(long)
  await page.goto(`${server.url}/approve/${executionId}`)
  await page.getByRole("button", { name: "Approve" }).click()
  await page.getByText(/first 20,000 of \d{3},\d{3} characters/).waitFor()
  expect(await page.locator("p.soft code").innerText()).toBe(`./executor executions show ${executionId} --json`)
  expect(
    await page.evaluate(`(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector("pre.outcome"))`),
  ).toBe(true)
  await keepShot(page, "approve-long")
  await page.goto(
    `${server.url}/approve/${await pause(`await tools.ledger.items.create({ name: "huge" }).unwrap(); return "é".repeat(1_200_000)`)}`,
  )
  await page.getByRole("button", { name: "Approve" }).click()
  await page.getByText(/first 1,000 of 1,200,000 characters/).waitFor()
  await page.goto(
    `${server.url}/approve/${await pause(`await tools.ledger.items.create({ name: "bad" }).unwrap();\nthrow new Error("no milk")`)}`,
  )
  await page.getByRole("button", { name: "Approve" }).click()
  await page.getByText("The code threw an error (line 2, column 11). 1 call was approved.").waitFor()
  expect(await page.locator("pre.outcome").innerText()).toBe("Error: no milk")
  await keepShot(page, "approve-failed")
  expect(problems).toEqual([])
  await page.close()
})

test("what was typed stays when the session ends meanwhile, and is sent after signing in again", async () => {
  const [page, other] = [await newPage(), await newPage()]
  await page.goto(`${server.url}/approve/${await pause("return (await tools.desk.names.ask({})).data")}`)
  await page.getByRole("textbox", { name: "Name" }).fill("Berta")
  await forgetKey(page)
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByText("run './executor web' to sign in again").waitFor()
  expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Berta")
  await other.goto(await signInLink("/approve"))
  await other.waitForURL(`${server.url}/approve`)
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByRole("heading", { name: "Done" }).waitFor()
  expect(await page.locator("pre").first().innerText()).toContain("Berta")
  await Promise.all([page.close(), other.close()])
  expect(problems.splice(0)).toEqual([expect.stringContaining("401")])
})

test("a server on another port of the host is sent the cookie, and can read and do nothing with it", async () => {
  const { url, requests, close } = await startSpy()
  const executionId = await pause(createItem("spied"))
  const page = await newPage()
  await page.goto(url)
  await close()
  const cookie = requests[0]?.headers.cookie ?? ""
  expect(cookie).toMatch(/executor_session_\d+=exs_/)
  for (const headers of [{ cookie }, { cookie, origin: server.url, "x-executor-session-key": "" }]) {
    const opened = await server.call("GET", `/approve/${executionId}`, { token: null, headers })
    expect(JSON.stringify(opened.body)).not.toContain("spied")
    expect((await server.call("GET", "/api/approvals", { token: null, headers })).status).toBe(401)
    expect((await server.call("POST", "/signout", { token: null, headers })).status).toBe(401)
  }
  await page.goto(`${server.url}/approve/${executionId}`)
  await page.getByRole("heading", { name: "Approve this call?" }).waitFor()
  await page.close()
})

test("a link on another site leads to the question, although a browser keeps its cookie back there", async () => {
  const executionId = await pause(createItem("linked"))
  const { url, close } = await startSpy(`<a href="${server.url}/approve/${executionId}">answer</a>`)
  const page = await newPage()
  await page.goto(url.replace("127.0.0.1", "localhost"))
  await page.getByRole("link", { name: "answer" }).click()
  await page.getByRole("heading", { name: "Approve this call?" }).waitFor()
  await close()
  await page.close()
})

test("signing out ends it; signing in elsewhere in the browser brings the page back", async () => {
  const [page, other] = [await newPage(), await newPage()]
  await page.goto(`${server.url}/approve`)
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("heading", { name: "Sign in to answer" }).waitFor()
  // Whoever has no access to the machine signs in, and is led back.
  const back = `/signin?return=${encodeURIComponent(new URL(page.url()).pathname)}`
  const link = page.getByRole("link", { name: "Sign in", exact: true })
  expect(await link.getAttribute("href")).toBe(back)
  // It looks like the button that it is, and what deletes keeps a colour of its own.
  const colours = `["", "effect-destroy"].map((name) => {
    const box = document.createElement("div")
    box.className = name
    box.innerHTML = '<button class="primary">x</button>'
    document.querySelector("main").append(box)
    const colour = getComputedStyle(box.firstChild).backgroundColor
    box.remove()
    return colour
  })`
  const [primary, destroying] = (await page.evaluate(colours)) as string[] // two colours, as CSS writes them
  expect(await page.evaluate(`getComputedStyle(document.querySelector("a[data-sign-in]")).backgroundColor`)).toBe(primary)
  expect(destroying).not.toBe(primary)
  await page.reload()
  await page.getByText("./executor web").waitFor()
  expect(await page.getByRole("button", { name: "Sign out" }).isVisible()).toBe(false)
  await keepShot(page, "approve-signed-out")
  await other.goto(await signInLink("/approve"))
  await page.getByRole("heading", { name: /calls? (is|are) waiting for you/ }).waitFor()
  await keepShot(page, "approve-inbox")
  expect(problems).toEqual([])
})

test("without scripts it says what to do", async () => {
  const scriptless = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await scriptless.goto(`${server.url}/approve`)
  await scriptless.getByRole("heading", { name: "This page needs JavaScript" }).waitFor()
  expect(await scriptless.locator("body").innerText()).toContain("./executor approvals list")
  await keepShot(scriptless, "approve-no-script")
})

/** Keeps what browsers send it. */
async function startSpy(content = ""): Promise<{ url: string; requests: IncomingMessage[]; close(): Promise<void> }> {
  const requests: IncomingMessage[] = []
  const spy = createServer((request, response) => {
    requests.push(request)
    response.setHeader("content-type", "text/html").end(`<title>spy</title>${content}`)
  })
  const { url, close } = await listen(spy)
  return { url, requests, close }
}
