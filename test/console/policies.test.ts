// The page Policies: rules in their order, a rule written with what it matches and what it would have decided, a call tried.
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import { keepShot } from "../e2e/browser.ts"
import type { Ledger } from "../servers/ledger.ts"
import { startLedger } from "../servers/ledger.ts"
import { expectAccessible, expectNoSideScroll, startConsole } from "./console.ts"
import type { Console } from "./console.ts"

let place: Console
let ledger: Ledger
let client: Client

const hostile = "<img src=x onerror=alert(1)>\u202Eevil\u0007"

/** Three reads that ran, and two writes that asked; one of them still waits. */
beforeAll(async () => {
  ledger = await startLedger()
  place = await startConsole()
  client = createClient({ origin: `${place.server.url}/api`, token: place.server.tokens.human })
  await client.integrations.add({ slug: "ledger", name: "Ledger", kind: "openapi", config: { spec: ledger.document } })
  await client.connections.create({ integration: "ledger" })
  await client.run(`for (const name of ["a", "b", "c"]) await tools.ledger.items.get({ name })`)
  for (const name of ["tea", "milk"]) await client.run(`await tools.ledger.items.create({ name: "${name}" })`)
})
afterAll(async () => {
  await place.close()
  await ledger.close()
})

const rows = (page: Page, list: string) => page.getByRole("list", { name: list }).getByRole("listitem")
const everybody = "For everybody"

test("first there is no rule; a new one says what it matches and what it would have decided, and is created", async () => {
  const { page, context, problems } = await place.open("/policies")
  await page.getByRole("heading", { name: "No rule yet" }).waitFor()
  await expectAccessible(page)
  await keepShot(page, "policies-empty-light")
  await page.getByRole("main").getByRole("button", { name: "New rule" }).first().click()
  const dialog = page.getByRole("dialog", { name: "New rule" })
  const create = dialog.getByRole("button", { name: "Create the rule" })
  expect(await create.getAttribute("aria-disabled")).toBe("true")
  await dialog.getByLabel("Pattern").fill("ledger.items.*")
  await dialog.getByText(/Matches 3 tools now, read as/).waitFor()
  await dialog.getByLabel("Action").selectOption("allow")
  const strip = dialog.getByRole("region", { name: "Back-test" })
  await strip.getByText("Of the last 5 calls this would have allowed 2 that asked, asked 0 that ran, blocked 0.").waitFor()
  await expect.poll(() => strip.getByRole("listitem").count()).toBe(2)
  await dialog.getByRole("button", { name: "Add a condition" }).click()
  await dialog.getByLabel("Argument 1").fill("name")
  await dialog.getByLabel("Value 1").fill("tea")
  await strip.getByText("Of the last 5 calls this would have allowed 1 that asked, asked 0 that ran, blocked 0.").waitFor()
  await dialog.getByLabel("Action").selectOption("block")
  await dialog.getByRole("button", { name: "Remove condition 1" }).click()
  await strip.getByText("Of the last 5 calls this would have allowed 0 that asked, asked 0 that ran, blocked 5.").waitFor()
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "policies-new-light")
  expect(await client.policies.list()).toEqual([])
  await create.click()
  await rows(page, everybody).filter({ hasText: "ledger.items.*" }).filter({ hasText: "Block" }).filter({ hasText: "3 tools" }).waitFor()
  expect(await client.policies.list()).toMatchObject([{ owner: "org", action: "block", pattern: "ledger.*.*.items.**", when: [] }])
  expect(problems).toEqual([])
  await context.close()
})

