// `executor demo`, as somebody types it who has nothing yet: by itself, in a browser, and broken off.
import { spawn } from "node:child_process"
import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { Browser, Page } from "playwright-core"
import { startStrictBrowser } from "./browser.ts"
import { openCli } from "./cli-run.ts"

const root = join(import.meta.dirname, "..", "..")
const entry = join(root, process.env["EXECUTOR_TEST_BUILT"] === undefined ? "src/surfaces/cli/main.ts" : "dist/surfaces/cli/main.js")
const script = `const { main } = await import(${JSON.stringify(entry)}); await main(["demo", ...process.argv.slice(1)])`

type Demo = { readonly child: ChildProcessWithoutNullStreams; output(): string; ended: Promise<number | null> }

/** A whole tour, with a browser beside it. */
let scratch: string
let browser: Browser | null = null
const running: ChildProcessWithoutNullStreams[] = []

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "executor-demo-test-"))
  for (const name of ["home", "tmp", "bin"]) mkdirSync(join(scratch, name))
})
afterEach(async () => {
  await browser?.close()
  browser = null
  for (const child of running.splice(0)) child.kill("SIGKILL")
  rmSync(scratch, { recursive: true, force: true })
})

const left = (): string[] => readdirSync(join(scratch, "tmp")).filter((name) => name.startsWith("executor-demo-"))

function startDemo(args: readonly string[], env: Readonly<Record<string, string>> = {}): Demo {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, "--", ...args], {
    cwd: join(scratch, "home"),
    env: { PATH: `${join(scratch, "bin")}:${process.env["PATH"]}`, HOME: join(scratch, "home"), TMPDIR: join(scratch, "tmp"), ...env },
  })
  running.push(child)
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (text += `[stderr] ${chunk}`))
  child.stdin.end()
  return { child, output: () => text, ended: new Promise((resolve) => child.on("close", resolve)) }
}

/** A desktop whose browser writes down what it is asked to open. */
function withDesktop(): { env: Record<string, string>; opened(): Promise<string> } {
  const path = join(scratch, "opened")
  writeFileSync(join(scratch, "bin", "xdg-open"), `#!/bin/sh\nprintf '%s' "$1" > '${path}.part' && mv '${path}.part' '${path}'\n`)
  chmodSync(join(scratch, "bin", "xdg-open"), 0o755)
  return {
    env: { EXECUTOR_OPEN_BROWSER: "1" },
    async opened() {
      while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 50))
      return readFileSync(path, "utf8")
    },
  }
}

async function showPage(url: string): Promise<Page> {
  browser = await startStrictBrowser()
  const page = await browser.newPage()
  await page.goto(url)
  return page
}

test("it shows everything, asks nobody, and leaves nothing behind", async () => {
  const ownData = join(scratch, "home", "own")
  const demo = startDemo(["--yes"], {
    EXECUTOR_DATA_DIR: ownData,
    EXECUTOR_ORIGIN: "http://127.0.0.1:1/api",
    EXECUTOR_TOKEN: "not-mine",
    EXECUTOR_DATABASE_URL: "postgres://127.0.0.1:1/nothing",
  })
  expect(await demo.ended).toBe(0)
  const text = demo.output()
  for (const part of [
    "Connected shop.org.main: 5 tools",
    "shop.org.main.products.list",
    "quantity: number",
    '"name": "Green tea"',
    "There is no order 99",
    "(exit code 3: waiting for a human)",
    "An agent cannot approve",
    "EXPIRES",
    `"id": 3`,
    "asks      done",
    "A policy blocks 'shop.org.main.orders.cancel'",
    "Next steps:",
  ])
    expect(text).toContain(part)
  expect(text).not.toMatch(/a-secret-of-the-shop|\[stderr\]|Warning/)
  expect(left()).toEqual([])
  expect(readdirSync(join(scratch, "home"))).toEqual([])
})

test("a human approves in the browser that it opens", async () => {
  const desktop = withDesktop()
  const demo = startDemo([], desktop.env)
  const page = await showPage(await desktop.opened())
  await page.getByText("Allow 'Order More of a Product'").waitFor()
  expect(await page.locator("body").innerText()).toContain("This line asks")
  await page.getByRole("button", { name: "Approve" }).click()
  expect(await demo.ended).toBe(0)
  expect(demo.output()).toMatch(/The code continued[^]*orders\.create .* asks +done[^]*"productId": ?"tea"/)
  expect(left()).toEqual([])
})

test("a human declines, and what is kept can be looked at", async () => {
  const desktop = withDesktop()
  const demo = startDemo(["--keep"], desktop.env)
  const page = await showPage(await desktop.opened())
  await page.getByRole("button", { name: "Decline" }).click()
  expect(await demo.ended).toBe(0)
  expect(demo.output()).toMatch(/The order was not sent[^]*approval_declined/)
  const [kept = ""] = left()
  const dataDir = join(scratch, "tmp", kept)
  expect(demo.output()).toContain(`EXECUTOR_DATA_DIR=${dataDir} ${join(root, "executor")} executions list`)
  expect(await openCli(dataDir).json(["executions", "list"])).toMatchObject({ items: { length: 3 } })
})

test("Ctrl-C ends it, and it cleans up", async () => {
  const desktop = withDesktop()
  const demo = startDemo([], desktop.env)
  await desktop.opened()
  expect(left()).toHaveLength(1)
  demo.child.kill("SIGINT")
  expect(await demo.ended).toBe(130)
  expect(left()).toEqual([])
})

test("it cleans up as well when nobody reads on", async () => {
  const demo = startDemo(["--yes"])
  await new Promise((resolve) => demo.child.stdout.once("data", resolve))
  demo.child.stdout.destroy()
  await demo.ended
  expect(left()).toEqual([])
})

test("the API alone says where it is, and answers", async () => {
  const demo = startDemo(["--api", "--port", "0"])
  while (!demo.output().includes("Ctrl-C")) await new Promise((resolve) => setTimeout(resolve, 20))
  const url = demo.output().match(/running at (http:\S+)/)?.[1] ?? ""
  expect(await (await fetch(`${url}/products?stockMax=5`)).json()).toEqual([{ id: "tea", name: "Green tea", price: 4.5, stock: 3 }])
  const post = (body: string): Promise<Response> => fetch(`${url}/orders`, { method: "POST", body })
  const statuses = [post("{"), post("null"), post("x".repeat(200_000)), post('{"productId":"tea","quantity":51}'), fetch(`${url}/orders/9`)]
  expect((await Promise.all(statuses)).map((response) => response.status)).toEqual([400, 400, 400, 409, 404])
  const second = startDemo(["--api", "--port", new URL(url).port])
  expect(await second.ended).toBe(2)
  expect(second.output()).toContain("choose another with --port")
  demo.child.kill("SIGINT")
  expect(await demo.ended).toBe(0)
})
