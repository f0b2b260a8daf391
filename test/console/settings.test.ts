// Settings in a real browser: notifications with a real receiver, models, credentials, limits, one's own access, and the version.
import { createHmac } from "node:crypto"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { NotificationCreated } from "../../src/core/notifications/notification.ts"
import { keepShot } from "../e2e/browser.ts"
import { createItem, startMcpServer } from "../e2e/mcp-server.ts"
import type { McpTestServer } from "../e2e/mcp-server.ts"
import { startModelServer } from "../servers/model.ts"
import { startReceiver, withStatus } from "../servers/receiver.ts"
import type { Received, Receiver } from "../servers/receiver.ts"
import type { Console } from "./console.ts"
import { expectAccessible, expectNoSideScroll, startConsoleOf } from "./console.ts"

let app: Console<McpTestServer>
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  app = await startConsoleOf(startMcpServer)
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})

function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const [, time = "", signature] = /^t=(\d+),v1=(\w+)$/.exec(headers["x-executor-signature"] ?? "") ?? []
  return createHmac("sha256", secret).update(`${time}.${body}`).digest("hex") === signature
}

test("empty, in both themes and on a phone", async () => {
  for (const theme of ["light", "dark"] as const) {
    const { page, context, problems } = await app.open("/settings", { theme, width: theme === "dark" ? 390 : 1280 })
    await page.getByRole("heading", { name: "Nobody is told yet" }).waitFor()
    await expectAccessible(page)
    await expectNoSideScroll(page)
    await keepShot(page, `settings-empty-${theme}`)
    expect(problems).toEqual([])
    await context.close()
  }
})

test("a webhook is added, tried, changed, switched off, given another secret, and removed", async () => {
  const { page, context, problems } = await app.open("/settings")
  await page.getByRole("button", { name: "Add a notification" }).click()
  const form = page.getByRole("dialog", { name: "Add a notification" })
  await form.getByLabel("Name").fill("On call")
  await form.getByLabel("Address").fill("ftp://hooks.example.com/x")
  await form.getByRole("button", { name: "Add the notification" }).click()
  await form.getByRole("alert").getByText("url must be an http or https address").waitFor()
  await expectAccessible(page, "[role=dialog]")
  await form.getByLabel("Address").fill(`${receiver.url}/on-call`)
  await form.getByLabel("Only these tools").fill("ledger.*\n\nshop.orders.create")
  await form.getByRole("button", { name: "Add the notification" }).click()

  const secretDialog = page.getByRole("dialog", { name: "Signing secret" })
  const first = (await secretDialog.locator("code").first().innerText()).trim()
  expect(first).toMatch(/^whsec_/)
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "settings-secret-light")
  await secretDialog.getByRole("button", { name: "I have copied it" }).click()
  const list = page.getByRole("list", { name: "Notifications" })
  await list.getByText(new URL(receiver.url).host).waitFor()
  expect(await page.content()).not.toContain(first)
  expect(await page.content()).not.toContain("/on-call")

  await list.getByRole("button", { name: "Send a test" }).click()
  await page.getByText("The test arrived at On call: it answered 204").waitFor()
  const [told] = await receiver.seen("/on-call", 1)
  expect(told?.json).toMatchObject({ type: "test" })
  expect(told !== undefined && isSignedWith(first, told)).toBe(true)
  await list.getByText("Delivered").waitFor()

  receiver.answer("/on-call", withStatus(403))
  await list.getByRole("button", { name: "Details" }).click()
  const drawer = page.getByRole("dialog", { name: "On call" })
  await drawer.getByRole("button", { name: "Send a test" }).click()
  const log = drawer.getByRole("list", { name: "Deliveries" })
  await log.getByText("The receiver answered 403").waitFor()
  await expect.poll(() => log.getByRole("listitem").count()).toBe(2)
  expect(await drawer.innerText()).toContain("shop.orders.create")
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "settings-notification-light")

  await drawer.getByRole("button", { name: "Edit" }).click()
  const edit = page.getByRole("dialog", { name: "Change On call" })
  await edit.getByLabel("Name").fill("Night shift")
  await edit.getByLabel("Only these tools").fill("")
  await edit.getByRole("button", { name: "Save" }).click()
  const renamed = page.getByRole("dialog", { name: "Night shift" })
  await renamed.getByText("All", { exact: true }).waitFor()
  expect(page.url()).toContain("notification=ntf_")

  await renamed.getByRole("button", { name: "New secret…" }).click()
  await page.getByRole("button", { name: "Make another secret" }).click()
  const second = (await secretDialog.locator("code").first().innerText()).trim()
  expect(second).toMatch(/^whsec_/)
  expect(second).not.toBe(first)
  await secretDialog.getByRole("button", { name: "I have copied it" }).click()

  await app.server.run(createItem("told"), { token: app.server.tokens.agent })
  await renamed.getByRole("list", { name: "Deliveries" }).getByRole("link", { name: "Approval" }).waitFor()
  const approval = (await receiver.seen("/on-call", 3))[2]
  expect(approval?.json).toMatchObject({ type: "approval.waiting" })
  expect(approval !== undefined && isSignedWith(second, approval)).toBe(true)

  await renamed.getByRole("button", { name: "Switch off" }).click()
  await renamed.getByRole("button", { name: "Switch on" }).waitFor()
  await renamed.getByRole("button", { name: "Remove…" }).click()
  await page.getByRole("button", { name: "Remove the notification" }).click()
  await page.getByRole("heading", { name: "Nobody is told yet" }).waitFor()
  expect((await app.server.call("GET", "/api/notifications")).body).toMatchObject({ items: [] })
  // A browser logs every answer that refuses, such as that about the address.
  expect(problems.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([])
  await context.close()
})

