// Every page of the console, empty, filled and failing, in light and dark: axe, phones, the keyboard, and reduced motion.
import type { BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ExecutorError } from "../../src/core/errors.ts"
import type { ExecutorApi } from "../../src/core/executor-api.ts"
import { startTestServer } from "../../src/surfaces/http/testing/server.ts"
import type { TestServer } from "../../src/surfaces/http/testing/server.ts"
import type { Console } from "./console.ts"
import { expectAccessible, ofColours, openSignedIn, startConsoleOf } from "./console.ts"
import type { FilledServer } from "./filled.ts"
import { startFilledServer } from "./filled.ts"
import { addressOf, emptyAddressOf, entryOf, routePaths, routeTable } from "./route-table.ts"
import { keepArtifact, watchRequests } from "./settled.ts"

let app: Console<FilledServer>
let empty: TestServer
let failing: TestServer
beforeAll(async () => {
  app = await startConsoleOf(startFilledServer)
  empty = await startTestServer()
  failing = await startTestServer({ wrap: failAll })
})
afterAll(async () => {
  await app.close()
  await empty.close()
  await failing.close()
})

/** Everything but who is signed in: as a server whose database is gone. */
const failAll = (api: ExecutorApi): ExecutorApi =>
  new Proxy(api, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name === "me" || name === "sessions" || name === "principal") return value
      const fail = (): never => {
        throw new ExecutorError("conflict", "The database does not answer; try again once it does")
      }
      if (typeof value === "function") return fail
      return typeof value === "object" && value !== null ? failGroup(value, fail) : value
    },
  })

/** Groups of calls may have groups of their own. */
const failGroup = (group: object, fail: () => never): object =>
  new Proxy(group, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      return typeof value === "function" ? fail : typeof value === "object" && value !== null ? failGroup(value, fail) : value
    },
  })

/** Every page and state is opened in it, which on a busy machine takes longer than a test may elsewhere. */
const walkMs = 900_000

/** Several at once: pages wait for the server more than for the machine. */
const tabs = 2

