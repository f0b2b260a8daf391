// What people wait for in the console: the first row of a registry with 100,000 tools and of an execution with 1,000 calls,
// beside a page without rows in the same run; how evenly 100,000 rows scroll; and what 200 opened executions leave in memory.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { Page } from "playwright-core"
import { silentLog } from "../src/io/log.ts"
import { readSettings } from "../src/local/settings.ts"
import { openProduct } from "../src/preset/product.ts"
import { connectionRow, integrationRow, toolSet } from "../src/store/testing/samples.ts"
import { startManyPageBrowser } from "../test/e2e/browser.ts"
import { median, quantile, table } from "./measure.ts"
import { send, startServer } from "./product.ts"

const integrations = 50
const toolsEach = 2000
const calls = 1000
const opened = 200
const rounds = 15
const framesMeasured = 600
/** One and a half frames at 60 a second. */
const lateMs = 25
/** From then on what is opened once more must not stay. */
const warmAfter = 20
/** For the way back, the console keeps what was opened half a minute ago. */
const keptMs = 40_000
const growthMax = 1.2

const dataDir = mkdtempSync(join(tmpdir(), "executor-console-"))
await fillCatalog()
const server = await startServer(["bin/executor.js", "serve", "--port", "0"], { EXECUTOR_DATA_DIR: dataDir, EXECUTOR_LOG: "error" })
const token = readFileSync(join(dataDir, "token"), "utf8").trim()
const post = (path: string, body: unknown): Promise<unknown> => send("POST", `${server.url}/api${path}`, body, token)
const browser = await startManyPageBrowser()
try {
  const [large = "", ...small] = await runAll()
  const page = await signIn()
  await measureFirstRows(page, large)
  process.stdout.write("\n")
  await measureScrolling(page)
  process.stdout.write("\n")
  await measureMemory(page, small)
} finally {
  await browser.close()
  await server.stop()
  rmSync(dataDir, { recursive: true })
}

async function measureFirstRows(page: Page, execution: string): Promise<void> {
  const row = (number: number): string => `[role=row][aria-rowindex='${number}']`
  const pages = [
    { name: "a page without rows", path: "/knowledge", selector: "main h2", times: [] as number[] },
    { name: "registry, 100,000 tools", path: "/registry", selector: `${row(2)} bdi`, times: [] as number[] },
    { name: `execution, ${calls} calls`, path: `/executions/${execution}`, selector: row(3), times: [] as number[] },
  ]
  // In turns, because the machine is not equally fast all the time; the first round fills caches.
  for (let round = 0; round <= rounds; round += 1)
    for (const { path, selector, times } of pages) {
      const ms = await open(page, path, selector)
      if (round > 0) times.push(ms)
    }
  const empty = median(pages[0]?.times ?? [])
  table(
    ["time to the first row", "p50 ms", "p95 ms", "× a page without rows"],
    pages.map(({ name, times }) => [name, median(times).toFixed(0), quantile(times, 0.95).toFixed(0), (median(times) / empty).toFixed(2)]),
  )
}

/** From the beginning of the navigation to the frame that has it, by the browser's own clock. */
async function open(page: Page, path: string, selector: string): Promise<number> {
  await page.goto(`${server.url}${path}`, { waitUntil: "commit" })
  return page.evaluate<number>(`new Promise((done) => {
    const look = () => (document.querySelector(${JSON.stringify(selector)}) === null ? requestAnimationFrame(look) : requestAnimationFrame(() => done(performance.now())))
    look()
  })`)
}

/** A wheel that is turned, with a jump through a tenth of it once a second, beside a page on which nothing happens. */
async function measureScrolling(page: Page): Promise<void> {
  const rows: string[][] = []
  for (const [name, step] of [
    ["nothing moves", ""],
    ["registry, 100,000 tools", "grid.scrollTop += frames.length % 60 === 0 ? grid.scrollHeight / 10 : 90"],
  ] as const) {
    await open(page, "/registry", "[role=row][aria-rowindex='2'] bdi")
    const frames = await page.evaluate<number[]>(`new Promise((done) => {
      const grid = document.querySelector("[role=grid]")
      const frames = []
      let before = performance.now()
      const next = (now) => {
        frames.push(now - before)
        before = now
        ${step}
        if (frames.length < ${framesMeasured}) requestAnimationFrame(next)
        else done(frames.slice(1))
      }
      requestAnimationFrame(next)
    })`)
    const late = frames.filter((ms) => ms > lateMs).length / frames.length
    rows.push([name, ...[0.5, 0.95, 0.99].map((share) => quantile(frames, share).toFixed(1)), `${(100 * late).toFixed(1)} %`])
  }
  table(["frames while scrolling", "p50 ms", "p95 ms", "p99 ms", `later than ${lateMs} ms`], rows)
}

