// Every page of a server on which nothing is, and of one that fails, in light and dark: axe, and phones.
import { afterAll, beforeAll, test } from "vitest"
import { ExecutorError } from "../../src/core/errors.ts"
import type { ExecutorApi } from "../../src/core/executor-api.ts"
import { startTestServer } from "../../src/surfaces/http/testing/server.ts"
import type { TestServer } from "../../src/surfaces/http/testing/server.ts"
import type { Console } from "./console.ts"
import { openSignedIn, startConsole } from "./console.ts"
import { emptyAddressOf, entryOf, routePaths } from "./route-table.ts"
import { checkLooks, eachPage, walkMs } from "./walk.ts"

let empty: Console
let failing: TestServer
beforeAll(async () => {
  empty = await startConsole()
  failing = await startTestServer({ wrap: failAll })
})
afterAll(async () => {
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

test(
  "empty, every page passes axe in light and dark, and fits a phone",
  async () => {
    const { context, origin } = await openSignedIn(empty.browser, empty.server)
    await eachPage(context, routePaths.map(emptyAddressOf), (page, address) => checkLooks(page, `empty-${address}`), origin)
    await context.close()
  },
  walkMs,
)

test(
  "where the server fails, every page says so, passes axe in light and dark, and fits a phone",
  async () => {
    const { context, origin } = await openSignedIn(empty.browser, failing)
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
  },
  walkMs,
)
