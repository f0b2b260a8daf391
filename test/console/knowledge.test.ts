// The page Knowledge in a real browser: pipelines, documents as text and files, indexing that is watched, and queries.
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import { keepShot } from "../e2e/browser.ts"
import type { ModelServer } from "../servers/model.ts"
import { startModelServer } from "../servers/model.ts"
import type { Console } from "./console.ts"
import { expectAccessible, expectNoSideScroll, startConsole } from "./console.ts"

const hostile = "<img src=x onerror=alert(1)>\u202Eevil\u0007"

let app: Console
let model: ModelServer
let client: Client
/** What the embedding endpoint does. */
let endpoint: "answers" | "fails" = "answers"

beforeAll(async () => {
  model = await startModelServer([], {
    dimensions: 32,
    failEmbedding: () => (endpoint === "fails" ? { fail: "status", status: 401, message: "The key has expired" } : undefined),
  })
  app = await startConsole({ limits: { pipelineRetryMs: 200 } })
  client = createClient({ origin: `${app.server.url}/api`, token: app.server.tokens.human })
})
afterAll(async () => {
  await app.close()
  await model.close()
})

const drawerOf = (page: Page, name: string): Locator => page.getByRole("dialog", { name })
const rowOf = (page: Page, text: string): Locator =>
  page.getByRole("grid", { name: "Pipelines" }).getByRole("row").filter({ hasText: text })
const file = (name: string, text: string | Uint8Array) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) })

test("empty, a pipeline is made by keyboard, filled with a text and files, and asked", async () => {
  const { page, context, problems } = await app.open("/knowledge")
  await page.getByRole("heading", { name: "No pipelines yet" }).waitFor()
  await expectAccessible(page)
  await page.getByRole("button", { name: "New pipeline" }).press("Enter")
  const form = page.getByRole("dialog", { name: "New pipeline" })
  await form.getByLabel("Name").fill("Handbook")
  await form.getByLabel("Tokens of a chunk").fill("5")
  await form.getByLabel("Tokens of a chunk").press("Enter")
  await form.getByRole("alert").getByText("chunking.tokens must be a whole number from 20").waitFor()
  await expectAccessible(page, "[role=dialog]")
  await form.getByLabel("Tokens of a chunk").fill("200")
  await form.getByRole("button", { name: "Create the pipeline" }).press("Enter")

  const drawer = drawerOf(page, "Handbook")
  await drawer.getByRole("heading", { name: "No documents yet" }).waitFor()
  expect(new URL(page.url()).searchParams.get("pipeline")).toBe("handbook")
  await drawer.getByRole("button", { name: "Add a text" }).click()
  const text = page.getByRole("dialog", { name: "Add a text" })
  await text.getByLabel("Text").fill("# Holidays\n\nEverybody has thirty days of holiday.")
  await text.getByRole("button", { name: "Add the document" }).click()
  const documents = drawer.getByRole("list", { name: "Documents" })
  await documents.getByText("Holidays").waitFor()

  await drawer
    .getByLabel("Files", { exact: true })
    .first()
    .setInputFiles([
      file("travel.md", "# Travel\n\nTake the train."),
      file("photo.jpg", new Uint8Array([0xff, 0xd8, 0, 1, 2])),
      file("empty.txt", ""),
      file("rooms.html", "<title>Rooms</title><p>The large room has a projector.</p>"),
    ])
  const uploads = drawer.getByRole("list", { name: "Files" })
  await drawer.getByText("4 files handled").waitFor()
  await uploads.getByRole("listitem").filter({ hasText: "travel.md" }).getByText("Added, 1 chunk").waitFor()
  await uploads.getByRole("listitem").filter({ hasText: "photo.jpg" }).getByText("convert it to text, Markdown or HTML first").waitFor()
  await uploads.getByRole("listitem").filter({ hasText: "empty.txt" }).getByText("Add a file that has text").waitFor()
  await expect.poll(() => documents.getByRole("listitem").count()).toBe(3)
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "knowledge-documents-light")
  await drop(page, "travel.md", "# Travel\n\nTake the night train.")
  await uploads.getByText("Replaced, 1 chunk").waitFor()
  await expect.poll(() => documents.getByRole("listitem").count()).toBe(3)

  await drawer.getByLabel("Find documents").fill("ROOMS.h")
  await expect.poll(() => documents.getByRole("listitem").count()).toBe(1)
  await page.waitForURL(/find=ROOMS/)
  await drawer.getByLabel("Find documents").fill("nothing like it")
  await drawer.getByRole("button", { name: "Show all" }).click()
  await expect.poll(() => documents.getByRole("listitem").count()).toBe(3)

  await drawer.getByRole("tab", { name: "Try a query" }).click()
  await drawer.getByLabel("Question").fill("night train")
  await drawer.getByLabel("Question").press("Enter")
  const first = drawer.getByRole("list", { name: "Results" }).getByRole("listitem").first()
  await first.getByText("Take the night train.").waitFor()
  for (const part of ["Travel", "travel.md", "chunk 1", /^score \d/]) await first.getByText(part).first().waitFor()
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "knowledge-query-light")
  await page.reload()
  await first.getByText("Take the night train.").waitFor()
  await drawer.getByLabel("Question").fill("zeppelin")
  await drawer.getByRole("button", { name: "Ask" }).click()
  await drawer.getByRole("heading", { name: "No passage fits this question" }).waitFor()

  await drawer.getByRole("tab", { name: "Documents" }).click()
  await drawer.getByRole("button", { name: "Remove Travel" }).click()
  await page.getByRole("dialog", { name: "Remove Travel?" }).getByRole("button", { name: "Remove the document" }).click()
  await expect.poll(() => documents.getByRole("listitem").count()).toBe(2)
  await page.keyboard.press("Escape")
  await drawer.waitFor({ state: "detached" })
  await rowOf(page, "handbook").getByText("Ready").waitFor()
  // Chunks of 5 tokens, and a photo.
  expect(problems).toEqual(Array.from({ length: 2 }, () => expect.stringContaining("400 (Bad Request)")))
  await context.close()
})