test("names that deceive are text, in both themes and on a phone", async () => {
  const name = `<img src=x onerror=alert(1)> ${"long".repeat(15)}`
  const body = { name, kind: "slack", url: `${receiver.url}/slack`, patterns: ["ledger.*"], enabled: false }
  const { id } = (await app.server.call("POST", "/api/notifications", { body })).body as NotificationCreated // as documented
  for (const theme of ["light", "dark"] as const) {
    const { page, context, problems } = await app.open("/settings?tab=notifications", { theme, width: theme === "light" ? 390 : 1280 })
    const list = page.getByRole("list", { name: "Notifications" })
    await list.getByText("<img src=x").waitFor()
    await list.getByText("Off", { exact: true }).waitFor()
    expect(await list.locator("img").count()).toBe(0)
    await expectAccessible(page)
    await expectNoSideScroll(page)
    await keepShot(page, `settings-list-${theme}`)
    await page.goto(`${app.server.url}/settings?notification=${id}`)
    const drawer = page.getByRole("dialog")
    await drawer.getByText("Nothing was told yet.").waitFor()
    expect(await drawer.getByRole("button", { name: "New secret…" }).count()).toBe(0)
    await expectAccessible(page, "[role=dialog]")
    await expectNoSideScroll(page)
    await keepShot(page, `settings-drawer-${theme}`)
    expect(problems).toEqual([])
    await context.close()
  }
})

test("a list that cannot be read says so, and can be asked for again", async () => {
  const { page, context } = await app.open("/settings?tab=versions")
  await page.route("**/api/notifications?*", (route) =>
    route.fulfill({ status: 409, json: { error: { code: "conflict", message: "Not now", requestId: "req_test" } } }),
  )
  await page.getByRole("tab", { name: "Notifications" }).click()
  await page.getByRole("alert").getByText("Not now").waitFor()
  await expectAccessible(page)
  await page.unroute("**/api/notifications?*")
  await page.getByRole("button", { name: "Try again" }).click()
  await page.getByRole("list", { name: "Notifications" }).waitFor()
  await context.close()
})

test("a member sees why notifications are not theirs, and may let this browser notify them", async () => {
  const { page, context, problems } = await app.open("/settings?add=yes", { token: app.server.tokens.member })
  await page.getByRole("heading", { name: "Notifications are for admins" }).waitFor()
  await page.getByText("Needs the right admin").first().waitFor()
  expect(await page.getByRole("button", { name: "Add a notification" }).getAttribute("aria-disabled")).toBe("true")
  expect(await page.getByRole("dialog").count()).toBe(0)
  const browser = page.getByRole("region", { name: "This browser" })
  // A browser without a screen has nobody to ask.
  await browser.getByText("Blocked").waitFor()
  await context.addInitScript(`
    let permission = "default"
    Object.defineProperty(Notification, "permission", { get: () => permission })
    Notification.requestPermission = async () => (permission = "granted")
  `)
  await page.reload()
  await browser.getByText("Not asked yet").waitFor()
  await browser.getByRole("button", { name: "Allow notifications" }).click()
  await browser.getByText("Allowed").waitFor()
  await expectAccessible(page)
  await keepShot(page, "settings-member-light")
  expect(problems).toEqual([])
  await context.close()
})

