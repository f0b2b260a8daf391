// A real browser for tests: the one that comes inside an npm package.
import packaged from "@sparticuz/chromium"
import { chromium } from "playwright-core"
import type { Browser } from "playwright-core"

export const startBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await packaged.executablePath(), args: packaged.args, headless: true })

/** Sends what a person's browser sends: without web security it leaves out the `Origin` of its own pages. */
export const startStrictBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await packaged.executablePath(),
    args: packaged.args.filter((arg) => arg !== "--disable-web-security"),
    headless: true,
  })
