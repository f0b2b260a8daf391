// Settings in a real browser: notifications with a real receiver, what others than admins see, and the server's version.
import { createHmac } from "node:crypto"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { NotificationCreated } from "../../src/core/notifications/notification.ts"
import { keepShot } from "../e2e/browser.ts"
import { createItem, startMcpServer } from "../e2e/mcp-server.ts"
import type { McpTestServer } from "../e2e/mcp-server.ts"
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
