// A running server with its console in a real browser, for the tests of pages.
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { AxeBuilder } from "@axe-core/playwright"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { expect } from "vitest"
import { startTestServer } from "../../src/surfaces/http/testing/server.ts"
import type { TestServer, TestServerOptions } from "../../src/surfaces/http/testing/server.ts"
import { startManyPageBrowser } from "../e2e/browser.ts"

const root = join(import.meta.dirname, "..", "..")

export type Console<Server extends TestServer = TestServer> = {
  readonly server: Server
  readonly browser: Browser
  /** A browser of its own, signed in as whoever has the token, at the path. What the page logs as an error is in `problems`. */
  open(path: string, options?: OpenOptions): Promise<{ page: Page; context: BrowserContext; problems: string[] }>
  close(): Promise<void>
}

export type OpenOptions = {
  readonly token?: string
  readonly theme?: "light" | "dark"
  readonly width?: number
  readonly hasReducedMotion?: boolean
}

export const startConsole = (options: TestServerOptions = {}): Promise<Console> => startConsoleOf(() => startTestServer(options))

/** Of a server with more on it. */
export async function startConsoleOf<Server extends TestServer>(start: () => Promise<Server>): Promise<Console<Server>> {
  buildConsole()
  const server = await start()
  const browser = await startManyPageBrowser()
  return {
    server,
    browser,
    async open(path, { token = server.tokens.human, theme = "light", width = 1280, hasReducedMotion = false } = {}) {
      const context = await browser.newContext({
        colorScheme: theme,
        viewport: { width, height: 844 },
        reducedMotion: hasReducedMotion ? "reduce" : "no-preference",
      })
      const page = await context.newPage()
      const problems: string[] = []
      page.on("console", (message) => (message.type() === "error" ? problems.push(message.text()) : undefined))
      page.on("pageerror", (error) => problems.push(error.message))
      const { body } = await server.call("POST", "/api/sessions", { token })
      const { code } = body as { code: string } // as documented
      await page.goto(`${server.url}/signin?code=${code}&next=${encodeURIComponent(path)}`)
      await page.waitForURL((url) => url.pathname !== "/signin")
      return { page, context, problems }
    },
    async close() {
      await browser.close()
      await server.close()
    },
  }
}

/** A browser of its own that is signed in, without a page yet; for tests that open many. */
export async function openSignedIn(
  browser: Browser,
  server: TestServer,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; origin: string }> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const { body } = await server.call("POST", "/api/sessions", { token: server.tokens.human })
  const { code } = body as { code: string } // as documented
  await page.goto(`${server.url}/signin?code=${code}`)
  await page.waitForURL((url) => url.pathname !== "/signin")
  await page.close()
  return { context, origin: server.url }
}

/** `npm test` has built it; a single file that is run by hand sees the sources of now. */
export function buildConsole(): void {
  if (process.env["EXECUTOR_TEST_BUILT"] !== undefined) return
  execFileSync(join(root, "node_modules", ".bin", "vite"), ["build", "web", "--logLevel", "error"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "production" },
  })
}

/** For the dark theme of what was checked in light: it is the same page in other colours. */
export const ofColours: { readonly rules: string[] } = { rules: ["color-contrast", "link-in-text-block"] }

/** No violation of WCAG 2.2 AA, as far as axe can tell. `within`: the dialog on top, where what it covers cannot be used. */
export async function expectAccessible(page: Page, within: string = "html", only: { readonly rules?: string[] } = {}): Promise<void> {
  await page.locator(within).first().waitFor()
  // What still fades in has other colours than it will have.
  await page.evaluate("Promise.allSettled(document.getAnimations().map(({ finished }) => finished))")
  // Without frames there is nothing to join on a page of its own, which takes longer than the rules.
  expect(await page.locator("iframe, frame").count()).toBe(0)
  const axe = new AxeBuilder({ page }).include(within).setLegacyMode()
  const chosen =
    only.rules === undefined ? axe.withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]) : axe.withRules(only.rules)
  const { violations } = await chosen.analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`)).toEqual([])
}

/** Nothing is wider than the screen. */
export async function expectNoSideScroll(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")).toBe(true)
}
