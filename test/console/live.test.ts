// What changes on the server while a page is open: it appears by itself, and what begins to wait is told by the browser.
import type { BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import type { ExecutorApi } from "../../src/core/executor-api.ts"
import { createItem } from "../e2e/mcp-server.ts"
import { startExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import type { ExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import type { Console } from "./console.ts"
import { startConsoleOf } from "./console.ts"

let app: Console<ExecutionServer>
let client: Client
/** Once it is aborted, streams of events break, and there are no others. */
let broken = new AbortController()
const withBreaks = (api: ExecutorApi): ExecutorApi => ({
  ...api,
  events: {
    async *follow({ signal, ...options } = {}) {
      broken.signal.throwIfAborted()
      yield* api.events.follow({ ...options, signal: AbortSignal.any([broken.signal, ...(signal === undefined ? [] : [signal])]) })
      broken.signal.throwIfAborted()
    },
  },
})
beforeAll(async () => {
  app = await startConsoleOf(() => startExecutionServer({ wrap: withBreaks }))
  client = createClient({ origin: `${app.server.url}/api`, token: app.server.tokens.human })
})
afterAll(() => app.close())

type Change = {
  readonly path: string
  readonly title: string
  readonly change: () => Promise<unknown>
  /** What appears. */
  readonly text: string | RegExp
}

const changes: readonly Change[] = [
  {
    path: "/audit",
    title: "Audit",
    change: () => client.policies.create({ owner: "org", pattern: "seen.in.audit", action: "block" }),
    text: "policy.create",
  },
  {
    path: "/registry?q=appears",
    title: "Registry",
    change: () =>
      client.registry.create({
        name: "Appears by itself",
        slug: "appears",
        description: "A tool.",
        schema: { input: { type: "object" } },
        implementationType: "custom",
        implementationConfig: { code: "return 1" },
      }),
    text: "Appears by itself",
  },
  {
    path: "/integrations",
    title: "Integrations",
    change: () =>
      client.integrations.add({ slug: "second", name: "Second ledger", kind: "openapi", config: { spec: app.server.ledger.document } }),
    text: "Second ledger",
  },
  {
    path: "/connections",
    title: "Connections",
    change: () => client.connections.create({ integration: "second", name: "appearing" }),
    text: /appearing/,
  },
  {
    path: "/policies",
    title: "Policies",
    change: () => client.policies.create({ owner: "org", pattern: "appears.in.rules", action: "block" }),
    text: "appears.in.rules",
  },
  {
    path: "/knowledge",
    title: "Knowledge",
    change: () => client.pipelines.create({ name: "Appearing handbook", slug: "appearing" }),
    text: "Appearing handbook",
  },
  {
    path: "/settings?tab=credentials",
    title: "Settings",
    change: () =>
      client.credentials.create({ category: "web_search", providerKey: "tavily", label: "Appearing key", values: { apiKey: "k" } }),
    text: "Appearing key",
  },
  {
    path: "/settings?tab=models",
    title: "Settings",
    change: () =>
      client.models.providers.create({ id: "appearing", kind: "openai_compatible", baseUrl: "http://127.0.0.1:1/v1", models: ["one"] }),
    text: "appearing",
  },
  {
    path: "/people",
    title: "People",
    change: () => client.users.create({ id: "appearing", name: "Appears Here", roles: [] }),
    text: "Appears Here",
  },
]

test.each(changes)("with $path open, what is changed elsewhere appears", async ({ path, title, change, text }) => {
  const { page, context, problems } = await app.open(path)
  await page.getByRole("heading", { level: 1, name: title }).waitFor()
  await expect.poll(() => page.getByRole("status", { name: "Loading" }).count()).toBe(0)
  const shown = page.locator("main").getByText(text, { exact: typeof text === "string" })
  expect(await shown.count()).toBe(0)
  await change()
  await shown.first().waitFor()
  expect(problems).toEqual([])
  await context.close()
})

type Told = readonly { readonly title: string; readonly body: string }[]

/** A browser that may notify, and keeps what it told; nobody looks at its tabs. */
async function watchNotifications(context: BrowserContext): Promise<void> {
  await context.addInitScript(`
    globalThis.told = []
    globalThis.Notification = class extends EventTarget {
      static permission = "granted"
      constructor(title, { body }) {
        super()
        told.push({ title, body })
      }
    }
    Object.defineProperty(document, "hidden", { get: () => globalThis.isLookedAt !== true })
  `)
}
const toldOn = async (page: Page): Promise<Told> => (await page.evaluate("told")) as Told // made above
const waiting = (page: Page, count: number) => page.getByRole("navigation").getByLabel(`${count} waiting`).waitFor()

test("on whichever page, of several tabs that nobody looks at one tells what begins to wait, once, without arguments", async () => {
  const { page: first, context } = await app.open("/registry")
  await watchNotifications(context)
  const pages = [first, await context.newPage(), await context.newPage()]
  for (const [at, page] of pages.entries()) {
    await page.goto(`${app.server.url}/${["registry", "audit", "settings"][at] ?? ""}`)
    await page.getByRole("button", { name: "Sign out" }).waitFor()
  }
  const icon = (): Promise<string | null> => first.locator("link[rel=icon]").getAttribute("href")
  expect(await icon()).not.toContain("waiting")
  await app.server.run(createItem("secret-argument"), { token: app.server.tokens.agent })
  for (const page of pages) await waiting(page, 1)
  const all = async (): Promise<Told> => (await Promise.all(pages.map(toldOn))).flat()
  await expect.poll(all).toEqual([{ title: "Executor", body: "1 call is waiting for you" }])
  await expect.poll(icon).toContain("waiting")
  // Whoever looks at one of the tabs sees it there.
  await first.evaluate("isLookedAt = true; document.dispatchEvent(new Event('visibilitychange'))")
  await expect
    .poll(() => first.evaluate("navigator.locks.query().then(({ held }) => held.some(({ name }) => name === 'executor-in-sight'))"))
    .toBe(true)
  await app.server.run(createItem("another"), { token: app.server.tokens.agent })
  for (const page of pages) await waiting(page, 2)
  // They tell in turns, so that whoever is given the turn now comes after all of them.
  for (const page of pages) await page.evaluate("navigator.locks.request('executor-told', () => {})")
  expect(await all()).toHaveLength(1)
  await first.evaluate("isLookedAt = false; document.dispatchEvent(new Event('visibilitychange'))")
  await app.server.run(createItem("third"), { token: app.server.tokens.agent })
  await expect
    .poll(async () => (await all()).map(({ body }) => body).toSorted())
    .toEqual(["1 call is waiting for you", "3 calls are waiting for you"])
  await context.close()
})

test("a stream that breaks is said and taken up again, and what was on the page, or changed meanwhile, is there", async () => {
  const { page, context } = await app.open("/registry?q=meanwhile&new=custom")
  const dialog = page.getByRole("dialog", { name: "New tool" })
  await dialog.getByLabel("Name", { exact: true }).fill("Typed before")
  const gone = page.getByText("Not live: reconnecting…")
  expect(await gone.count()).toBe(0)
  broken.abort()
  await gone.waitFor()
  await client.registry.create({
    name: "Made meanwhile",
    slug: "meanwhile",
    description: "A tool.",
    schema: { input: { type: "object" } },
    implementationType: "custom",
    implementationConfig: { code: "return 1" },
  })
  broken = new AbortController()
  await gone.waitFor({ state: "detached" })
  expect(await dialog.getByLabel("Name", { exact: true }).inputValue()).toBe("Typed before")
  await page.keyboard.press("Escape")
  await page.locator("main").getByText("Made meanwhile").waitFor()
  await context.close()
})
