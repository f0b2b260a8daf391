// The page Agents in a real browser, with a scripted model: made, given tools, published, run, watched, rolled back; and tokens.
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import { create, get } from "../e2e/agent-maker.ts"
import { keepShot } from "../e2e/browser.ts"
import type { Ledger } from "../servers/ledger.ts"
import { startLedger } from "../servers/ledger.ts"
import type { ModelServer } from "../servers/model.ts"
import { startModelServer } from "../servers/model.ts"
import { expectAccessible, expectNoSideScroll, startConsole } from "./console.ts"
import type { Console } from "./console.ts"

let place: Console
let ledger: Ledger
let model: ModelServer
let client: Client

const hostile = '<img src=x onerror="alert(1)">\u202Eevil\u0007'
const shown = "\\u202eevil\\u0007"

beforeAll(async () => {
  ;[ledger, model] = await Promise.all([startLedger(), startModelServer()])
  place = await startConsole()
  client = createClient({ origin: `${place.server.url}/api`, token: place.server.tokens.human })
  await client.integrations.add({ slug: "ledger", name: "Ledger", kind: "openapi", config: { spec: ledger.document } })
  await client.connections.create({ integration: "ledger" })
})
afterAll(async () => {
  await place.close()
  await Promise.all([ledger.close(), model.close()])
})

const run = (page: Page) => page.getByRole("region", { name: "Run" })
const happened = (page: Page) => page.getByRole("list", { name: "What happened" })
const isOff = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().getAttribute("aria-disabled")

/** Asks the agent of the open page, and waits for the run that then is watched. */
async function ask(page: Page, words: string): Promise<void> {
  await page.getByRole("tab", { name: "Run" }).click()
  await page.getByLabel("Input", { exact: true }).fill(words)
  await page.keyboard.press("Control+Enter")
  await page.waitForURL(/run=exe_/)
}

test.each(["light", "dark"] as const)("first there is no agent and no provider, in %s", async (theme) => {
  const { page, context, problems } = await place.open("/agents", { theme, width: theme === "dark" ? 390 : 1280 })
  await page.getByRole("heading", { name: "No agent yet" }).waitFor()
  await page.getByText(/executor agents create support/).waitFor()
  await expectAccessible(page)
  await expectNoSideScroll(page)
  await keepShot(page, `agents-empty-${theme}`)
  await page.getByRole("main").getByRole("button", { name: "New agent" }).first().click()
  const dialog = page.getByRole("dialog", { name: "New agent" })
  await dialog.getByRole("link", { name: "Add one in Settings" }).waitFor()
  expect(await isOff(page, "Make the draft")).toBe("true")
  await expectAccessible(page, "[role=dialog]")
  await page.goto(`${place.server.url}/agents?tab=tokens`)
  await page.getByRole("list", { name: "Tokens" }).waitFor()
  await page.goto(`${place.server.url}/agents/nobody`)
  await page.getByRole("heading", { name: "There is no such agent" }).waitFor()
  await expectAccessible(page)
  expect(problems.filter((text) => !text.includes("404"))).toEqual([])
  await context.close()
})

