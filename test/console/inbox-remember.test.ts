// "Always" and "for the rest of the execution" in the inbox: what the choice says, the rule that it leaves, and that nobody is asked again.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Page } from "playwright-core"
import type { PolicyView } from "../../src/core/policy.ts"
import { keepShot } from "../e2e/browser.ts"
import { createItem, startMcpServer } from "../e2e/mcp-server.ts"
import type { McpTestServer } from "../e2e/mcp-server.ts"
import type { Console } from "./console.ts"
import { expectAccessible, startConsoleOf } from "./console.ts"

let app: Console<McpTestServer>
beforeAll(async () => {
  app = await startConsoleOf(startMcpServer)
})
afterAll(() => app.close())

const start = (code: string, token = app.server.tokens.agent) => app.server.run(code, { token })
const waits = async (code: string): Promise<boolean> => {
  const { executionId, structured } = await start(code)
  if (structured.status !== "waiting_for_interaction") return false
  await app.server.call("POST", `/api/executions/${executionId}/cancel`, { token: app.server.tokens.agent })
  return true
}
const rules = async (): Promise<readonly PolicyView[]> => {
  const { body } = await app.server.call("GET", "/api/policies")
  return (body as { items: PolicyView[] }).items // as documented
}

const approve = async (page: Page, button: string, told: string | RegExp): Promise<void> => {
  await page.getByRole("button", { name: button, exact: true }).click()
  await page.getByText(told).first().waitFor()
}

/** The page of the policies shows what was allowed forever. Without the rule, the next test is asked again. */
async function findAndRemove(page: Page, name: string): Promise<void> {
  await page.goto(`${app.server.url}/policies`)
  await page.getByRole("button", { name: `Edit: ${name}`, exact: true }).waitFor()
  for (const { id } of await rules()) await app.server.call("DELETE", `/api/policies/${id}`)
}

test("always, for one call: the rule says for whom and for what, and the next call does not ask", async () => {
  const { page, context, problems } = await app.open("/inbox")
  await start(createItem("always-1"))
  const always = page.getByRole("radio", {
    name: "Always, with any arguments (adds a rule for you and your agents)",
    exact: true,
  })
  expect(await page.getByRole("radio", { name: "Only what is shown here" }).isChecked()).toBe(true)
  await always.check()
  await expectAccessible(page)
  await keepShot(page, "inbox-always-light")
  await approve(page, "Approve", /From now on 'ledger.org.main.items.create' is allowed for you and your agents, with any arguments/)
  expect(await rules()).toMatchObject([{ owner: "user", pattern: "ledger.org.main.items.create", action: "allow", when: [] }])
  expect(await waits(createItem("always-2"))).toBe(false)
  expect(app.server.writes()).toEqual(expect.arrayContaining(["always-1", "always-2"]))
  await findAndRemove(page, "ledger.org.main.items.create")
  expect(await waits(createItem("always-3"))).toBe(true)
  expect(problems).toEqual([])
  await context.close()
})

test("always, for a group: one rule for all of them", async () => {
  const { page, context, problems } = await app.open("/inbox", { theme: "dark" })
  await start(`return await Promise.all(["all-1", "all-2", "all-3"].map((name) => tools.ledger.items.create({ name })))`)
  await page.getByRole("heading", { name: /items\.create × 3/ }).waitFor()
  await page.getByRole("radio", { name: /^Always, with any arguments/ }).check()
  await approve(page, "Approve 3 calls", "Approved 3 calls")
  expect(await rules()).toMatchObject([{ pattern: "ledger.org.main.items.create", action: "allow", when: [] }])
  await expect.poll(() => app.server.writes()).toEqual(expect.arrayContaining(["all-1", "all-2", "all-3"]))
  expect(await waits(createItem("all-4"))).toBe(false)
  await findAndRemove(page, "ledger.org.main.items.create")
  expect(problems).toEqual([])
  await context.close()
})

test("always, where the address counts: each host is a condition, and is told before", async () => {
  const { page, context, problems } = await app.open("/inbox")
  const read = (url: string): string => `return (await tools.builtin.web_fetch({ url: ${JSON.stringify(url)} })).ok`
  await start(read("http://127.0.0.1:9/a"))
  await start(read("http://127.0.0.2:9/b"))
  await page.getByRole("heading", { name: /web_fetch × 2/ }).waitFor()
  await page.getByRole("checkbox", { name: "All calls" }).check()
  const always = page.getByRole("radio", { name: /^Always/ })
  const named = async (): Promise<string> => (await page.locator("label").filter({ has: always }).innerText()).trim()
  expect(await named()).toMatch(/when url .*127\.0\.0\.1.*; when url .*127\.0\.0\.2/)
  await page.getByRole("checkbox", { name: "Call 2" }).uncheck()
  await expect.poll(named).not.toContain(";")
  const kept = /127\.0\.0\.[12]/.exec(await named())?.[0] ?? ""
  await always.check()
  await approve(page, "Approve 1 call", /From now on 'builtin.web_fetch' is allowed for you and your agents, when url/)
  expect(await rules()).toMatchObject([{ pattern: "builtin.web_fetch", when: [{ arg: "url" }] }])
  expect(JSON.stringify(await rules())).toContain(kept)
  expect(await waits(read(`http://${kept}:9/other`))).toBe(false)
  expect(await waits(read("http://127.0.0.3:9/"))).toBe(true)
  await page.getByRole("region", { name: "The call" }).waitFor()
  await approve(page, "Decline", "Declined 1 call")
  await findAndRemove(page, "builtin.web_fetch")
  expect(problems).toEqual([])
  await context.close()
})

test("for the rest of the execution: its next call of the tool does not ask, and leaves no rule", async () => {
  const { page, context, problems } = await app.open("/inbox")
  const { executionId } = await start(`
    for (const name of ["rest-1", "rest-2"]) await tools.ledger.items.create({ name }).unwrap()
    return "done"`)
  await page.getByRole("radio", { name: "This tool for the rest of the execution, with any arguments" }).check()
  await approve(page, "Approve", "Approved 1 call.")
  const state = async () => (await app.server.call("GET", `/api/executions/${executionId}`, { token: app.server.tokens.agent })).body
  await expect.poll(state).toMatchObject({ status: "completed" })
  expect(app.server.writes()).toEqual(expect.arrayContaining(["rest-1", "rest-2"]))
  expect(await rules()).toEqual([])
  expect(await waits(createItem("rest-3"))).toBe(true)
  expect(problems).toEqual([])
  await context.close()
})
