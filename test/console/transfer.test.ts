// What a browser really asks for on each page until it is at rest, packed: whatever is loaded behind the page's own files counts as well.
import type { BrowserContext } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { firstLoadMax, kilobyte, lazyParts, pageMax, readBuiltFiles } from "./built-files.ts"
import type { BuiltFiles } from "./built-files.ts"
import { openSignedIn, startConsoleOf } from "./console.ts"
import type { Console } from "./console.ts"
import { startFilledServer } from "./filled.ts"
import type { FilledServer } from "./filled.ts"
import { addressOf, routePaths } from "./route-table.ts"
import { watchRequests } from "./settled.ts"

let app: Console<FilledServer>
let context: BrowserContext
let built: BuiltFiles
let editor: ReadonlySet<string>
let first: Promise<ReadonlySet<string>> | undefined
beforeAll(async () => {
  app = await startConsoleOf(startFilledServer)
  built = readBuiltFiles()
  context = (await openSignedIn(app.browser, app.server)).context
  editor = new Set(
    Object.keys(built.manifest)
      .filter((name) => lazyParts.test(name))
      .flatMap((name) => [...built.of(name)]),
  )
})
afterAll(async () => {
  await context.close()
  await app.close()
})

/** Also those that the browser has kept. */
async function filesAt(path: string): Promise<Set<string>> {
  const page = await context.newPage()
  const files = new Set<string>()
  page.on("request", (request) => {
    const [, file] = /\/(assets\/[^?]+)/.exec(new URL(request.url()).pathname) ?? []
    if (file !== undefined) files.add(file)
  })
  const atRest = watchRequests(page)
  await page.goto(`${app.server.url}${path}`)
  await atRest()
  await page.close()
  return files
}

/** Each of the others is compared with it. */
const firstFiles = (): Promise<ReadonlySet<string>> => (first ??= filesAt("/"))

const isWorker = (file: string): boolean => /worker/.test(file)

test("the first page", async () => {
  const names = [...(await firstFiles())]
  for (const part of [/\.css$/, /\.woff2$/, /\.js$/]) expect(names.some((file) => part.test(file))).toBe(true)
  expect(names.filter((file) => file.includes("palette"))).toEqual([])
  expect(built.sizeOf(names) / kilobyte).toBeLessThanOrEqual(firstLoadMax / kilobyte)
})

test.each(routePaths.filter((path) => path !== "/"))("%s adds at most 40 KB, the editor and its worker apart", async (path) => {
  const known = await firstFiles()
  const files = await filesAt(addressOf(path, app.server.ids))
  expect(files.size).toBeGreaterThan(5)
  const added = [...files].filter((file) => !known.has(file) && !editor.has(file) && !isWorker(file))
  expect(built.sizeOf(added) / kilobyte, added.join(", ")).toBeLessThanOrEqual(pageMax / kilobyte)
})
