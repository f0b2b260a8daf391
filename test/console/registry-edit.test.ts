// Editing a tool's working copy in the browser: from the form over its differences to the publish, with secrets that stay where they are.
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { RegistryToolUpdate, RegistryToolView } from "../../src/core/registry/tool.ts"
import { keepShot } from "../e2e/browser.ts"
import { expectAccessible, expectNoSideScroll } from "./console.ts"
import type { RegistryPlace } from "./registry-seed.ts"
import { startRegistryPlace } from "./registry-seed.ts"

let place: RegistryPlace
let made: RegistryToolView
beforeAll(async () => {
  place = await startRegistryPlace()
  const { id } = await place.client.registry.create({
    name: "Look up",
    slug: "look_up",
    description: "Reads an item.",
    schema: { input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
    implementationType: "http",
    implementationConfig: {
      method: "GET",
      url: `${place.ledgerUrl}/items/{name}`,
      query: { trace: "on" },
      headers: { "X-Api-Key": "s3cret-value" },
    },
    executionConfig: { timeout_s: 5, max_concurrency: 2 },
  })
  made = await place.client.registry.publish(id)
})
afterAll(() => place.close())

const dialog = (page: Page) => page.getByRole("dialog", { name: "Edit Look up" })

/** Saves, and answers with what the API was sent. */
async function save(page: Page): Promise<RegistryToolUpdate> {
  const sent = page.waitForRequest((request) => request.method() !== "GET" && request.url().endsWith(`/tools/${made.id}`))
  await dialog(page).getByRole("button", { name: "Save the working copy" }).click()
  const body = (await sent).postDataJSON() as RegistryToolUpdate // what the console sends
  await page.getByText("The working copy is saved").waitFor()
  await dialog(page).waitFor({ state: "detached" })
  return body
}

test("a working copy is edited, its differences are shown, and it is published; only what was changed is sent", async () => {
  const { page, context, problems } = await place.console.open(`/registry?tool=${made.address}`)
  const drawer = page.getByRole("dialog", { name: "Look up" })
  await drawer.getByRole("button", { name: "Edit", exact: true }).click()
  await page.waitForURL(/[?&]edit=1/)
  expect(await dialog(page).getByLabel("URL").inputValue()).toBe(`${place.ledgerUrl}/items/{name}`)
  expect(await dialog(page).getByLabel("Headers").inputValue()).toBe("X-Api-Key: ••••")
  expect(await dialog(page).getByLabel("Slug").getAttribute("readonly")).not.toBe(null)
  await expectAccessible(page, "[role=dialog]:not([aria-hidden=true])")
  await keepShot(page, "registry-edit-light")
  await dialog(page).getByLabel("Description").fill("Reads one item by its name.")
  expect(await save(page)).toEqual({ description: "Reads one item by its name." })

  await drawer.getByRole("button", { name: "Publish", exact: true }).click()
  const publish = page.getByRole("dialog", { name: "Publish Look up" })
  await publish.getByRole("list", { name: "Changes" }).getByText("The description changed").waitFor()
  await publish.getByLabel("Reason").fill("Says by what")
  await publish.getByRole("button", { name: "Publish the tool" }).click()
  await page.getByText("Published as version 1.0.1").waitFor()
  expect(await place.client.registry.get(made.id)).toMatchObject({ publishedVersion: "1.0.1", hasUnpublishedChanges: false })
  expect(problems).toEqual([])
  await context.close()
})

test("beside a changed header a stored one stays what it is, and what the form does not show is kept", async () => {
  const { page, context, problems } = await place.console.open(`/registry?tool=${made.address}&edit=1`)
  await dialog(page).getByLabel("Headers").fill("X-Api-Key: ••••\nX-Trace: on")
  await dialog(page).getByText("Execution", { exact: true }).click()
  expect(await dialog(page).getByLabel("Calls at once").inputValue()).toBe("2")
  await dialog(page).getByLabel("Calls at once").fill("3")
  expect(await save(page)).toEqual({
    implementationConfig: {
      method: "GET",
      url: `${place.ledgerUrl}/items/{name}`,
      query: { trace: "on" },
      headers: { "X-Api-Key": "***", "X-Trace": "on" },
    },
    executionConfig: { timeout_s: 5, max_concurrency: 3 },
  })
  const { configSchema, hasUnpublishedChanges } = await place.client.registry.get(made.id)
  expect(configSchema).toMatchObject({
    implementation: { headers: { "X-Api-Key": "***", "X-Trace": "***" } },
    execution: { max_concurrency: 3 },
  })
  expect(hasUnpublishedChanges).toBe(true)
  // The changed address gets no secret that was meant for another one, and the form says so.
  await page.goto(`${place.console.server.url}/registry?tool=${made.address}&edit=1`)
  await dialog(page).getByLabel("URL").fill("http://127.0.0.1:1/{name}")
  await dialog(page).getByRole("button", { name: "Save the working copy" }).click()
  await dialog(page).getByRole("alert").filter({ hasText: "send headers.X-Api-Key" }).waitFor()
  expect(await page.content()).not.toContain("s3cret-value")
  expect(problems.filter((text) => !text.includes("400"))).toEqual([])
  await context.close()
})

test("on a phone the form fits, and Escape closes it", async () => {
  const { page, context } = await place.console.open(`/registry/${made.id}?edit=1`, { width: 390, theme: "dark" })
  await dialog(page).getByLabel("Headers").waitFor()
  await expectNoSideScroll(page)
  await expectAccessible(page, "[role=dialog]")
  await keepShot(page, "registry-edit-phone-dark")
  await page.keyboard.press("Escape")
  await dialog(page).waitFor({ state: "detached" })
  expect(new URL(page.url()).searchParams.get("edit")).toBe(null)
  await context.close()
})
