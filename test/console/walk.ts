// How the tests go through every page of the console: several tabs, both themes, and a phone's width.
import type { BrowserContext, Page } from "playwright-core"
import { expect } from "vitest"
import { keepShot } from "../e2e/browser.ts"
import { expectAccessible, ofColours } from "./console.ts"
import type { FilledIds } from "./filled.ts"
import { addressOf, entryOf, routePaths } from "./route-table.ts"
import { watchRequests } from "./settled.ts"

/** Every page and state is opened in it, which on a busy machine takes longer than a test may elsewhere. */
export const walkMs = 900_000

/** Every page with its further states, such as open drawers and tabs. */
export const everyAddress = (ids: FilledIds): readonly string[] =>
  routePaths.flatMap((path) => {
    const address = addressOf(path, ids)
    return [address, ...(entryOf(path).states?.(ids) ?? []).map((state) => `${address}${state}`)]
  })

/** Several at once: pages wait for the server more than for the machine. */
const tabs = 2

export async function eachPage(
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

/** Neither the page nor what scrolls up and down in it scrolls sideways. */
const tooWide = `[document.documentElement, ...document.querySelectorAll("main .overflow-y-auto, [role=dialog] .overflow-y-auto")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map((element) => element.outerHTML.slice(0, 160))
  .join("\\n")`

/** With axe, and in pictures that are kept. */
export async function checkLooks(page: Page, name: string): Promise<void> {
  const within = (await page.getByRole("dialog").count()) > 0 ? "[role=dialog]" : "html"
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page, within, colorScheme === "light" ? {} : ofColours)
    await keepShot(page, `${name}-${colorScheme}`, { isWhole: false })
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.evaluate(tooWide), { timeout: 10_000 }).toBe("")
  await keepShot(page, `${name}-phone`, { isWhole: false })
}
