// The pages of whoever is not signed in yet: what they load, where they lead, and that another site signs nobody in.
import { createServer } from "node:http"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import type { Page } from "playwright-core"
import { keepShot } from "../e2e/browser.ts"
import { listen } from "../servers/listen.ts"
import type { Console } from "./console.ts"
import { expectAccessible, expectNoSideScroll, startConsole } from "./console.ts"

let console_: Console
beforeAll(async () => {
  console_ = await startConsole()
})
afterAll(() => console_.close())

async function newCode(): Promise<string> {
  const { body } = await console_.server.call("POST", "/api/sessions")
  return (body as { code: string }).code // as documented
}

async function newPage(options: { theme?: "light" | "dark"; width?: number } = {}): Promise<Page> {
  const { theme = "light", width = 1280 } = options
  const context = await console_.browser.newContext({ colorScheme: theme, viewport: { width, height: 844 } })
  onTestFinished(() => context.close())
  return context.newPage()
}

const keyOf = (page: Page): Promise<unknown> => page.evaluate(`localStorage.getItem("executor-session-key")`)

test.each(["light", "dark"] as const)("every page passes axe and fits a phone in %s", async (theme) => {
  const { url } = console_.server
  const { body } = await console_.server.call("POST", "/api/invitations", {
    body: { name: "<b>Anna</b>", roles: ["member"], email: `${theme}${"a".repeat(50)}@acme.com` },
  })
  const { link } = body as { link: string } // as documented
  for (const [path, heading] of [
    ["/signin", "Sign in"],
    ["/signin/other", "Sign in to other"],
    ["/signin?code=exc_bad", "This sign-in link does not work"],
    ["/signin/oidc/callback?code=a&state=b", "You are not signed in"],
    [`/invite${new URL(link).hash}`, "You are invited"],
    ["/invite#exi_none", "This invitation does not work"],
    ["/authorize?client_id=none", "Sign in to connect a client"],
  ] as const)
    for (const width of [1280, 390]) {
      const page = await newPage({ theme, width })
      await page.goto(url + path)
      await page.getByRole("heading", { name: heading, exact: true }).waitFor()
      await expect.poll(() => page.title()).toBe(`${heading} – Executor`)
      await expectNoSideScroll(page)
      await keepShot(page, `outside-${heading.toLowerCase().replaceAll(/\W+/g, "-")}-${theme}-${width}`)
      if (width === 390) await expectAccessible(page)
    }
})

test("a code that a page of another origin leads to is asked about first, and until then used up by nobody", async () => {
  const code = await newCode()
  const other = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end(`<a href="${console_.server.url}/signin?code=${code}&next=/audit">go</a>`),
  )
  const { url, close } = await listen(other)
  onTestFinished(close)
  for (const from of [url, url.replace("127.0.0.1", "localhost")]) {
    const page = await newPage()
    await page.goto(from)
    await page.getByRole("link", { name: "go" }).click()
    await page.getByRole("heading", { name: "Sign in with this link?" }).waitFor()
    await page.getByText("Another page led you here.").waitFor()
    expect(await keyOf(page)).toBeNull()
    await expectAccessible(page)
    await keepShot(page, "outside-led")
  }
  const page = await newPage()
  await page.goto(url)
  await page.getByRole("link", { name: "go" }).click()
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL(`${console_.server.url}/audit`)
  expect(await keyOf(page)).toMatch(/^exk_/)
})

test("a link leads on within this server alone", async () => {
  const { url } = console_.server
  for (const next of ["//evil.example/", "/\\evil.example/", "https://evil.example/", "javascript:alert(1)", "/\t/evil.example"]) {
    const page = await newPage()
    await page.goto(`${url}/signin?code=${await newCode()}&next=${encodeURIComponent(next)}`)
    await page.waitForURL((at) => at.pathname !== "/signin")
    expect(new URL(page.url()).origin).toBe(url)
  }
})

test("what a provider answered leaves the address at once; without a flow of this tab it signs nobody in", async () => {
  const page = await newPage()
  await page.goto(`${console_.server.url}/signin/oidc/callback?code=stolen&state=guessed`)
  await page.getByRole("alert").waitFor()
  expect(page.url()).toBe(`${console_.server.url}/signin/oidc/callback`)
  expect(await keyOf(page)).toBeNull()
})

test("a page of signing in loads none of the console", async () => {
  const page = await newPage()
  let bytes = 0
  const names: string[] = []
  page.on("response", (response) => {
    if (!response.url().includes("/assets/") || response.url().endsWith(".woff2")) return
    names.push(response.url())
    bytes += Number(response.headers()["content-length"] ?? 0)
  })
  await page.goto(`${console_.server.url}/signin`)
  await page.getByRole("heading", { name: "Sign in" }).waitFor()
  await page.waitForLoadState("networkidle")
  expect(names.length).toBeGreaterThan(2)
  expect(names.join(" ")).not.toMatch(/router|query/)
  // As it is sent, fonts left out: 80 KB when this was written, of which React is 60.
  expect(bytes, names.join(" ")).toBeGreaterThan(30_000)
  expect(bytes, names.join(" ")).toBeLessThan(110_000)
})

test("the pages carry the same policy as the console, and nothing of what came with the address", async () => {
  for (const path of [
    "/signin?code=exc_secret&next=/x",
    "/signin/oidc/callback?code=secret",
    "/invite",
    "/signin/acme",
    "/authorize?client_id=secret&client_id=",
  ]) {
    const { headers, body, status } = await console_.server.call("GET", path, { token: null })
    expect(status).toBe(200)
    const policy = headers.get("content-security-policy") ?? ""
    expect(policy).not.toContain("unsafe")
    for (const part of ["script-src 'self';", "frame-ancestors 'none'", "form-action 'none'"]) expect(policy).toContain(part)
    expect(headers.get("x-frame-options")).toBe("DENY")
    expect(headers.get("cache-control")).toBe("no-store")
    expect(headers.get("referrer-policy")).toBe("no-referrer")
    expect(headers.get("set-cookie")).toBeNull()
    expect(String(body)).not.toMatch(/secret|acme/)
    expect(String(body)).toContain("<noscript>")
  }
})