/** Within one page, as a person does; after each step what is garbage is collected. */
async function measureMemory(page: Page, ids: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send("HeapProfiler.enable")
  await open(page, "/executions", "[role=row][aria-rowindex='2'] bdi")
  const heaps: { readonly count: string; readonly megabytes: number }[] = []
  for (const [at, id] of ids.entries()) {
    // The router listens for it, as for the Back button.
    await page.evaluate(`history.pushState({}, "", "/executions/${id}"); dispatchEvent(new PopStateEvent("popstate"))`)
    await page.getByText(id).first().waitFor()
    await page.locator("[role=treegrid] [role=row]").nth(2).waitFor()
    const count = at + 1
    if (count !== warmAfter && count % 50 !== 0) continue
    await session.send("HeapProfiler.collectGarbage")
    heaps.push({ count: String(count), megabytes: (await session.send("Runtime.getHeapUsage")).usedSize / 1024 / 1024 })
  }
  await setTimeout(keptMs)
  await session.send("HeapProfiler.collectGarbage")
  heaps.push({ count: "and later", megabytes: (await session.send("Runtime.getHeapUsage")).usedSize / 1024 / 1024 })
  table(["executions opened", ...heaps.map(({ count }) => count)], [["heap, MB", ...heaps.map((heap) => heap.megabytes.toFixed(1))]])
  const growth = (heaps.at(-1)?.megabytes ?? 0) / (heaps[0]?.megabytes ?? 1)
  process.stdout.write(`\nFrom the ${warmAfter}th to the end it grows ${growth.toFixed(2)} times\n`)
  if (growth > growthMax) process.exitCode = 1
}

async function fillCatalog(): Promise<void> {
  const product = await openProduct(readSettings({ EXECUTOR_DATA_DIR: dataDir }), {
    isLoopbackOnly: true,
    startsWarm: false,
    log: silentLog,
    approvalUrl: () => null,
    pagesUrl: () => null,
    publicUrl: () => null,
  })
  const scope = { tenant: "default", user: "local" }
  for (let number = 0; number < integrations; number += 1) {
    const slug = `service_${number}`
    const names = Array.from({ length: toolsEach }, (_, tool) => `area${Math.floor(tool / 50)}.thing${tool}.list`)
    await product.store.integrations.put(scope, integrationRow(slug))
    await product.store.toolSets.put(scope, toolSet(`set_${number}`, names))
    const synced = { toolSetId: `set_${number}`, toolsSyncedAt: new Date().toISOString() }
    await product.store.connections.put(scope, connectionRow(slug, "org", "main", synced))
  }
  await product.core.close()
}

/** One execution with many calls, and many with few. */
async function runAll(): Promise<string[]> {
  const run = async (code: string): Promise<string> => ((await post("/executions", { code })) as { executionId: string }).executionId // documented
  const call = "tools.builtin.datetime_utils({ operation: 'now' })"
  const all = [await run(`for (let at = 0; at < ${calls}; at += 1) await ${call}\nreturn ${calls}`)]
  for (let at = 0; at < opened; at += 1) all.push(await run(`for (let at = 0; at < 20; at += 1) await ${call}\nreturn ${at}`))
  return all
}

async function signIn(): Promise<Page> {
  const { code } = (await post("/sessions", {})) as { code: string } // documented
  const made = await (await browser.newContext({ viewport: { width: 1280, height: 844 } })).newPage()
  await made.goto(`${server.url}/signin?code=${code}&next=%2F`)
  await made.waitForURL((url) => url.pathname === "/")
  return made
}
