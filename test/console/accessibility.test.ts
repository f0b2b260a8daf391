// Every page of the console and every state of it, filled, in light and dark: axe, and phones.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Console } from "./console.ts"
import { openSignedIn, startConsoleOf } from "./console.ts"
import type { FilledServer } from "./filled.ts"
import { startFilledServer } from "./filled.ts"
import { addressOf, entryOf, routePaths, routeTable } from "./route-table.ts"
import { checkLooks, eachPage, everyAddress, walkMs } from "./walk.ts"

let app: Console<FilledServer>
beforeAll(async () => {
  app = await startConsoleOf(startFilledServer)
})
afterAll(() => app.close())

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

test(
  "filled, every page passes axe in light and dark, and fits a phone",
  async () => {
    const { context, origin } = await openSignedIn(app.browser, app.server)
    const titles = new Map(routePaths.map((path) => [addressOf(path, app.server.ids), entryOf(path).title]))
    await eachPage(
      context,
      everyAddress(app.server.ids),
      async (page, address) => {
        const title = titles.get(address)
        if (title !== undefined && title !== null) await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor()
        await checkLooks(page, `filled-${address.replaceAll(/(?:exe|tool|apr|ntf|aud|flow)_[\w-]+/g, "id")}`)
      },
      origin,
    )
    await context.close()
  },
  walkMs,
)