test("the version is shown with the store, and leads to the API reference", async () => {
  const { body } = await app.server.call("GET", "/api/health")
  const { version } = body as { version: string } // as documented
  const { page, context, problems } = await app.open("/settings", { theme: "dark" })
  await page.getByRole("tab", { name: "Versions" }).click()
  await page.getByText(version, { exact: true }).last().waitFor()
  await page.getByText("SQLite").waitFor()
  expect(page.url()).toContain("tab=versions")
  await expectAccessible(page)
  await keepShot(page, "settings-versions-dark")
  await page.getByRole("link", { name: "API reference" }).click()
  await page.waitForURL("**/api/docs")
  expect(problems).toEqual([])
  await context.close()
})
const model = `<b>gpt</b>-small`

test("a model provider is added with a price, tried, changed and removed; its key never comes out", async () => {
  const models = await startModelServer([{ text: "ready <b>now</b>" }, { fail: "status", status: 401, message: "bad key" }], {
    apiKey: "sk-models",
  })
  const { page, context, problems } = await app.open("/settings?tab=models")
  await page.getByRole("heading", { name: "No models yet" }).waitFor()
  await page.getByRole("button", { name: "Add a provider" }).click()
  const form = page.getByRole("dialog", { name: "Add a model provider" })
  await form.getByLabel("Kind").selectOption("openai_compatible")
  await form.getByLabel("Name").fill("local")
  await form.getByLabel("Address").fill(models.baseUrl)
  await form.getByLabel("Key").fill("sk-models")
  await form.getByLabel("Model 1", { exact: true }).fill(model)
  await form.getByLabel("Input $ of model 1").fill("1.5")
  expect(await form.getByRole("button", { name: "Add the provider" }).getAttribute("aria-disabled")).toBe("true")
  await form.getByLabel("Output $ of model 1").fill("6")
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "settings-model-form-light")
  await form.getByRole("button", { name: "Add the provider" }).click()
  const list = page.getByRole("list", { name: "Model providers" })
  await list.getByText("$1.5 in, $6 out for a million tokens").waitFor()
  await list.getByRole("button", { name: "Test" }).click()
  await list.getByText("ready <b>now</b>").waitFor()
  expect(models.requests[0]?.headers["authorization"]).toBe("Bearer sk-models")
  await expectAccessible(page)
  await keepShot(page, "settings-models-light")
  await list.getByRole("button", { name: "Test" }).click()
  await list.getByRole("alert").getByText("did not answer").waitFor()
  await list.getByRole("button", { name: "Edit" }).click()
  const edit = page.getByRole("dialog", { name: "Change local" })
  await edit.getByLabel("Input $ of model 1").fill("")
  await edit.getByLabel("Output $ of model 1").fill("")
  await edit.getByRole("button", { name: "Save" }).click()
  await list.getByText("no price").waitFor()
  expect((await app.server.call("GET", "/api/models/providers")).body).toMatchObject({ items: [{ apiKey: "***", models: [model] }] })
  expect(await page.content()).not.toContain("sk-models")
  await list.getByRole("button", { name: "Remove…" }).click()
  await page.getByRole("button", { name: "Remove local" }).click()
  await page.getByRole("heading", { name: "No models yet" }).waitFor()
  expect(problems).toEqual([])
  await context.close()
  await models.close()
})