describe("with a model", () => {
  beforeAll(async () => {
    const scripted = { name: "scripted", price: { input: 2, output: 8 } }
    await client.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: model.baseUrl, models: [scripted, "other"] })
  })

  test("an agent is made, gets tools from the picker, and asks before unsaved changes are lost", async () => {
    const { page, context, problems } = await place.open("/agents?new=agent")
    const dialog = page.getByRole("dialog", { name: "New agent" })
    await dialog.getByLabel("Name").fill("Ledger keeper")
    await dialog.getByLabel("Slug").fill("keeper")
    await dialog.getByLabel("Provider").selectOption("local")
    await dialog.getByLabel("Instructions").fill("Keep the ledger.")
    await keepShot(page, "agents-new-light")
    await dialog.getByRole("button", { name: "Make the draft" }).click()
    await page.getByRole("heading", { level: 1, name: "Ledger keeper" }).waitFor()
    expect(await client.agents.get("keeper")).toMatchObject({ status: "draft", model: { provider: "local", name: "scripted" }, tools: [] })

    const tools = page.getByRole("region", { name: "Tools", exact: true })
    await tools.getByLabel("Search tools").fill("items.")
    await tools.getByRole("checkbox", { name: "ledger.org.main.items.create" }).check()
    await tools.getByRole("checkbox", { name: "ledger.org.main.items.get" }).check()
    await tools.getByText("matches 3 tools now, and tools to come").waitFor()
    await tools.getByRole("button", { name: "Details of ledger.org.main.items.get" }).click()
    await page.getByRole("dialog", { name: "Read an Item" }).waitFor()
    await page.keyboard.press("Escape")
    await tools.getByRole("checkbox", { name: "ledger.org.main.items.remove" }).check()
    await tools.getByRole("button", { name: "Keep 3 tools as this pattern" }).click()
    await tools.getByRole("heading", { name: "Selected: 0 tools and 1 pattern" }).waitFor()
    await tools.getByText("3 tools now").waitFor()
    await page.getByLabel("Steps", { exact: true }).fill("many")
    await page.getByText("Limits are whole numbers, or empty").waitFor()
    expect(await isOff(page, "Save the draft")).toBe("true")
    await page.getByLabel("Steps", { exact: true }).fill("20")
    await page.getByLabel("Calls of one answer").selectOption("parallel_safe")

    await page.getByRole("tab", { name: /Run/ }).click()
    await page.getByText("Unsaved changes do not run").waitFor()
    await page.getByRole("link", { name: "Inbox", exact: true }).first().click()
    const question = page.getByRole("dialog", { name: "Leave without saving?" })
    await expectAccessible(page, "[role=dialog]")
    await question.getByRole("button", { name: "Keep it" }).click()
    await page.getByRole("tab", { name: /Config/ }).click()
    expect(await isOff(page, "Publish")).toBe("true")
    await page.getByRole("button", { name: "Save the draft" }).click()
    await page.getByText("The draft is saved").waitFor()
    expect(await client.agents.get("keeper")).toMatchObject({
      tools: ["ledger.items.**"],
      limits: { steps: 20 },
      executionMode: "parallel_safe",
      instructions: "Keep the ledger.",
    })
    expect(problems).toEqual([])
    await context.close()
  })

  test("a run is watched while it streams, its approval is answered in place, and it says what it cost", async () => {
    const { page, context, problems } = await place.open("/agents/keeper?tab=run")
    const held = Promise.withResolvers<void>()
    model.script([
      {
        text: "I write it down.",
        calls: [{ name: create, arguments: { name: "tea" } }],
        hold: ({ part }) => (part === "end" ? held.promise : undefined),
      },
      { text: `It is done. ${hostile}` },
    ])
    expect(await page.getByLabel("What is published").isDisabled()).toBe(true)
    await ask(page, "Note the tea.")
    await page.getByRole("listitem", { name: "It says" }).getByText("I write it down.").waitFor()
    await run(page).getByText("Running").waitFor()
    held.resolve()
    const waiting = run(page).getByRole("region", { name: "Waiting for an answer" })
    await waiting.getByRole("heading", { name: "ledger.org.main.items.create" }).waitFor()
    expect(ledger.entries.filter(({ name }) => name === "tea")).toEqual([])
    await keepShot(page, "agents-run-waits-light")
    await expectAccessible(page)
    // Until a moment has passed a click could be meant for what stood there before.
    const approve = waiting.getByRole("button", { name: "Approve" })
    await expect.poll(() => approve.getAttribute("aria-disabled")).toBe("false")
    await approve.click()
    await run(page).getByText("Completed").waitFor()
    expect(ledger.entries.filter(({ name }) => name === "tea")).toHaveLength(1)
    await happened(page).getByText(`It is done. <img src=x onerror="alert(1)">${shown}`).waitFor()
    expect(await page.locator("main img").count()).toBe(0)
    await run(page)
      .getByText(/^2 steps · 1 call · [\d,]+ tokens in, [\d,]+ out · \$0\.\d{4}$/)
      .waitFor()
    await happened(page).getByText("ledger.org.main.items.create").click()
    await happened(page).getByRole("region", { name: "Arguments" }).getByText('"tea"').waitFor()
    await keepShot(page, "agents-run-done-light")
    await page.getByRole("list", { name: "Latest runs" }).getByText("Note the tea.").waitFor()
    await run(page).getByRole("link", { name: "Open the execution" }).click()
    await page.getByRole("treegrid").getByText("Step 1: I write it down.").waitFor()
    await page.getByText(/^\$0\.\d{4}$/).waitFor()
    await keepShot(page, "agents-execution-light")
    expect(problems).toEqual([])
    await context.close()
  })

  test("it is published with a reason, changed, compared, published again and rolled back", async () => {
    const { page, context, problems } = await place.open("/agents/keeper")
    const publish = page.getByRole("dialog", { name: "Publish Ledger keeper" })
    await page.getByRole("button", { name: "Publish" }).click()
    expect(await isOff(page, "Publish the agent")).toBe("true")
    await publish.getByLabel("Reason").fill("First")
    await publish.getByRole("button", { name: "Publish the agent" }).click()
    await page.getByText("Published as version 1.0.0").waitFor()
    await expect.poll(() => page.getByLabel("Slug").getAttribute("readonly")).not.toBeNull()
    await page.getByLabel("Instructions").fill("Keep the ledger well.")
    await page.getByRole("button", { name: "Save the draft" }).click()
    await page.getByText("Changed since published").waitFor()
    await page.getByRole("button", { name: "Publish" }).click()
    await publish.getByText("Keep the ledger well.").first().waitFor()
    await expectAccessible(page, "[role=dialog]")
    await keepShot(page, "agents-publish-light")
    await publish.getByLabel("Reason").fill("Better")
    await publish.getByRole("button", { name: "Publish the agent" }).click()
    await publish.waitFor({ state: "detached" })
    await page.getByRole("tab", { name: "Versions" }).click()
    const versions = page.getByRole("list", { name: "Versions" }).getByRole("listitem")
    await versions.filter({ hasText: "Better" }).filter({ hasText: "In production" }).waitFor()
    await page.getByRole("list", { name: "Changes" }).getByText("Keep the ledger well.").waitFor()
    await expectAccessible(page)
    await keepShot(page, "agents-versions-light")
    await page.getByRole("button", { name: "Roll back to 1.0.0" }).click()
    const back = page.getByRole("dialog", { name: "Roll back to 1.0.0" })
    await back.getByText("Keep the ledger well.").first().waitFor()
    await expectAccessible(page, "[role=dialog]")
    await back.getByRole("button", { name: "Roll back to 1.0.0" }).click()
    await page.getByText(/Rolled back to 1.0.0, as version 1.0.\d/).waitFor()
    await page.getByRole("tab", { name: "Config" }).click()
    await expect.poll(() => page.getByLabel("Instructions").inputValue()).toBe("Keep the ledger.")
    expect(await client.agents.get("keeper")).toMatchObject({ status: "published", instructions: "Keep the ledger." })
    // Somebody else saves while this draft is being written.
    await page.getByLabel("Description").fill("Mine")
    await client.agents.update("keeper", { description: "Theirs" })
    await page.getByText("Somebody else saved this agent meanwhile").waitFor()
    await page.getByRole("button", { name: "Show theirs" }).click()
    await expect.poll(() => page.getByLabel("Description").inputValue()).toBe("Theirs")
    expect(problems).toEqual([])
    await context.close()
  })

  test("a run is cancelled, one that fails says why, and one with an output schema gives JSON", async () => {
    await client.agents.create({
      slug: "totals",
      name: "Totals",
      instructions: "Add up.",
      model: { provider: "local", name: "other" },
      inputSchema: { type: "object", properties: { order: { type: "integer", default: 7 } }, required: ["order"] },
      outputSchema: { type: "object", properties: { total: { type: "number" } }, required: ["total"] },
    })
    const { page, context, problems } = await place.open("/agents/totals?tab=run")
    model.script(() => ({ text: '{"total": 12}' }))
    expect(JSON.parse(await page.getByLabel("Input", { exact: true }).inputValue())).toEqual({ order: 7 })
    await page.getByLabel("Input", { exact: true }).fill("{")
    expect(await isOff(page, "Run the agent")).toBe("true")
    await page.getByLabel("Input", { exact: true }).fill('{"order": 8}')
    await page.getByRole("button", { name: "Run the agent" }).click()
    await run(page).getByText("Completed").waitFor()
    await run(page).getByRole("region", { name: "Answer" }).getByText('"total": 12').waitFor()
    model.script(() => ({ fail: "status", status: 401, message: "no such key" }))
    await page.getByRole("button", { name: "Run the agent" }).click()
    await run(page).getByText("Failed").first().waitFor()
    await run(page)
      .getByText(/model_error|ModelError/)
      .first()
      .waitFor()
    model.script(() => ({ fail: "hang" }))
    await page.getByRole("button", { name: "Run the agent" }).click()
    await run(page).getByText("Running").waitFor()
    await run(page).getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("button", { name: "Cancel the execution" }).click()
    await run(page).getByText("Cancelled").first().waitFor()
    await page.getByRole("button", { name: "Remove…" }).click()
    await page.getByRole("button", { name: "Remove the draft" }).click()
    await page.getByRole("grid", { name: "Agents" }).getByText("keeper").first().waitFor()
    expect((await client.agents.list()).items.map(({ slug }) => slug)).toEqual(["keeper"])
    // The page may ask once more for what it has just removed.
    expect(problems.filter((text) => !text.includes("404"))).toEqual([])
    await context.close()
  })

  test("a token is narrowed by the picker, shown once with what clients are told, works so far, and is revoked", async () => {
    const { page, context, problems } = await place.open("/agents?tab=tokens")
    await page.getByRole("button", { name: "New token" }).click()
    const dialog = page.getByRole("dialog", { name: "New token for an agent" })
    await dialog.getByLabel("Name").fill("Claude on my laptop")
    await dialog.getByLabel("Only some of the tools that you can use").check()
    expect(await isOff(page, "Make the token")).toBe("true")
    await dialog.getByLabel("Search tools").fill("items.get")
    await dialog.getByRole("checkbox", { name: "ledger.org.main.items.get" }).check()
    await expectAccessible(page, "[role=dialog]")
    await keepShot(page, "agents-token-new-light")
    await dialog.getByRole("button", { name: "Make the token" }).click()
    const secret = page.getByRole("dialog", { name: "The token" })
    const token = (await secret.locator("code").first().innerText()).trim()
    expect(await secret.getByLabel("Client's config").innerText()).toContain(`--header "Authorization: Bearer ${token}"`)
    await secret.getByLabel("For").selectOption("cursor")
    const config: unknown = JSON.parse(await secret.getByLabel("Client's config").innerText())
    expect(config).toEqual({ mcpServers: { executor: { url: `${place.server.url}/mcp`, headers: { Authorization: `Bearer ${token}` } } } })
    await expectAccessible(page, "[role=dialog]")
    await keepShot(page, "agents-token-made-light")
    await secret.getByRole("button", { name: "I have copied it" }).click()
    const agent = createClient({ origin: `${place.server.url}/api`, token })
    expect((await agent.tools.list({ integration: "ledger" })).map(({ name }) => name)).toEqual(["items.get"])
    await agent.run("return 1")
    const row = page.getByRole("list", { name: "Tokens" }).getByRole("listitem").filter({ hasText: "Claude on my laptop" })
    await row.getByText("Uses only ledger.items.get").waitFor()
    await page.reload()
    await row.getByText("Last execution").waitFor()
    expect(await page.content()).not.toContain(token)
    await row.getByRole("button", { name: "Revoke Claude on my laptop" }).click()
    await page.getByRole("button", { name: "Revoke the token" }).click()
    await row.waitFor({ state: "detached" })
    await expect(agent.tools.list()).rejects.toMatchObject({ code: "unauthorized" })
    expect(problems).toEqual([])
    await context.close()
  })

  test("whoever has no right reads and runs what is published, and sees why they change nothing", async () => {
    const { page, context, problems } = await place.open("/agents", { token: place.server.tokens.member })
    const list = page.getByRole("grid", { name: "Agents" })
    await list.getByText("Ledger keeper").waitFor()
    expect(await isOff(page, "New agent")).toBe("true")
    await list.getByText("Ledger keeper").click()
    await page.getByText("You can read this. Needs the right registry.write to change it.").waitFor()
    expect(await page.getByLabel("Instructions").getAttribute("readonly")).not.toBeNull()
    for (const name of ["Publish", "Disable…", "Save the draft", "Clear all"]) expect(await isOff(page, name)).toBe("true")
    await page.getByRole("button", { name: "Publish" }).hover()
    await page.getByRole("tooltip", { name: "Needs the right registry.publish" }).waitFor()
    await expectAccessible(page)
    await page.getByRole("tab", { name: "Versions" }).click()
    await page.getByRole("heading", { name: "You may not see this" }).waitFor()
    model.script(() => ({ text: "Hello." }))
    await ask(page, "Hi")
    await happened(page).getByText("Hello.").waitFor()
    expect(problems.filter((text) => !text.includes("403"))).toEqual([])
    await context.close()
  })

  test("without a pointer: the list, the input, the run and the approval", async () => {
    const { page, context, problems } = await place.open("/agents", { hasReducedMotion: true })
    const list = page.getByRole("grid", { name: "Agents" })
    await list.getByText("Ledger keeper").waitFor()
    await list.focus()
    await page.keyboard.press("Enter")
    await page.getByRole("tab", { name: "Config" }).focus()
    await page.keyboard.press("ArrowRight")
    await page.getByLabel("Input", { exact: true }).focus()
    await page.keyboard.type("Both of them.")
    const write = (name: string) => ({ name: create, arguments: { name } })
    model.script([{ calls: [write("milk"), { name: get, arguments: { name: "tea" } }, write("bread")] }, { text: "Both." }])
    await page.keyboard.press("Control+Enter")
    const approve = page.getByRole("button", { name: "Approve 2 calls" })
    await expect.poll(() => approve.getAttribute("aria-disabled")).toBe("false")
    await approve.focus()
    await page.keyboard.press("Enter")
    await run(page).getByText("Completed").waitFor()
    expect(ledger.entries.filter(({ name, method }) => method === "POST" && (name === "milk" || name === "bread"))).toHaveLength(2)
    await page.keyboard.press("g")
    await page.keyboard.press("a")
    await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test.each(["light", "dark"] as const)(
    "every view passes axe in %s, fits a phone, and shows what strangers wrote as text",
    async (theme) => {
      const { page, context, problems } = await place.open("/agents", { theme })
      const name = `<b onclick="alert(1)">${theme}`
      const { id } = await client.agents.create({
        slug: `hostile_${theme}`,
        name,
        description: hostile,
        instructions: hostile,
        model: { provider: "local", name: "scripted" },
        tools: ["ledger.**"],
      })
      await page.getByRole("grid", { name: "Agents" }).getByText(name).waitFor()
      await page.getByRole("grid", { name: "Agents" }).getByText("Published").waitFor()
      await expectAccessible(page)
      await keepShot(page, `agents-${theme}`)
      await page.goto(`${place.server.url}/agents/hostile_${theme}`)
      await page.getByText("This holds characters that are not seen").first().waitFor()
      await page.getByLabel("Search tools").fill("items.")
      await page.getByRole("checkbox", { name: "ledger.org.main.items.get" }).waitFor()
      await expectAccessible(page)
      await keepShot(page, `agents-config-${theme}`)
      model.script([{ reasoning: hostile, text: hostile, calls: [{ name: get, arguments: { name: hostile } }] }, { text: "x".repeat(300) }])
      await ask(page, hostile)
      await happened(page).getByText("x".repeat(300)).waitFor()
      await run(page).getByText("Completed").waitFor()
      await expectAccessible(page)
      await keepShot(page, `agents-run-${theme}`)
      await page.setViewportSize({ width: 390, height: 844 })
      await expectNoSideScroll(page)
      await expectAccessible(page)
      await keepShot(page, `agents-run-phone-${theme}`)
      await page.getByRole("tab", { name: "Config" }).click()
      await expectNoSideScroll(page)
      await keepShot(page, `agents-config-phone-${theme}`)
      for (const path of ["/agents", "/agents?tab=tokens"]) {
        await page.goto(`${place.server.url}${path}`)
        await page
          .getByText(path === "/agents" ? "Ledger keeper" : "Acts for")
          .first()
          .waitFor()
        await expectNoSideScroll(page)
        await expectAccessible(page)
        await keepShot(page, `agents-phone-${path === "/agents" ? "list" : "tokens"}-${theme}`)
      }
      expect(await page.locator("main img, main b").count()).toBe(0)
      expect(problems).toEqual([])
      const broken = JSON.stringify({ error: { code: "forbidden", message: "No.", requestId: "req_1" } })
      for (const path of ["agents", "agents/keeper", "tokens"]) {
        await page.route(new RegExp(`/api/${path}(\\?.*)?$`), (route) =>
          route.fulfill({ status: 403, contentType: "application/json", body: broken }),
        )
        await page.goto(`${place.server.url}/${path === "tokens" ? "agents?tab=tokens" : path}`)
        await page.getByRole("alert").waitFor()
        await expectAccessible(page)
      }
      await client.agents.remove(id)
      await context.close()
    },
  )
})
