// The playground in a real browser: writing with completion, running with an answer in place, the failing line, a tool's form, what is copied, recorded answers, drafts, and hostile texts.
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { keepShot } from "../e2e/browser.ts"
import { startExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import type { ExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import type { Console } from "./console.ts"
import { expectAccessible, expectNoSideScroll, startConsoleOf } from "./console.ts"

let app: Console<ExecutionServer>
beforeAll(async () => {
  app = await startConsoleOf(startExecutionServer)
})
afterAll(() => app.close())

const hostile = `<img src=x onerror=alert(1)>\u202e\u0007`

/** A tool whose title, descriptions and fields are full of markup; its path. */
async function addHostile(): Promise<string> {
  const { ledger, call } = app.server
  const spec = structuredClone(ledger.document) as { paths: Record<string, Record<string, Record<string, unknown>>> } // as the ledger writes it
  spec.paths = { "/items/{name}": { get: { ...spec.paths["/items/{name}"]?.["get"], summary: hostile, description: hostile } } }
  Object.assign(spec.paths["/items/{name}"]?.["get"] ?? {}, {
    parameters: [
      { name: "name", in: "path", required: true, description: hostile, schema: { type: "string" } },
      { name: hostile, in: "query", description: hostile, schema: { type: "string", enum: [hostile] } },
    ],
  })
  await call("POST", "/api/integrations", { body: { slug: "odd", kind: "openapi", name: hostile, config: { spec } } })
  await call("POST", "/api/connections", { body: { integration: "odd" } })
  return "odd.items.get"
}

const editorOf = (page: Page) => page.getByRole("textbox", { name: "Code" })
const outcomeOf = (page: Page) => page.getByRole("region", { name: "What became of it" })

/** Moves the focus as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const isThere = (): Promise<boolean> => target.evaluate((node) => node.matches(":focus"))
  for (let step = 0; step < 40 && !(await isThere()); step += 1) await page.keyboard.press("Tab")
  expect(await isThere()).toBe(true)
}

/** Puts the code in place of what is there, by the keyboard. */
async function write(page: Page, code: string): Promise<void> {
  await editorOf(page).click()
  await page.keyboard.press("Control+a")
  await page.keyboard.press("Delete")
  await page.keyboard.insertText(code)
}

test("code is written with completion, runs, waits for an answer in place, and shows what became of it", async () => {
  const { page, context, problems } = await app.open("/")
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Playground" }).waitFor()
  await page.keyboard.press("g")
  await page.keyboard.press("p")
  await page.getByRole("heading", { name: "Playground" }).waitFor()
  await expect.poll(() => page.title()).toBe("Playground – Executor")
  await page.getByText("Nothing has run yet").waitFor()

  await editorOf(page).waitFor()
  await page.getByText("Types are ready").waitFor()
  await write(page, "const made = await ")
  await page.keyboard.type("tools.led")
  await page
    .getByRole("option", { name: /^ledger/ })
    .first()
    .waitFor()
  await page.keyboard.type("ger.items.c")
  const option = page.getByRole("option", { name: /^ledger\.items\.create/ })
  await option.waitFor()
  await keepShot(page, "playground-completion-light")
  await option.click()
  // The types of what the code names are loaded behind its back.
  await page.keyboard.insertText("({ ")
  await expect
    .poll(async () => {
      await page.keyboard.press("Control+Space")
      return page.getByRole("option", { name: /^delay\?/ }).count()
    })
    .toBe(1)
  await page.keyboard.press("Escape")
  await page.keyboard.insertText(`name: "tea" })\nconsole.log("made", made.ok)\nemit({ step: 1 })\nreturn made`)
  await page.keyboard.press("Control+Enter")

  const outcome = outcomeOf(page)
  const approve = outcome.getByRole("button", { name: "Approve" })
  await approve.waitFor()
  await outcome.getByText("It waits for an answer.", { exact: true }).waitFor()
  expect(await editorOf(page).evaluate((node) => node.matches(":focus"))).toBe(true)
  expect(app.server.writes()).toEqual([])
  await expectAccessible(page)
  await keepShot(page, "playground-waiting-light")
  const id = new URL(page.url()).searchParams.get("execution") ?? ""
  expect(id).toMatch(/^exe_/)
  await expect.poll(() => approve.getAttribute("aria-disabled")).toBe("false")
  await approve.click()
  await outcome.getByText("Completed").waitFor()
  expect(app.server.writes()).toEqual(["tea"])
  await outcome.getByRole("region", { name: "Result" }).getByText('"name": "tea"').waitFor()
  await outcome.getByRole("tab", { name: "Console (1)" }).click()
  await outcome.getByRole("region", { name: "Logs" }).getByText("made true").waitFor()
  await outcome.getByRole("tab", { name: "Emitted (1)" }).click()
  await outcome.getByRole("region", { name: "Emitted" }).getByText('"step": 1').waitFor()
  await outcome.getByRole("tab", { name: "Calls (1)" }).click()
  await outcome.getByRole("row", { name: /items\.create/ }).click()
  await outcome.getByRole("region", { name: "The selected call" }).getByText("Changes data").waitFor()
  await expectAccessible(page)
  await keepShot(page, "playground-calls-light")

  // A reload loses neither the code nor the run.
  await page.reload()
  await outcome.getByRole("region", { name: "The selected call" }).getByText("Changes data").waitFor()
  await expect.poll(() => editorOf(page).innerText()).toContain('name: "tea"')
  expect(problems).toEqual([])
  await context.close()
})

test("the line that failed is marked, and so is a mistake before it is run", async () => {
  const { page, context } = await app.open("/playground", { theme: "dark" })
  await editorOf(page).waitFor()
  await write(page, 'const item = await tools.ledger.items.get({ name: "tea" })\nconst total = 1\nthrow new Error("no tea left")')
  await page.getByRole("button", { name: "Run" }).click()
  await outcomeOf(page).getByText("Failed").waitFor()
  await page.locator(".cm-failedLine").filter({ hasText: "no tea left" }).waitFor()
  await page.locator(".cm-lint-marker-error").waitFor()
  await expectAccessible(page)
  await keepShot(page, "playground-failed-dark")
  // Changed code has not failed.
  await editorOf(page).click()
  await page.keyboard.press("Control+End")
  await page.keyboard.type("\n// later")
  await expect.poll(() => page.locator(".cm-failedLine").count()).toBe(0)

  await page.getByText("Types are ready").waitFor()
  await write(page, "const wrong: number = await tools.ledger.items.get({ nam: 1 })")
  await page.locator(".cm-lint-marker-warning").waitFor()
  await page.locator(".cm-lintRange-warning").first().hover()
  await page
    .locator(".cm-tooltip")
    .getByText(/nam|number/)
    .first()
    .waitFor()
  await context.close()
})

test("one tool is called by its form, which follows the JSON and is followed by it", async () => {
  const { page, context, problems } = await app.open("/registry?q=items")
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  await page.getByRole("grid", { name: "Tools" }).getByText("ledger.org.main.items.get").click()
  await page.getByRole("link", { name: "Try" }).click()
  await page.getByRole("heading", { name: "Playground" }).waitFor()
  expect(new URL(page.url()).searchParams.get("tool")).toBe("ledger.org.main.items.get")
  const json = page.getByRole("textbox", { name: "Arguments as JSON" })
  const name = page.getByRole("textbox", { name: "name", exact: true })
  const delay = page.getByRole("textbox", { name: "delay (optional)" })
  await name.fill("green tea")
  await expect.poll(() => json.inputValue()).toBe('{\n  "name": "green tea"\n}')
  await delay.fill("soon")
  await page.getByText("This must be a number.").waitFor()
  expect(await json.inputValue()).toBe('{\n  "name": "green tea"\n}')
  await delay.fill("1")
  await expect.poll(() => json.inputValue()).toBe('{\n  "name": "green tea",\n  "delay": 1\n}')
  await json.fill('{ "name": "black tea", "other": [1] }')
  await expect.poll(() => name.inputValue()).toBe("black tea")
  expect(await delay.inputValue()).toBe("")
  await json.fill('{ "name": ')
  await page.getByRole("button", { name: "Run" }).hover()
  await page.getByRole("tooltip").getByText("The arguments are not a JSON object").waitFor()
  await json.fill('{ "name": "it\'s tea" }')
  await expectAccessible(page)
  await keepShot(page, "playground-form-light")

  const copied = async (label: string): Promise<string> => {
    await page.getByRole("button", { name: "Copy as…" }).click()
    await page.getByRole("menuitem", { name: label }).click()
    await page.getByText(`Copied${label.slice(4)}.`).waitFor()
    return (await page.evaluate("navigator.clipboard.readText()")) as string // as the platform says
  }
  expect(await copied("Copy as SDK")).toContain('executor.execute("ledger.org.main.items.get", {\n  "name": "it\'s tea"\n})')
  expect(JSON.parse(await copied("Copy as MCP"))).toMatchObject({ method: "tools/call", params: { name: "execute" } })
  const curl = await copied("Copy as curl")
  const env = { ...process.env, EXECUTOR_TOKEN: app.server.tokens.human }
  const { stdout } = await promisify(execFile)("sh", ["-c", `${curl} --silent`], { env })
  const answer: unknown = JSON.parse(stdout)
  expect(answer).toMatchObject({ status: "completed", structured: { result: { ok: true, data: { name: "it's tea" } } } })

  await json.focus()
  await page.keyboard.press("Control+Enter")
  await outcomeOf(page).getByRole("region", { name: "Result" }).getByText(`"it's tea"`).waitFor()
  await page.getByRole("button", { name: "Open as code" }).click()
  await expect.poll(() => editorOf(page).innerText()).toContain('tools["ledger.org.main.items.get"]')
  expect(problems).toEqual([])
  await context.close()
})

test("by keyboard alone, on a phone, with what strangers wrote", async () => {
  const path = await addHostile()
  const { page, context, problems } = await app.open(`/playground?tab=form&tool=${path}`, {
    theme: "dark",
    width: 390,
    hasReducedMotion: true,
  })
  await page.getByRole("textbox", { name: "Arguments as JSON" }).waitFor()
  await page.getByText("<img src=x onerror=alert(1)>").first().waitFor()
  await expectNoSideScroll(page)
  await expectAccessible(page)
  await keepShot(page, "playground-form-phone-dark")
  await page.getByRole("tab", { name: "Form" }).focus()
  await page.keyboard.press("ArrowLeft")
  await editorOf(page).waitFor()
  await tabTo(page, editorOf(page))
  await page.keyboard.press("Control+a")
  await page.keyboard.press("Delete")
  await page.keyboard.insertText(
    `const shown = ${JSON.stringify(hostile)}\nconsole.log(shown)\nemit(shown)\nreturn await tools.ledger.items.create({ name: shown })`,
  )
  await page.keyboard.press("Control+Enter")
  const outcome = outcomeOf(page)
  const decline = outcome.getByRole("button", { name: "Decline" })
  await expect.poll(() => decline.getAttribute("aria-disabled")).toBe("false")
  await expectNoSideScroll(page)
  await keepShot(page, "playground-waiting-phone-dark")
  // Tab leads out of the editor, to the answer.
  await tabTo(page, decline)
  await page.keyboard.press("Enter")
  await outcome.getByText("Completed").waitFor()
  await outcome.getByRole("region", { name: "Result" }).getByText("approval_declined").waitFor()
  await outcome.getByRole("tab", { name: "Console (1)" }).focus()
  await page.keyboard.press("Enter")
  expect(await outcome.getByRole("region", { name: "Logs" }).innerText()).toContain("<img src=x onerror=alert(1)>\\u202e\\u0007")
  expect(await page.locator("main img[src=x]").count()).toBe(0)
  await expectNoSideScroll(page)
  await expectAccessible(page)
  expect(problems).toEqual([])
  await context.close()
})

test("an execution is opened with its code, and goes on from its recorded answers", async () => {
  const { run, writes } = app.server
  const first = await run('const made = await tools.ledger.items.create({ name: "oolong" })\nreturn made.data.count', { autoApprove: true })
  const before = writes().length
  const { page, context, problems } = await app.open(`/executions/${first.executionId}`)
  await page.getByRole("link", { name: "Open in playground" }).click()
  await page.getByRole("heading", { name: "Playground" }).waitFor()
  await expect.poll(() => editorOf(page).innerText()).toContain("oolong")
  const record = page.getByRole("checkbox", { name: `Answer calls from the record of ${first.executionId}` })
  expect(await record.isChecked()).toBe(true)
  await editorOf(page).click()
  await page.keyboard.press("Control+End")
  await page.keyboard.insertText(' + " of " + (await tools.ledger.items.get({ name: "new" })).data.name')
  await page.getByRole("button", { name: "Run" }).click()
  const outcome = outcomeOf(page)
  await outcome.getByText("Completed").waitFor()
  await outcome.getByRole("region", { name: "Result" }).getByText(" of new").waitFor()
  await outcome.getByRole("tab", { name: "Calls (2)" }).click()
  await outcome.getByRole("row", { name: /items\.create/ }).click()
  await outcome.getByText("Not made: answered from the record of").waitFor()
  expect(writes()).toHaveLength(before)
  await expectAccessible(page)
  await keepShot(page, "playground-record-light")

  // Without the record the same code asks a human.
  await record.uncheck()
  await page.getByRole("button", { name: "Run" }).click()
  await outcome.getByRole("button", { name: "Approve" }).waitFor()
  expect(new URL(page.url()).searchParams.get("record")).toBe("off")
  await page.getByRole("button", { name: "Cancel" }).click()
  await page.getByRole("button", { name: "Cancel the execution" }).click()
  await outcome.getByText("Cancelled").first().waitFor()
  expect(writes()).toHaveLength(before)
  expect(problems).toEqual([])
  await context.close()
})