test("a credential is added, changed without being entered again, and removed", async () => {
  const { page, context, problems } = await app.open("/settings?tab=credentials", { theme: "dark" })
  await page.getByRole("heading", { name: "No credentials yet" }).waitFor()
  await page.getByRole("button", { name: "Add a credential" }).click()
  const form = page.getByRole("dialog", { name: "Add a credential" })
  await form.getByLabel("Label").fill("<img src=x> Serper")
  await form.getByLabel("Provider").fill("web_search")
  await form.getByLabel("Variant").fill("serper")
  await form.getByLabel("Value 1", { exact: true }).fill("serper-secret")
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "settings-credential-form-dark")
  await form.getByRole("button", { name: "Add the credential" }).click()
  const list = page.getByRole("list", { name: "Credentials" })
  await list.getByText("<img src=x> Serper").waitFor()
  await list.getByRole("button", { name: "Edit" }).click()
  const edit = page.getByRole("dialog", { name: /Change/ })
  await edit.getByLabel("Label").fill("Serper")
  await edit.getByRole("button", { name: "Save" }).click()
  await list.getByText("Serper", { exact: true }).waitFor()
  expect((await app.server.call("GET", "/api/credentials")).body).toMatchObject({
    items: [{ label: "Serper", providerVariant: "serper", values: { api_key: "***" } }],
  })
  expect(await page.content()).not.toContain("serper-secret")
  await expectAccessible(page)
  await list.getByRole("button", { name: "Remove…" }).click()
  await page.getByRole("button", { name: "Remove Serper" }).click()
  await page.getByRole("heading", { name: "No credentials yet" }).waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test("limits are read with their reasons, and what was changed beside its default", async () => {
  const { body } = await app.server.call("GET", "/api/limits", { token: app.server.tokens.member })
  const { items } = body as { items: { name: string; value: number; unit: string; reason: string }[] } // as documented
  expect(items).toContainEqual(expect.objectContaining({ name: "callTimeoutMs", default: 60_000, unit: "milliseconds" }))
  const { page, context, problems } = await app.open("/settings?tab=limits", { width: 390, token: app.server.tokens.member })
  const list = page.getByRole("list", { name: "Limits" })
  await expect.poll(() => list.getByRole("listitem").count()).toBe(items.length)
  await expectNoSideScroll(page)
  await page.getByLabel("Filter limits").fill("callTimeoutMs")
  await expect.poll(() => list.getByRole("listitem").count()).toBe(1)
  await list.getByText("1 min").waitFor()
  await list.getByText("A slow upstream must not block an execution forever.").waitFor()
  expect(page.url()).toContain("q=callTimeoutMs")
  await expectAccessible(page)
  await keepShot(page, "settings-limits-light")
  expect(problems).toEqual([])
  await context.close()
})

test("a person ends their other session, and makes and revokes a token; members see why models and credentials are not theirs", async () => {
  const token = app.server.tokens.member
  const other = await app.open("/settings?tab=versions", { token })
  const { page, context, problems } = await app.open("/settings?tab=access", { token, theme: "dark" })
  const sessions = page.getByRole("list", { name: "Sessions" })
  await expect.poll(() => sessions.getByRole("listitem").count()).toBeGreaterThan(1)
  await sessions
    .getByText(/from this server's machine, signed in/)
    .first()
    .waitFor()
  const before = await sessions.getByRole("listitem").count()
  await sessions.getByRole("button", { name: "End" }).first().click()
  await expect.poll(() => sessions.getByRole("listitem").count()).toBe(before - 1)
  await page.getByRole("button", { name: "New token" }).click()
  const form = page.getByRole("dialog", { name: "New token" })
  await form.getByLabel("Name").fill("backup script")
  await expectAccessible(page, "[role=dialog]")
  await form.getByRole("button", { name: "Make the token" }).click()
  const made = (await page.getByRole("dialog", { name: "Your new token" }).getByLabel("Your new token", { exact: true }).innerText()).trim()
  expect(await app.server.call("GET", "/api/me", { token: made })).toMatchObject({ status: 200, body: { id: "member" } })
  await page.getByRole("button", { name: "I have copied it" }).click()
  const row = page.getByRole("list", { name: "Tokens" }).getByRole("listitem").filter({ hasText: "backup script" })
  await row.waitFor()
  await expectAccessible(page)
  await keepShot(page, "settings-access-dark")
  // Nothing that cannot be undone happens at one click.
  await row.getByRole("button", { name: "Revoke the token backup script" }).click()
  const sure = page.getByRole("dialog", { name: "Revoke backup script?" })
  await expectAccessible(page, "[role=dialog]")
  await sure.getByRole("button", { name: "Keep it" }).click()
  await sure.waitFor({ state: "detached" })
  expect(await app.server.call("GET", "/api/me", { token: made })).toMatchObject({ status: 200 })
  await row.getByRole("button", { name: "Revoke the token backup script" }).click()
  await sure.getByRole("button", { name: "Revoke the token" }).click()
  await row.waitFor({ state: "detached" })
  expect((await app.server.call("GET", "/api/me", { token: made })).status).toBe(401)
  for (const [tab, heading, button] of [
    ["Models", "Models are for whoever makes agents", "Add a provider"],
    ["Credentials", "Credentials are for admins", "Add a credential"],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click()
    await page.getByRole("heading", { name: heading }).waitFor()
    expect(await page.getByRole("button", { name: button }).getAttribute("aria-disabled")).toBe("true")
    await expectAccessible(page)
  }
  expect(problems).toEqual([])
  await context.close()
  await other.context.close()
})