/** As a person drops a file of theirs. */
const drop = (page: Page, name: string, text: string): Promise<unknown> =>
  page.evaluate(`{
    const held = new DataTransfer()
    held.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}))
    const at = document.querySelector('[aria-label="Add documents"] > div')
    at.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: held }))
  }`)

test("another model indexes again beside the old index, which answers until the new one is done, and what fails says so", async () => {
  await client.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: model.baseUrl })
  await client.pipelines.create({ name: "Vectors" })
  await client.pipelines.documents.add("vectors", { source: "tea.md", markdown: "# Tea\n\nGinger tea is served at five." })
  const { page, context } = await app.open("/knowledge?pipeline=vectors&tab=settings")
  const drawer = drawerOf(page, "Vectors")
  await drawer.getByLabel("Embeddings from").selectOption("local")
  await drawer.getByLabel("Model").fill("embed")
  await drawer.getByLabel("Dimensions").fill("32")
  await drawer.getByText("All documents are indexed again. Answers come from the old index until it is done.").waitFor()
  endpoint = "fails"
  await drawer.getByRole("button", { name: "Save and index again" }).click()
  await drawer.getByText("Answers come from the old index until it is done.").first().waitFor()
  await drawer.getByText("The last attempt failed, and is repeated:").waitFor()
  await drawer.getByText("The key has expired").waitFor()
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "knowledge-indexing-light")
  await drawer.getByRole("tab", { name: "Try a query" }).click()
  await drawer.getByLabel("Question").fill("ginger")
  await drawer.getByRole("button", { name: "Ask" }).click()
  await drawer.getByRole("list", { name: "Results" }).getByText("Ginger tea is served at five.").waitFor()
  endpoint = "answers"
  await drawer.getByText("A new index is being built").waitFor({ state: "detached" })
  await expect.poll(async () => (await client.pipelines.get("vectors")).index.status).toBe("ready")
  expect(model.embeddings.length).toBeGreaterThan(0)
  endpoint = "fails"
  await drawer.getByLabel("Question").fill("tea at five")
  await drawer.getByRole("button", { name: "Ask" }).click()
  await drawer.getByText("Degraded (embeddings_unavailable).").waitFor()
  await drawer.getByRole("list", { name: "Results" }).getByText("Ginger tea is served at five.").waitFor()
  await expectAccessible(page, "[role=dialog]")
  endpoint = "answers"
  await drawer.getByRole("tab", { name: "Settings" }).click()
  await drawer.getByRole("button", { name: "Remove…" }).click()
  await page.getByRole("dialog", { name: "Remove Vectors?" }).getByRole("button", { name: "Remove the pipeline" }).click()
  await expect.poll(() => rowOf(page, "vectors").count()).toBe(0)
  await context.close()
})

