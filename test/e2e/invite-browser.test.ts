// "Invite your team" in real browsers: an admin invites, a second person accepts with a passkey and approves an agent's call.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Browser, Page } from "playwright-core"
import { startExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import type { ExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import { buildConsole } from "../console/console.ts"
import { addAuthenticator } from "./authenticator.ts"
import { keepShot, keepShots, startStrictBrowser } from "./browser.ts"

let server: ExecutionServer
const browsers: Browser[] = []
let home: string

beforeAll(async () => {
  buildConsole()
  server = await startExecutionServer()
  home = server.url.replace("127.0.0.1", "localhost")
  const role = { id: "approver", name: "Approver", patterns: ["ledger.**"], rights: ["approve:ledger.**"] }
  expect((await server.call("POST", "/api/roles", { body: role })).status).toBe(201)
})
afterAll(async () => {
  for (const browser of browsers) await browser.close()
  await server.close()
})

type Invitation = { readonly id: string; readonly token: string; readonly user: string }

async function invite(body: Record<string, unknown> = {}, token = server.tokens.human): Promise<Invitation> {
  const answer = await server.call("POST", "/api/invitations", { token, body: { roles: ["approver"], ...body } })
  expect(answer.status).toBe(201)
  return answer.body as Invitation // as documented
}

/** A browser of their own, with a device that keeps keys. */
async function somebody(): Promise<Page> {
  const browser = await startStrictBrowser()
  browsers.push(browser)
  const page = await browser.newPage({ viewport: { width: 1100, height: 800 } })
  await addAuthenticator(page)
  return page
}

async function accept(page: Page, token: string, name: string): Promise<void> {
  await page.goto(`${home}/invite#${token}`)
  await page.getByLabel("Your name").fill(name)
  await page.getByRole("button", { name: "Accept with a passkey" }).click()
}

const usersCount = async (): Promise<number> =>
  ((await server.call("GET", "/api/users?limit=100")).body as { items: unknown[] }).items.length
const auditOf = async (action: string) =>
  (
    (await server.call("GET", `/api/audit?action=${action}&limit=100`)).body as {
      items: { outcome: string; principal: { user: string } }[]
    }
  ).items

test("a second person accepts with a passkey, and approves what an agent of the first asks", async () => {
  const { token, user } = await invite({ name: "Anna" })
  const anna = await somebody()
  await anna.goto(`${home}/invite#${token}`)
  await anna.getByRole("button", { name: "Accept with a passkey" }).waitFor()
  await anna.getByText("add a second one on another device").waitFor()
  await keepShot(anna, "invite-light")
  await anna.emulateMedia({ colorScheme: "dark" })
  await anna.setViewportSize({ width: 390, height: 800 })
  await keepShot(anna, "invite-dark-390")
  expect(await anna.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
  await accept(anna, token, "Anna Lee")
  await anna.waitForURL(`${home}/inbox`)
  await anna.getByRole("heading", { name: "Nothing waits for you" }).waitFor()
  await anna.setViewportSize({ width: 1280, height: 800 })
  await anna.getByText("Anna Lee", { exact: true }).waitFor()
  await server.run(`return await tools.ledger.items.create({ name: "from the team" }).unwrap()`, { token: server.tokens.agent })
  expect(server.writes()).not.toContain("from the team")
  await anna.goto(`${home}/inbox`)
  await anna.getByRole("button", { name: /ledger/ }).click()
  await anna.getByRole("region", { name: "The call" }).getByText('"from the team"', { exact: true }).waitFor()
  await keepShot(anna, "team-approval")
  await anna.getByRole("button", { name: "Approve", exact: true }).click()
  await expect.poll(() => server.writes(), { timeout: 30_000 }).toContain("from the team")
  expect((await auditOf("invitation.accept"))[0]).toMatchObject({ outcome: "ok", principal: { user } })
  expect((await auditOf("signin.passkey"))[0]).toMatchObject({ outcome: "ok", principal: { user } })
})

test("two browsers that accept at once become one user", async () => {
  const { token } = await invite({ name: "Bob" })
  const before = await usersCount()
  const pages = [await somebody(), await somebody()]
  await Promise.all(pages.map((page) => accept(page, token, "Bob")))
  const ends = await Promise.all(
    pages.map(async (page) => {
      const refused = page
        .getByRole("status")
        .getByText("This invitation has been used")
        .waitFor()
        .then(() => "refused")
      const accepted = page.waitForURL(`${home}/inbox`).then(() => "accepted")
      return Promise.race([refused, accepted].map((one) => one.catch(() => new Promise<string>(() => {}))))
    }),
  )
  expect(ends.toSorted((a, b) => a.localeCompare(b))).toEqual(["accepted", "refused"])
  expect(await usersCount()).toBe(before)
})

test("a link that is used, revoked, unknown, or from somebody who may not invite any more says so", async () => {
  const page = await somebody()
  const refused = async (token: string, text: string): Promise<void> => {
    await page.goto("about:blank")
    await page.goto(`${home}/invite#${token}`)
    await page.getByRole("heading", { name: "This invitation does not work" }).waitFor()
    expect(await page.getByRole("alert").innerText()).toContain(text)
  }
  const used = await invite({ name: "Carol" })
  await accept(page, used.token, "Carol")
  await page.waitForURL(`${home}/inbox`)
  await refused(used.token, "has been used")
  await keepShot(page, "invite-used")
  const revoked = await invite({ name: "Dora" })
  await server.call("DELETE", `/api/invitations/${revoked.id}`)
  await refused(revoked.token, "revoked")
  await refused("exi_unknown", "does not exist")
  await server.call("PATCH", "/api/users/colleague", { body: { roles: ["admin"] } })
  const lost = await invite({ name: "Emil" }, server.tokens.colleague)
  await server.call("PATCH", "/api/users/colleague", { body: { roles: ["member"] } })
  await refused(lost.token, "may no longer invite people")
  const outcomes = (await auditOf("invitation.open")).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(expect.arrayContaining(["conflict", "forbidden"]))
})

test("an admin's new invitation lets somebody in who lost their device", async () => {
  const first = await invite({ name: "Fay" })
  const page = await somebody()
  await accept(page, first.token, "Fay")
  await page.waitForURL(`${home}/inbox`)
  const again = await invite({ user: first.user, roles: [] })
  const other = await somebody()
  await other.goto(`${home}/invite#${again.token}`)
  await other.locator("dl").getByText("approver").waitFor()
  await accept(other, again.token, "Somebody else")
  await other.waitForURL(`${home}/inbox`)
  await other.getByText("Fay", { exact: true }).waitFor()
})

test("whoever has no role yet is told so, and whom to ask", async () => {
  const { token } = await invite({ name: "Gil", roles: [] })
  const page = await somebody()
  await accept(page, token, "Gil")
  await page.waitForURL(`${home}/inbox`)
  await page.getByText("You have no role yet").waitFor()
  await keepShots(page, "inbox-no-role")
})