describe("with rules", () => {
  beforeAll(async () => {
    for (const { id } of await client.policies.list()) await client.policies.remove(id)
    const rules = [
      { pattern: "ledger.items.create", action: "allow", when: [{ arg: "name", op: "eq", value: hostile }] },
      { pattern: "ledger.items.get", action: "require_approval", role: "member", by: { role: "admin", notRequester: true } },
      { pattern: "nothing.here.**", action: "block" },
    ] as const
    for (const [at, rule] of rules.entries()) await client.policies.create({ owner: "org", position: at + 1, ...rule })
    await client.policies.create({ owner: "user", pattern: "ledger.**", action: "allow" })
  })

  const patterns = async (): Promise<string[]> =>
    (await client.policies.list()).flatMap(({ owner, pattern }) => (owner === "org" ? [pattern.replace(".*.*.", ".")] : []))

  test("rules change places by button and by key, and the focus stays with the rule", async () => {
    const { page, context, problems } = await place.open("/policies")
    const last = rows(page, everybody).filter({ hasText: "nothing.here" })
    await last.getByRole("button", { name: "Move up: nothing.here.**" }).click()
    await page.getByRole("listitem", { name: "Rule 2: nothing.here.**" }).waitFor()
    await last.focus()
    await page.keyboard.press("Alt+ArrowUp")
    await page.getByRole("listitem", { name: "Rule 1: nothing.here.**" }).waitFor()
    expect(await patterns()).toEqual(["nothing.here.**", "ledger.items.create", "ledger.items.get"])
    const isFocused = (): Promise<boolean> => last.evaluate((element) => element === element.ownerDocument.activeElement)
    expect(await isFocused()).toBe(true)
    await page.keyboard.press("Alt+ArrowDown")
    await page.getByRole("listitem", { name: "Rule 2: nothing.here.**" }).waitFor()
    await page.keyboard.press("Alt+ArrowDown")
    await page.getByRole("listitem", { name: "Rule 3: nothing.here.**" }).waitFor()
    expect(await patterns()).toEqual(["ledger.items.create", "ledger.items.get", "nothing.here.**"])
    expect(problems).toEqual([])
    await context.close()
  })

  test("a rule is edited from a link, its rows open the execution, and it is removed after a question", async () => {
    const made = await client.policies.create({ owner: "org", pattern: "ledger.items.create", action: "require_approval", position: 0 })
    const { page, context } = await place.open(`/policies?rule=${made.id}`)
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Action").selectOption("allow")
    await dialog.getByText(/allowed 2 that asked/).waitFor()
    await dialog.getByLabel("Action").selectOption("require_approval")
    await dialog.getByLabel("Answered by the role").selectOption("admin")
    await dialog.getByLabel("Never by whoever asked (four eyes)").check()
    await dialog.getByRole("button", { name: "Save the rule" }).click()
    await dialog.waitFor({ state: "detached" })
    const row = rows(page, everybody)
      .filter({ hasText: "answered by admin except the requester" })
      .filter({ hasText: "ledger.items.create" })
    await row.getByRole("button", { name: "Edit: ledger.items.create" }).click()
    await dialog.getByLabel("Action").selectOption("block")
    await dialog
      .getByRole("link", { name: /ledger.org.main.items.create/ })
      .first()
      .click()
    await page.waitForURL(/\/executions\/exe_/)
    await page.goto(`${place.server.url}/policies`)
    await row.getByRole("button", { name: "Remove: ledger.items.create" }).click()
    await page.getByRole("button", { name: "Remove the rule" }).click()
    await page.getByText("The rule is removed").waitFor()
    expect((await client.policies.list()).map(({ id }) => id)).not.toContain(made.id)
    await page.goto(`${place.server.url}/policies?rule=${made.id}`)
    await page.getByRole("heading", { name: "There is no such rule" }).waitFor()
    await context.close()
  })

  test("what the API refuses stands in the dialog", async () => {
    const { page, context } = await place.open("/policies?rule=new")
    await page.getByLabel("Pattern").fill("ledger.items.create")
    await page.getByRole("button", { name: "Add a condition" }).click()
    await page.getByLabel("Argument 1").fill("name")
    await page.getByLabel("Comparison 1").selectOption("in")
    await page.getByLabel("Value 1").fill("tea")
    await page.getByRole("button", { name: "Create the rule" }).click()
    await page.getByRole("dialog").getByRole("alert").last().waitFor()
    await expectAccessible(page, "[role=dialog]")
    await context.close()
  })

  test("a call is tried against the rules, with the ones that did not decide", async () => {
    const { page, context } = await place.open("/policies?tab=try&address=ledger.items.create")
    await page.getByLabel("Arguments").fill('{"name": "tea"}')
    await page.getByRole("button", { name: "Ask the rules" }).click()
    const verdict = page.getByRole("region", { name: "Verdict" })
    await verdict.getByText("Rules that fit too, and did not decide").waitFor()
    expect(await verdict.innerText()).toContain("Allow")
    await expectAccessible(page)
    await keepShot(page, "policies-try-light")
    await page.getByLabel("Tool").fill("ledger.nothing.here")
    await page.getByRole("button", { name: "Ask the rules" }).click()
    await page.getByRole("alert").waitFor()
    await context.close()
  })

  test("whoever may not edit the rules for everybody sees why, and writes their own", async () => {
    const { page, context } = await place.open("/policies", { token: place.server.tokens.member })
    const remove = page.getByRole("button", { name: /^Remove: / }).first()
    expect(await remove.getAttribute("aria-disabled")).toBe("true")
    await page.getByRole("button", { name: "New rule" }).click()
    await page.getByText(/Needs the right policies.edit: whoever has it/).waitFor()
    await page.getByLabel("Pattern").fill("ledger.**")
    await page.getByRole("button", { name: "Create the rule" }).click()
    await rows(page, "Only for you and your agents").filter({ hasText: "ledger.**" }).waitFor()
    await context.close()
  })

  test.each(["light", "dark"] as const)(
    "the page passes axe in %s, fits a phone, and shows what strangers wrote as text",
    async (theme) => {
      const { page, context, problems } = await place.open("/policies", { theme })
      await rows(page, everybody).filter({ hasText: "nothing.here" }).getByText("0 tools").waitFor()
      await page.getByText("\\u202eevil").first().waitFor()
      expect(await page.locator("img").count()).toBe(0)
      await expectAccessible(page)
      await keepShot(page, `policies-${theme}`)
      await page.setViewportSize({ width: 390, height: 844 })
      await expectNoSideScroll(page)
      await expectAccessible(page)
      await keepShot(page, `policies-phone-${theme}`)
      await page.getByRole("button", { name: "Edit: ledger.items.create" }).click()
      await page.getByText(/^Of the last \d+ calls/).waitFor()
      await expectNoSideScroll(page)
      await expectAccessible(page, "[role=dialog]")
      await keepShot(page, `policies-edit-phone-${theme}`)
      expect(problems).toEqual([])
      await page.route("**/api/policies", (route) =>
        route.fulfill({
          status: 500,
          contentType: "application/json",
          body: JSON.stringify({ error: { code: "forbidden", message: "No.", requestId: "req_1" } }),
        }),
      )
      await page.goto(`${place.server.url}/policies`)
      await page.getByRole("alert").waitFor()
      await expectAccessible(page)
      await context.close()
    },
  )
})