async function eachPage(
  context: BrowserContext,
  addresses: readonly string[],
  check: (page: Page, address: string) => Promise<void>,
  origin: string,
): Promise<void> {
  const left = [...addresses]
  const problems: string[] = []
  await Promise.all(
    Array.from({ length: tabs }, async () => {
      const page = await context.newPage()
      const settle = watchRequests(page)
      for (let address = left.shift(); address !== undefined; address = left.shift()) {
        await page.setViewportSize({ width: 1280, height: 844 })
        await page.emulateMedia({ colorScheme: "light" })
        await page.goto(`${origin}${address}`)
        try {
          await settle()
          await check(page, address)
        } catch (error) {
          problems.push(`${address}: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
    }),
  )
  expect(problems.join("\n\n")).toBe("")
}

async function checkLooks(page: Page, name: string): Promise<void> {
  const within = (await page.getByRole("dialog").count()) > 0 ? "[role=dialog]" : "html"
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page, within, colorScheme === "light" ? {} : ofColours)
    await keepArtifact(page, `${name}-${colorScheme}`)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await expect
    .poll(() => page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"), { timeout: 5000 })
    .toBeLessThanOrEqual(0)
  await keepArtifact(page, `${name}-phone`)
}

/** Both walks still find pages to mend; `EXECUTOR_CONSOLE_FULL=1` runs them. */
const fullTest = test.runIf(process.env["EXECUTOR_CONSOLE_FULL"] !== undefined)

test("every route has an entry, and the server serves it", async () => {
  expect(routePaths.filter((path) => routeTable[path] === undefined)).toEqual([])
  expect(routePaths.length).toBeGreaterThan(10)
  for (const path of routePaths) {
    const { status, headers } = await app.server.call("GET", addressOf(path, app.server.ids), {
      token: null,
      headers: { accept: "text/html" },
    })
    expect([path, status, headers.get("content-type")]).toEqual([path, 200, "text/html; charset=utf-8"])
  }
})

fullTest(
  "filled, every page passes axe in light and dark, and fits a phone",
  async () => {
    const { context, origin } = await openSignedIn(app.browser, app.server)
    const titles = new Map(routePaths.map((path) => [addressOf(path, app.server.ids), entryOf(path).title]))
    const addresses = routePaths.flatMap((path) => {
      const address = addressOf(path, app.server.ids)
      return [address, ...(entryOf(path).states?.(app.server.ids) ?? []).map((state) => `${address}${state}`)]
    })
    await eachPage(
      context,
      addresses,
      async (page, address) => {
        const title = titles.get(address)
        if (title !== undefined && title !== null) await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor()
        await checkLooks(page, `filled-${address.replaceAll(/(?:exe|tool|apr)_\w+/g, "id")}`)
      },
      origin,
    )
    await context.close()
  },
  walkMs,
)

test("empty, every page passes axe in light and dark, and fits a phone", async () => {
  const { context, origin } = await openSignedIn(app.browser, empty)
  await eachPage(context, routePaths.map(emptyAddressOf), (page, address) => checkLooks(page, `empty-${address}`), origin)
  await context.close()
})

test("where the server fails, every page says so, passes axe in light and dark, and fits a phone", async () => {
  const { context, origin } = await openSignedIn(app.browser, failing)
  const quiet = new Set(routePaths.filter((path) => entryOf(path).needsNoServer === true).map(emptyAddressOf))
  await eachPage(
    context,
    routePaths.map(emptyAddressOf),
    async (page, address) => {
      if (!quiet.has(address)) await page.getByRole("alert").first().waitFor({ timeout: 10_000 })
      await checkLooks(page, `failing-${address}`)
    },
    origin,
  )
  await context.close()
})

/** What the focus is on, and whether one can see that it is there. */
const focused = `(() => {
  const at = document.activeElement
  if (at === null || at === document.body) return null
  const isSeen = (element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none"
  }
  // Of a list, the row that is chosen shows it.
  const active = document.getElementById(at.getAttribute("aria-activedescendant") ?? "")
  return { what: at.outerHTML.slice(0, 160), isSeen: isSeen(at) || (active !== null && isSeen(active)) }
})()`

const moving = `[...document.querySelectorAll("*")].filter((element) => {
  const { animationName, animationDuration, transitionDuration } = getComputedStyle(element)
  const lasts = (text) => text.split(",").some((one) => Number.parseFloat(one) > 0.01)
  return (animationName !== "none" && lasts(animationDuration)) || lasts(transitionDuration)
}).map((element) => element.outerHTML.slice(0, 160))`

const tabsMax = 30

fullTest("by keyboard alone the content is reached, the focus is always seen, and nothing moves for whoever asks for it", async () => {
  const { context, origin } = await openSignedIn(app.browser, app.server, { reducedMotion: "reduce" })
  const own = routePaths.filter((path) => entryOf(path).title !== null)
  await eachPage(
    context,
    own.map((path) => addressOf(path, app.server.ids)),
    async (page) => {
      await page.keyboard.press("Tab")
      expect(await page.evaluate("document.activeElement?.textContent")).toBe("Skip to content")
      expect(await page.evaluate(focused)).toMatchObject({ isSeen: true })
      await page.keyboard.press("Enter")
      expect(await page.evaluate("document.activeElement?.id")).toBe("main")
      const seen = new Set<string>()
      for (let count = 0; count < tabsMax; count += 1) {
        await page.keyboard.press("Tab")
        const at = (await page.evaluate(focused)) as { what: string; isSeen: boolean } | null // made above
        if (at === null) break
        expect(at).toMatchObject({ isSeen: true })
        seen.add(at.what)
      }
      expect(seen.size).toBeGreaterThan(0)
      await page.keyboard.press("Control+k")
      await page.getByRole("combobox").first().waitFor()
      expect(await page.evaluate(moving)).toEqual([])
      await page.keyboard.press("Escape")
    },
    origin,
  )
  await context.close()
})