test("whoever may not edit tools asks, and sees why they cannot change anything", async () => {
  const { page, context, problems } = await app.open("/knowledge?pipeline=handbook", { token: app.server.tokens.member })
  const drawer = drawerOf(page, "Handbook")
  await drawer.getByRole("heading", { name: "The documents are for those who edit tools" }).waitFor()
  for (const name of ["Choose files", "Add a text"]) {
    const button = drawer.getByRole("button", { name })
    expect(await button.getAttribute("aria-disabled")).toBe("true")
    await button.hover()
    await page.getByRole("tooltip", { name: "Needs the right registry.write" }).waitFor()
  }
  await drawer.getByRole("tab", { name: "Settings" }).click()
  expect(await drawer.getByRole("button", { name: "Save" }).getAttribute("aria-disabled")).toBe("true")
  expect(await drawer.getByRole("button", { name: "Remove…" }).getAttribute("aria-disabled")).toBe("true")
  expect(await drawer.getByLabel("Name").isDisabled()).toBe(true)
  await expectAccessible(page, "[role=dialog]")
  await drawer.getByRole("tab", { name: "Try a query" }).click()
  await drawer.getByLabel("Question").fill("holiday")
  await drawer.getByRole("button", { name: "Ask" }).click()
  await drawer.getByRole("list", { name: "Results" }).getByText("thirty days").waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test.each(["light", "dark"] as const)("in %s, and on a phone, what strangers wrote is text", async (theme) => {
  const slug = `hostile_${theme}`
  await client.pipelines.create({ name: `<img src=x onerror=alert(1)> ${theme}`, slug })
  await client.pipelines.documents.add(slug, { title: hostile, source: "docs/<b>\u202Etxt.exe", text: `${hostile} is a document` })
  const { page, context, problems } = await app.open("/knowledge", { theme })
  await rowOf(page, slug).waitFor()
  await expectAccessible(page)
  await keepShot(page, `knowledge-${theme}`)
  await rowOf(page, slug).click()
  const drawer = page.getByRole("dialog")
  await drawer.getByText("\\u202eevil").first().waitFor()
  await expectAccessible(page, "[role=dialog]")
  await page.setViewportSize({ width: 390, height: 844 })
  await drawer.getByRole("tab", { name: "Try a query" }).click()
  await drawer.getByLabel("Question").fill("document")
  await drawer.getByLabel("Question").press("Enter")
  await drawer.getByRole("list", { name: "Results" }).getByText("is a document").waitFor()
  expect(await page.locator("img").count()).toBe(0)
  await expectNoSideScroll(page)
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, `knowledge-query-phone-${theme}`)
  await page.keyboard.press("Escape")
  await drawer.waitFor({ state: "detached" })
  await expectNoSideScroll(page)
  await expectAccessible(page)
  await keepShot(page, `knowledge-phone-${theme}`)
  await page.getByLabel("Filter pipelines").fill("handbook")
  await expect.poll(() => rowOf(page, slug).count()).toBe(0)
  expect(problems).toEqual([])
  await context.close()
})
