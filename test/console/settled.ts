// Waits for a page of the console that has asked the server all it wants, and shows what came back.
import type { Page, Request } from "playwright-core"
import { expect } from "vitest"

/** Streams never end. */
const isStream = (url: string): boolean => /\/events(?:\?|$)/.test(url)

/** Call it before the page is opened. Answers with what waits for the page to be at rest. */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  let lastAt = Date.now()
  let isLeaving = false
  const isNewPage = (request: Request): boolean => request.isNavigationRequest() && request.frame() === page.mainFrame()
  page.on("request", (request) => {
    if (isNewPage(request)) isLeaving = true
    if (!isStream(request.url())) open.add(request)
  })
  // What the page before has asked for ends with it, which is not always told.
  page.on("framenavigated", (frame) => {
    if (frame !== page.mainFrame() || !isLeaving) return
    isLeaving = false
    for (const request of open) if (!isNewPage(request)) open.delete(request)
  })
  const end = (request: Request): void => {
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
        async () =>
          [
            ...[...open].map((request) => request.url()),
            ...((await page.getByRole("status", { name: "Loading" }).count()) > 0 ? ["something is being loaded"] : []),
            ...(Date.now() - lastAt < quietMs ? ["a request has just ended"] : []),
          ].join("\n"),
        { interval: 50 },
      )
      .toBe("")
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
  }
}

const quietMs = 150
