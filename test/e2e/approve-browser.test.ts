// Links to approvals in a real browser: from the link to the answer and what came of it, in the dark.
import { createServer } from "node:http"
import type { IncomingMessage } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { buildConsole } from "../console/console.ts"
import { listen } from "../servers/listen.ts"
import { keepShot, startStrictBrowser } from "./browser.ts"
import { createItem, startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"

let server: McpTestServer
let browser: Browser
let context: BrowserContext
const problems: string[] = []

beforeAll(async () => {
  buildConsole()
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

const inboxAt = (executionId: string): string => `${server.url}/inbox?execution=${executionId}`

/** Opens the link that an agent passes on. */
async function follow(page: Page, code: string): Promise<string> {
  const executionId = await pause(code)
  await page.goto(`${server.url}/approve/${executionId}`)
  await page.waitForURL(inboxAt(executionId))
  await page.getByRole("region", { name: "The call" }).waitFor()
  return executionId
}

const ended = (page: Page) => page.getByRole("region", { name: "The execution" })
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()
/** The text of the last part of an outcome. */
const shown = (page: Page, label: string): Promise<string> => page.getByRole("region", { name: label, exact: true }).innerText()

test("a link signs in once, and leads to what waits; it is answered by keyboard", async () => {
  const executionId = await pause(createItem("first"))
  const link = await signInLink(`/approve/${executionId}`)
  const page = await newPage()
  await page.goto(link)
  await page.waitForURL(inboxAt(executionId))
  const approve = page.getByRole("button", { name: "Approve", exact: true })
  await expect.poll(() => approve.getAttribute("aria-disabled")).toBe("false")
  expect(await page.evaluate("document.cookie")).toBe("")
  await keepShot(page, "approve-question")
  await approve.press("Enter")
  await ended(page).getByRole("heading", { name: "Done" }).waitFor()
  expect(await shown(page, "Result")).toContain("first")
  expect(server.writes()).toContain("first")
  expect(problems).toEqual([])
  // Whoever is signed in already is led on by a link that was used.
  await page.goto(link)
  await page.waitForURL(inboxAt(executionId))
  expect(problems.splice(0)).toEqual([expect.stringContaining("401")])
  const stranger = await startStrictBrowser()
  const other = await stranger.newPage()
  await other.goto(link)
  await other.getByRole("heading", { name: "This sign-in link does not work" }).waitFor()
  expect(await other.locator("main").innerText()).toContain("./executor web")
  await keepShot(other, "signin-used")
  await stranger.close()
})

test("declining, remembering and several at once", async () => {
  const page = await newPage()
  await follow(page, `return await tools.ledger.items.create({ name: "no" })`)
  await press(page, "Decline")
  await ended(page).getByRole("heading", { name: "Declined" }).waitFor()
  await page.getByText("1 call was declined.").waitFor()
  await keepShot(page, "approve-declined")
  const executionId = await pause(`return await Promise.all(["a1", "a2"].map((name) => tools.ledger.items.create({ name }).unwrap()))`)
  await page.goto(`${server.url}/approve/${executionId}`)
  await press(page, "Approve 2 calls")
  await ended(page).getByRole("heading", { name: "Done" }).waitFor()
  await follow(page, `for (const name of ["r1", "r2", "r3"]) await tools.ledger.items.create({ name }).unwrap(); return "looped"`)
  await page.getByLabel(/rest of the execution/).check()
  await press(page, "Approve")
  await ended(page).getByRole("heading", { name: "Done" }).waitFor()
  expect(server.writes()).toEqual(expect.arrayContaining(["a1", "a2", "r1", "r2", "r3"]))
  expect(server.writes()).not.toContain("no")
  expect(problems).toEqual([])
})

test("one question after another of the same execution, on the same page", async () => {
  const page = await newPage()
  await follow(page, `for (const name of ["s1", "s2"]) await tools.ledger.items.create({ name }).unwrap(); return "stepped"`)
  for (const name of ["s1", "s2"]) {
    await page.getByRole("region", { name: "The call" }).getByText(`"${name}"`, { exact: true }).waitFor()
    await press(page, "Approve")
  }
  await page.getByText("The code completed. 2 calls were approved.").waitFor()
  expect(await shown(page, "Result")).toContain("stepped")
  await page.close()
})

test("a form is filled in, and what does not fit is said", async () => {
  const page = await newPage()
  await follow(page, "return (await tools.desk.names.ask({})).data")
  await press(page, "Send")
  await page.getByText("This is required.").waitFor()
  const field = page.getByRole("textbox", { name: "Name" })
  expect(await field.getAttribute("aria-invalid")).toBe("true")
  await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-invalid')")).toBe("true")
  await field.fill("A")
  await press(page, "Send")
  await page.getByText("This must have at least 2 characters.").waitFor()
  await keepShot(page, "approve-form-wrong")
  await field.fill("Ann")
  await press(page, "Send")
  await ended(page).getByRole("heading", { name: "Done" }).waitFor()
  expect(await shown(page, "Result")).toContain("Ann")
  expect(problems).toEqual([])
})

test("a form that is more than fields is asked for as JSON", async () => {
  const page = await newPage()
  await follow(page, "return (await tools.desk.addresses.ask({})).data")
  const field = page.getByRole("textbox", { name: "address (optional)" })
  await field.fill("{ no json")
  await press(page, "Send")
  await page.getByText("This is not valid JSON.").waitFor()
  await field.fill(`{ "city": "Oslo" }`)
  await press(page, "Send")
  await ended(page).getByRole("heading", { name: "Done" }).waitFor()
  expect(await shown(page, "Result")).toContain("Oslo")
  await page.close()
})

test("arguments are shown to their last character, with their line breaks, and what destroys apart from what changes", async () => {
  const page = await newPage()
  const call = page.getByRole("region", { name: "The call" })
  const colour = () =>
    page.evaluate(`getComputedStyle([...document.querySelectorAll("button")].find((one) => one.textContent === "Approve")).backgroundColor`)
  await follow(page, `const a = 1\n\nreturn await tools.ledger.items.create({ name: "Hello,\\n\\n${"x".repeat(3000)}END" })`)
  expect(await call.getByText(/xEND$/).first().innerText()).toMatch(/^Hello,\n\nx+END$/)
  expect(await call.locator("mark").allInnerTexts()).toEqual([expect.stringContaining("return await tools")])
  await page.getByRole("heading", { name: "What asks, line 3" }).waitFor()
  const writing = await colour()
  await follow(page, `return await tools.ledger.items.remove({ name: "a b" })`)
  for (const part of ["✕ Deletes or overwrites", "DELETE http://", "/items/a%20b"]) expect(await call.innerText()).toContain(part)
  expect(await colour()).not.toBe(writing)
  await page.close()
})

test("the outcome is told in words, by what happened; a long one is cut, and saved whole", async () => {
  const page = await newPage()
  await follow(
    page,
    `console.warn("careful"); await tools.ledger.items.create({ name: "told" }).unwrap(); return { ok: false, error: { code: "approval_declined", message: "<b>was declined</b>\\u202e" } }`,
  )
  await press(page, "Approve")
  await ended(page).getByRole("heading", { name: "Done" }).waitFor()
  await page.getByText("The code completed. 1 call was approved.").waitFor()
  expect(await shown(page, "Result")).toContain("<b>was declined</b>\\u202e")
  expect(await ended(page).locator("b").count()).toBe(0)
  await page.getByRole("tab", { name: "Logs (1)" }).click()
  expect(await shown(page, "Logs")).toContain("warn: careful")
  await keepShot(page, "approve-done")
  await follow(page, `await tools.ledger.items.create({ name: "huge" }).unwrap(); return "é".repeat(1_200_000)`)
  await press(page, "Approve")
  await page.getByRole("button", { name: "Save the whole result" }).waitFor()
  await follow(page, `await tools.ledger.items.create({ name: "bad" }).unwrap();\nthrow new Error("no milk")`)
  await press(page, "Approve")
  await page.getByText("The code threw an error (line 2, column 11). 1 call was approved.").waitFor()
  await page.getByText("Error: no milk").waitFor()
  await keepShot(page, "approve-failed")
  await follow(page, `await Promise.all(["x", "y"].map((name) => tools.ledger.items.create({ name }))); return`)
  await page.getByRole("checkbox", { name: "Call 2" }).uncheck()
  await press(page, "Approve 1 call")
  await page.getByRole("region", { name: "The call" }).getByText('"y"', { exact: true }).waitFor()
  await press(page, "Decline")
  await page.getByText("1 call was approved. 1 call was declined.").waitFor()
  const cancelled = await follow(page, createItem("never"))
  await server.call("POST", `/api/executions/${cancelled}/cancel`)
  await ended(page).getByRole("heading", { name: "Cancelled" }).waitFor()
  expect(problems).toEqual([])
  await page.close()
})

test("a link to one approval stays at it: how it was answered, how its execution went on, and what else waits", async () => {
  const page = await newPage()
  const { structured } = await server.run(createItem("linked-1"), { token: server.tokens.agent })
  const id = structured.status === "waiting_for_interaction" ? (structured.interactions[0]?.approvalId ?? "") : ""
  const next = await pause(createItem("linked-2"))
  await page.goto(`${server.url}/approvals/${id}`)
  await page.waitForURL(`${server.url}/inbox?approval=${id}`)
  await press(page, "Approve")
  await page.getByRole("heading", { name: "Approved" }).waitFor()
  await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe("Approved")
  await page.getByText("The code completed. 1 call was approved.").waitFor()
  await page.getByText(/\d+ more calls? waits? for you\./).waitFor()
  await page.getByRole("link", { name: "Go to the next one" }).click()
  await page.getByRole("region", { name: "The call" }).getByRole("button", { name: "Approve", exact: true }).waitFor()
  // A call that could not wait: how its code went on without it is no outcome of the answer.
  await server.run(createItem("thrown"), { token: server.tokens.agent, approval: "throw" })
  const { items } = (await server.call("GET", "/api/approvals")).body as { items: { approvalId: string; args: { name: string } }[] } // as documented
  await page.goto(`${server.url}/approve/${items.find(({ args }) => args.name === "thrown")?.approvalId ?? ""}`)
  await press(page, "Decline")
  await page.getByRole("heading", { name: "Declined" }).waitFor()
  await page.getByText("The call is refused when its caller repeats it.").waitFor()
  await page.goto(`${server.url}/approve/apr_none`)
  await page.getByRole("heading", { name: "Nothing to answer here" }).waitFor()
  await page.goto(`${server.url}/approve/exe_none`)
  await page.getByRole("heading", { name: "Nothing to answer here" }).waitFor()
  await keepShot(page, "approve-nothing")
  await server.approve(next)
  expect(problems.splice(0).every((text) => text.includes("404"))).toBe(true)
  await page.close()
})

test("what was typed stays when the session ends meanwhile, and is sent after signing in again", async () => {
  const [page, other] = [await newPage(), await newPage()]
  await follow(page, "return (await tools.desk.names.ask({})).data")
  await page.getByRole("textbox", { name: "Name" }).fill("Berta")
  await forgetKey(page)
  await press(page, "Send")
  await page.getByText("Your session has ended.").waitFor()
  expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Berta")
  await keepShot(page, "session-over")
  await other.goto(await signInLink("/inbox"))
  await other.waitForURL(`${server.url}/inbox`)
  await page.getByText("Your session has ended.").waitFor({ state: "hidden" })
  await press(page, "Send")
  await ended(page).getByRole("heading", { name: "Done" }).waitFor()
  expect(await shown(page, "Result")).toContain("Berta")
  await Promise.all([page.close(), other.close()])
  expect(problems.splice(0).every((text) => text.includes("401"))).toBe(true)
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
    for (const path of [`/approve/${executionId}`, `/inbox?execution=${executionId}`]) {
      const opened = await server.call("GET", path, { token: null, headers })
      expect(JSON.stringify(opened.body)).not.toContain("spied")
    }
    for (const path of ["/api/approvals", `/api/executions/${executionId}`])
      expect((await server.call("GET", path, { token: null, headers })).status).toBe(401)
    expect((await server.call("POST", "/signout", { token: null, headers })).status).toBe(401)
  }
  await page.goto(`${server.url}/approve/${executionId}`)
  await page.getByRole("region", { name: "The call" }).getByText('"spied"', { exact: true }).waitFor()
  await page.close()
})

test("a link on another site leads to the question, although a browser keeps its cookie back there", async () => {
  const executionId = await pause(createItem("linked"))
  const { url, close } = await startSpy(`<a href="${server.url}/approve/${executionId}">answer</a>`)
  const page = await newPage()
  await page.goto(url.replace("127.0.0.1", "localhost"))
  await page.getByRole("link", { name: "answer" }).click()
  await page.getByRole("region", { name: "The call" }).getByText('"linked"', { exact: true }).waitFor()
  await close()
  await page.close()
})

test("signing out ends it; signing in elsewhere in the browser brings the page back", async () => {
  const [page, other] = [await newPage(), await newPage()]
  await page.goto(`${server.url}/approve`)
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor()
  // Whoever has no access to the machine signs in, and is led back to the question.
  const waiting = await pause(createItem("later"))
  await page.goto(`${server.url}/approve/${waiting}`)
  const link = page.getByRole("link", { name: "Sign in", exact: true })
  expect(await link.getAttribute("href")).toBe(`/signin?return=${encodeURIComponent(`/inbox?execution=${waiting}`)}`)
  await page.getByText("./executor web").waitFor()
  expect(await page.getByRole("button", { name: "Sign out" }).count()).toBe(0)
  await keepShot(page, "approve-signed-out")
  await other.goto(await signInLink("/inbox"))
  await page.getByRole("region", { name: "The call" }).getByText('"later"', { exact: true }).waitFor()
  expect(problems).toEqual([])
})

test("without scripts it says what to do", async () => {
  const scriptless = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await scriptless.goto(`${server.url}/approve/exe_1`)
  await scriptless.getByRole("heading", { name: "The console needs JavaScript" }).waitFor()
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
