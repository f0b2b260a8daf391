// One execution in a real browser: its timeline by mouse and keys, waits and replays, details, live growth, a thousand calls, and an agent's words.
import { afterAll, beforeAll, expect, test } from "vitest"
import { keepShot } from "../e2e/browser.ts"
import { startModelServer } from "../servers/model.ts"
import { createClient } from "../../src/surfaces/client/index.ts"
import { interactionsOf, startExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import type { ExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import type { Console } from "./console.ts"
import { expectAccessible, expectNoSideScroll, startConsoleOf } from "./console.ts"

let app: Console<ExecutionServer>
beforeAll(async () => {
  app = await startConsoleOf(startExecutionServer)
})
afterAll(() => app.close())

const hostile = `<img src=x onerror=alert(1)>\u202e\u0007`

const story = `const names = ["a", "b"]
const read = await Promise.all(names.map((name) => tools.ledger.items.get({ name })))
console.log(${JSON.stringify(hostile)})
const again = await tools.ledger.items.get({ name: "a" })
const made = await tools.ledger.items.create({ name: ${JSON.stringify(hostile)} })
return { read: read.length, made }`

test("a timeline that leads to the line, the arguments, the decision and the answer", async () => {
  const { run, tokens, call } = app.server
  const paused = await run(story, { token: tokens.agent })
  const approvalId = interactionsOf(paused)[0]?.approvalId ?? ""
  const { page, context, problems } = await app.open(`/executions/${paused.executionId}`)
  const grid = page.getByRole("treegrid", { name: "Timeline" })
  const details = page.getByRole("region", { name: "Details" })
  await grid.getByRole("row", { name: /items\.create/ }).waitFor()
  await expect.poll(() => grid.getByRole("row").count()).toBe(6)
  await page.getByText(/active, .* waiting/).waitFor()
  await expectAccessible(page)
  await keepShot(page, "execution-waiting-light")

  await grid.getByRole("row", { name: /items\.create/ }).click()
  await page.getByText("This line makes the selected call").waitFor({ state: "attached" })
  expect(await page.locator("mark").getAttribute("data-line")).toBe("5")
  expect(await details.innerText()).toContain("\\u202e\\u0007")
  await page.getByRole("tab", { name: "Decision" }).click()
  await details.getByText("Needed a human's approval").waitFor()
  await details.getByText(/POST http.*\/items/).waitFor()
  expect(await details.getByRole("link", { name: "Answer in the inbox" }).getAttribute("href")).toBe(`/inbox?approval=${approvalId}`)
  await expectAccessible(page)

  // Answered elsewhere: the page goes on by itself.
  expect((await call("POST", `/api/approvals/${approvalId}`, { body: { action: "accept" } })).status).toBe(200)
  await page.getByText("Completed").first().waitFor()
  await grid.locator('[data-kind="wait"]').first().waitFor()
  await grid.locator('[data-kind="replayed"]').first().waitFor()
  await grid.locator('[data-kind="upstream"]').first().waitFor()
  await details.getByText("accept, by local").waitFor()
  await page.getByRole("tab", { name: "Output" }).click()
  await details.getByText('"count": 1').waitFor()
  await keepShot(page, "execution-call-light")

  await grid.focus()
  await page.keyboard.press("k")
  await details.getByText("Call 2 with the same arguments").waitFor()
  await page.keyboard.press("Home")
  await details.getByRole("heading", { name: "Outcome" }).waitFor()
  await details.getByText('"read": 2').waitFor()
  await page.getByRole("tab", { name: "Logs (1)" }).click()
  expect(await details.getByRole("region", { name: "Logs" }).innerText()).toContain("<img src=x onerror=alert(1)>\\u202e\\u0007")
  expect(await page.locator("main img").count()).toBe(0)
  await grid.focus()
  await page.keyboard.press("+")
  await page.getByRole("button", { name: "Show all" }).click()
  await page.getByRole("button", { name: "Show as table" }).click()
  const table = page.getByRole("grid", { name: "Calls" })
  expect(await table.getByRole("columnheader").allInnerTexts()).toEqual(["Call", "Line", "Start", "Duration", "Waited", "Status"])
  expect(new URL(page.url()).searchParams.get("view")).toBe("table")
  await expectAccessible(page)
  expect(problems).toEqual([])
  await context.close()

  const phone = await app.open(`/executions/${paused.executionId}`, { theme: "dark", width: 390 })
  await phone.page.getByRole("row", { name: /items\.create/ }).waitFor()
  await expectNoSideScroll(phone.page)
  await expectAccessible(phone.page)
  await keepShot(phone.page, "execution-phone-dark")
  await phone.page.setViewportSize({ width: 1280, height: 844 })
  await phone.page.getByRole("row", { name: /items\.create/ }).click()
  await keepShot(phone.page, "execution-dark")
  await phone.context.close()
})

test("grows while it runs, and is cancelled", async () => {
  const { run, findRunning, ledger, writes } = app.server
  const code = ["slow", "slower"].map((name) => `await tools.ledger.items.create({ name: "${name}", delay: 600000 })`).join("\n")
  const running = run(code, { autoApprove: true })
  const { executionId } = await findRunning()
  const { page, context } = await app.open(`/executions/${executionId}`)
  const grid = page.getByRole("treegrid", { name: "Timeline" })
  await grid.getByRole("row", { name: /items\.create/ }).waitFor()
  ledger.release("slow")
  await expect.poll(() => grid.getByRole("row").count()).toBe(4)
  await expect.poll(() => ledger.underWay()).toEqual(["slower"])
  await page.getByRole("button", { name: "Cancel" }).click()
  await page.getByRole("button", { name: "Cancel the execution" }).click()
  await page.getByText("Cancelled").first().waitFor()
  expect((await running).status).toBe("cancelled")
  expect(writes().filter((name) => name.startsWith("slow"))).toEqual(["slow", "slower"])
  await page.getByRole("button", { name: "Cancel" }).hover()
  await page.getByRole("tooltip").getByText("It has ended").waitFor()
  await context.close()
})

test("a thousand calls: only those in sight are drawn, and the last is a key away", async () => {
  const { run } = app.server
  const { executionId } = await run(
    `for (let at = 0; at < 20; at += 1)\n  await Promise.all(Array.from({ length: 50 }, (_, n) => tools.ledger.items.get({ name: \`n\${at}-\${n}\` })))\nthrow new Error("at the end")`,
  )
  const { page, context } = await app.open(`/executions/${executionId}`)
  const grid = page.getByRole("treegrid", { name: "Timeline" })
  await expect.poll(() => grid.getAttribute("aria-rowcount")).toBe("1002")
  await expect.poll(() => grid.getByRole("row").count()).toBeLessThan(80)
  await page.getByText("This line failed").waitFor({ state: "attached" })
  await keepShot(page, "execution-thousand-light")
  await grid.focus()
  await page.keyboard.press("End")
  await page.getByRole("region", { name: "Arguments" }).getByText(/"n19-/).waitFor()
  await context.close()
})

test("an agent's run shows its steps and words", async () => {
  const { server } = app
  const model = await startModelServer([])
  const client = createClient({ origin: `${server.url}/api`, token: server.tokens.human })
  await client.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: model.baseUrl })
  const { id } = await client.agents.create({
    slug: "keeper",
    name: "Keeper",
    instructions: "Keep the ledger.",
    model: { provider: "local", name: "scripted" },
    tools: ["ledger.**"],
  })
  await client.agents.publish(id)
  model.script([{ text: "I look it up.", calls: [{ name: "ledger__items_get", arguments: { name: "x" } }] }, { text: "It is there." }])
  const { executionId } = await client.agents.run("keeper", { text: "Is x there?" })
  const { page, context, problems } = await app.open(`/executions/${executionId}`)
  await page.getByRole("row", { name: /Step 1: I look it up/ }).click()
  await page.getByRole("tabpanel").getByText("I look it up.").waitFor()
  await page.getByRole("region", { name: "What it was asked" }).getByText("Is x there?").waitFor()
  await expectAccessible(page)
  await keepShot(page, "execution-agent-light")
  expect(problems).toEqual([])
  await context.close()
  await model.close()
})

test("what is not there, or not theirs, says so", async () => {
  for (const token of [app.server.tokens.human, app.server.tokens.stranger]) {
    const { page, context } = await app.open("/executions/exe_none", { token })
    const said = page.getByRole("alert")
    await said.getByText("There is no execution 'exe_none'").waitFor()
    await said.getByRole("heading", { name: "There is nothing here" }).waitFor()
    expect(await said.getByRole("button").count()).toBe(0)
    expect(await page.getByRole("link", { name: "All executions" }).getAttribute("href")).toBe("/executions")
    await expectAccessible(page)
    await context.close()
  }
})
