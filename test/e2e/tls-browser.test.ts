// Signing in with a real browser: over TLS the session's cookie belongs to one host, on plain loopback to one port.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium } from "playwright-core"
import type { Browser, BrowserContext } from "playwright-core"
import packaged from "@sparticuz/chromium"
import { afterAll, beforeAll, expect, test } from "vitest"
import { makeAuthority } from "../servers/certificate.ts"
import { buildConsole } from "../console/console.ts"
import { openCli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const folder = mkdtempSync(join(tmpdir(), "executor-tls-"))
let product: Product
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  buildConsole()
  const { cert, key } = makeAuthority().issue(["executor.test"])
  const [certPath, keyPath] = [join(folder, "cert.pem"), join(folder, "key.pem")]
  writeFileSync(certPath, cert)
  writeFileSync(keyPath, key)
  product = await startProduct({ args: ["--tls-cert", certPath, "--tls-key", keyPath] })
  const args = packaged.args.filter((arg) => arg !== "--disable-web-security")
  browser = await chromium.launch({
    executablePath: await packaged.executablePath(),
    args: [...args, "--host-resolver-rules=MAP executor.test 127.0.0.1"],
    headless: true,
    timeout: 180_000,
  })
  context = await browser.newContext({ ignoreHTTPSErrors: true })
})
afterAll(async () => {
  await browser.close()
  await product.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function signInLinks(): Promise<{ publicLink: string; localLink: string }> {
  const { stdout, stderr } = await openCli(product.dataDir).run(["web", "--no-open"])
  return { publicLink: stdout.trim(), localLink: /http:\/\/127\S+/.exec(stderr)?.[0] ?? "" }
}

async function signIn(link: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(link)
  await page.waitForURL((url) => url.pathname === "/")
  await page.getByRole("button", { name: "Sign out" }).waitFor()
  await page.close()
}

test("over TLS the cookie is this host's alone; on loopback it is this port's; signing out ends one of them", async () => {
  const { port } = new URL(product.url)
  await signIn((await signInLinks()).publicLink)
  const over = await context.cookies()
  expect(over).toEqual([
    expect.objectContaining({
      name: `__Host-executor_session_${port}`,
      domain: "executor.test",
      path: "/",
      httpOnly: true,
      secure: true,
      sameSite: "Strict",
    }),
  ])
  const { localLink } = await signInLinks()
  await signIn(localLink)
  const local = (await context.cookies()).filter(({ domain }) => domain === "127.0.0.1")
  expect(local).toEqual([
    expect.objectContaining({ name: `executor_session_${new URL(localLink).port}`, httpOnly: true, secure: false, sameSite: "Strict" }),
  ])

  const page = await context.newPage()
  await page.goto(`https://executor.test:${port}/inbox`)
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor()
  expect((await context.cookies()).map(({ domain }) => domain)).toEqual(["127.0.0.1"])
})
