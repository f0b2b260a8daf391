// A real browser for tests: the one that comes inside an npm package.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import packaged from "@sparticuz/chromium"
import { chromium } from "playwright-core"
import type { Browser, Page } from "playwright-core"

/** On a busy machine a browser takes its time to unpack and to start. */
const launchMs = 180_000

export const startBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await packaged.executablePath(), args: packaged.args, headless: true, timeout: launchMs })

/** Sends what a person's browser sends: without web security it leaves out the `Origin` of its own pages. */
export const startStrictBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await packaged.executablePath(),
    args: packaged.args.filter((arg) => arg !== "--disable-web-security"),
    headless: true,
    timeout: launchMs,
  })

/** The same with processes of its own for pages, so that a browser context can be closed without ending the whole browser. */
export const startManyPageBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await packaged.executablePath(),
    args: packaged.args.filter((arg) => arg !== "--disable-web-security" && arg !== "--single-process"),
    headless: true,
    timeout: launchMs,
  })

/** Left out of git; `EXECUTOR_TEST_SHOTS=<directory>` keeps them elsewhere. */
const shots = process.env["EXECUTOR_TEST_SHOTS"] ?? join(import.meta.dirname, "..", "..", ".cache", "console-shots")

/** What a page looks like is kept, for people and for the artifacts of a run. `isWhole`: also what is out of sight. */
export async function keepShot(page: Page, name: string, { isWhole = true } = {}): Promise<void> {
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: join(shots, `${name.replaceAll(/[^\w-]+/g, "_")}.png`), fullPage: isWhole })
}

/** The same in light and dark, on a wide screen and on a phone. */
export async function keepShots(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [1100, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.emulateMedia({ colorScheme })
      await keepShot(page, `${name}-${colorScheme}-${width}`)
    }
  await page.emulateMedia({ colorScheme: null })
  if (before !== null) await page.setViewportSize(before)
}
