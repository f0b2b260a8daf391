// Waits for a page of the console that has asked the server all it wants, and shows what came back.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { expect } from "vitest"

/** Streams never end. */
const isStream = (url: string): boolean => /\/events(?:\?|$)/.test(url)

/** Call it before the page is opened. Answers with what waits for the page to be at rest. */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<unknown>()
  let lastAt = Date.now()
  page.on("request", (request) => (isStream(request.url()) ? undefined : open.add(request)))
  const end = (request: unknown): void => {
    lastAt = Date.now()
    open.delete(request)
  }
  page.on("requestfinished", end)
  page.on("requestfailed", end)
  return async () => {
    await page.locator("h1, h2, [role=alert]").first().waitFor()
    // An answer may lead to another question, a frame later.
    await expect
      .poll(
        async () => (await page.getByRole("status", { name: "Loading" }).count()) + open.size + (Date.now() - lastAt < quietMs ? 1 : 0),
        {
          interval: 50,
        },
      )
      .toBe(0)
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
  }
}

const quietMs = 150

const shots = process.env["EXECUTOR_TEST_SHOTS"] ?? join(import.meta.dirname, "..", "..", ".cache", "console-shots")

/** What every page looks like is kept, for people and for the test's artifacts. */
export async function keepArtifact(page: Page, name: string): Promise<void> {
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: join(shots, `${name.replaceAll(/[^\w-]+/g, "_")}.png`) })
}
