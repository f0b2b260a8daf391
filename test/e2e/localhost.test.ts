// This machine by its name: pages are at localhost, on both of its addresses, and only where both are this server's.
import { createServer } from "node:http"
import { createConnection, createServer as createSocketServer } from "node:net"
import type { Server } from "node:net"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { listen } from "../servers/listen.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { buildConsole } from "../console/console.ts"
import { startStrictBrowser } from "./browser.ts"
import { openCli } from "./cli-run.ts"
import { signInWithCode } from "./oauth-consent.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

type Answer = { readonly status: number; readonly headers: string; readonly body: string }

/** By hand: \`fetch\` sends the \`Host\` and the headers of a browser that it chooses itself. */
function send(address: string, port: number, lines: readonly string[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let text = ""
    const socket = createConnection({ host: address, port }, () => socket.write(`${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`))
    socket.on("data", (chunk) => (text += chunk.toString()))
    socket.on("error", reject)
    socket.on("end", () => {
      const [headers = "", body = ""] = text.split("\r\n\r\n")
      resolve({ status: Number(headers.split(" ")[1]), headers, body })
    })
  })
}

const portOf = (product: Product): number => Number(new URL(product.url).port)

async function pause(product: Product, ledger: Ledger): Promise<string> {
  await product.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await product.client.connections.create({ integration: "ledger" })
  const { body } = await product.request("POST", "/executions", { code: "return await tools.ledger.items.create({ name: 'x' })" })
  return (body as { structured: { approvalUrl: string } }).structured.approvalUrl // it waits for an approval
}

let ledger: Ledger
beforeAll(async () => {
  buildConsole()
  ledger = await startLedger()
})
afterAll(() => ledger.close())

describe("where both addresses are free", () => {
  let product: Product
  let port: number
  let browser: Browser
  beforeAll(async () => {
    product = await startProduct()
    port = portOf(product)
    browser = await startStrictBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await product.stop()
  })

  test("programs are told the address, and people the name", async () => {
    const output = product.output()
    expect(output).toContain(`is running at http://127.0.0.1:${port}\n`)
    expect(output).toContain(`http://127.0.0.1:${port}/mcp `)
    expect(output).toContain(`http://localhost:${port}/approve `)
    const cli = openCli(product.dataDir)
    const { url } = (await cli.json(["web", "--no-open"])) as { url: string }
    expect(url).toMatch(new RegExp(`^http://localhost:${port}/signin\\?code=`))
    expect((await cli.run(["web", "--no-open"])).stderr).not.toContain("127.0.0.1")
    const { body } = await product.request("POST", "/invitations", { name: "Grace", roles: ["member"] })
    expect(body).toMatchObject({ link: expect.stringMatching(`^http://localhost:${port}/invite#`) })
    expect(await pause(product, ledger)).toMatch(`http://localhost:${port}/approve/`)
  })

  test.each([
    ["127.0.0.1", "127.0.0.1"],
    ["127.0.0.1", "localhost"],
    ["::1", "localhost"],
    ["::1", "[::1]"],
  ])("listens on %s for %s", async (address, host) => {
    const { status, body } = await send(address, port, ["GET /api/health HTTP/1.1", `Host: ${host}:${port}`])
    expect([status, body.includes('"ok"')]).toEqual([200, true])
  })

  test.each([
    ["localhost", "127.0.0.1", 401],
    ["127.0.0.1", "localhost", 401],
    ["localhost", "localhost", 401],
    ["[::1]", "localhost", 403],
    ["localhost", "[::1]", 403],
    ["localhost", "127.0.0.2", 403],
    ["localhost", "evil.example", 403],
    ["evil.example", "evil.example", 403],
  ])("for the host %s, pages of %s are answered with %i", async (host, origin, expected) => {
    for (const address of ["127.0.0.1", "::1"]) {
      const lines = [
        "GET /api/approvals HTTP/1.1",
        `Host: ${host}:${port}`,
        `Origin: http://${origin}:${port}`,
        "X-Executor-Session-Key: exk_x",
      ]
      expect((await send(address, port, lines)).status).toBe(expected)
    }
    const otherPort = [
      "GET /api/approvals HTTP/1.1",
      `Host: ${host}:${port}`,
      `Origin: http://${origin}:1`,
      "X-Executor-Session-Key: exk_x",
    ]
    expect((await send("127.0.0.1", port, otherPort)).status).toBe(403)
  })

  test("a browser that opens the address is led to the name, with the whole of its path", async () => {
    const opened = (path: string, host = `127.0.0.1:${port}`, method = "GET") =>
      send("127.0.0.1", port, [`${method} ${path} HTTP/1.1`, `Host: ${host}`, "Sec-Fetch-Mode: navigate"])
    for (const path of ["/", "/approve/exe_1?x=%2F", "//evil.example/", "/api/oauth/callback?code=a&state=b"]) {
      const { status, headers } = await opened(path)
      expect([status, headers.split("\r\n").filter((line) => /^location/i.test(line))]).toEqual([
        307,
        [`location: http://localhost:${port}${path}`],
      ])
      expect(headers).toMatch(/cache-control: no-store/i)
    }
    // A port that is forwarded by its address may not be forwarded by the name.
    for (const host of [`localhost:${port}`, "127.0.0.1:1", `[::1]:${port}`]) expect((await opened("/", host)).status).toBe(200)
    expect((await opened("/", "evil.example")).status).toBe(403)
    expect((await opened("/signout", `127.0.0.1:${port}`, "POST")).status).not.toBe(307)
    expect((await fetch(`${product.url}/inbox`, { redirect: "manual" })).status).toBe(200)
  })

  test("in a browser, a link by the address signs in at the name, where passkeys work", async () => {
    const { code } = await product.client.sessions.create()
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${product.url}/signin?code=${code}&next=/passkeys`)
    await page.getByRole("button", { name: "Add a passkey" }).waitFor()
    expect(page.url()).toBe(`http://localhost:${port}/passkeys`)
    await page.goto(`${product.url}/approve`)
    await page.getByRole("button", { name: "Sign out" }).waitFor()
    expect(page.url()).toBe(`http://localhost:${port}/inbox`)
    await page.goto(`${product.url}/invite#exi_x`)
    expect(page.url()).toBe(`http://localhost:${port}/invite#exi_x`)
  })

  test("a forwarded port offers passkeys by the name", async () => {
    const { body } = await send("127.0.0.1", port, ["GET /api/signin/methods HTTP/1.1", "Host: 127.0.0.1:1"])
    expect(body).toContain(`"passkeys":{"kind":"elsewhere","url":"http://localhost:1"}`)
  })

  test("tools reach neither address", async () => {
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      const { body } = await product.request("POST", "/integrations/detect", { url: `http://${host}:${port}/api/openapi.json` })
      expect(JSON.stringify(body)).toContain("is Executor's own address")
    }
  })

  test("when it ends, both addresses are free again", async () => {
    const short = await startProduct()
    await short.stop()
    for (const host of ["127.0.0.1", "::1"]) {
      const next = await hold(createSocketServer(), portOf(short), host)
      expect(next.port).toBe(portOf(short))
      await next.close()
    }
  })
})

describe("where another program listens on [::1]", () => {
  let product: Product
  let port: number
  const seen: string[] = []
  beforeAll(async () => {
    const { port: free, close } = await listen(createServer())
    await close()
    port = free
    const stranger = createServer((request, response) => {
      seen.push(request.url ?? "")
      response.end("I am somebody else")
    })
    const held = await hold(stranger, port, "::1")
    product = await startProduct({ args: ["--port", String(port)] })
    return async () => {
      await product.stop()
      await held.close()
    }
  })

  test("says so, and every link is by the address", async () => {
    const output = product.output()
    expect(output).toContain(`Another program listens on [::1]:${port}`)
    expect(output).not.toContain(`http://localhost:${port}`)
    expect(product.pagesUrl).toBe(`http://127.0.0.1:${port}`)
    const { url } = (await openCli(product.dataDir).json(["web", "--no-open"])) as { url: string }
    expect(url).toContain(`http://127.0.0.1:${port}/signin?code=`)
    const { body } = await product.request("POST", "/invitations", { name: "Grace", roles: ["member"] })
    expect(body).toMatchObject({ link: expect.stringMatching(`^http://127.0.0.1:${port}/invite#`) })
    expect(await pause(product, ledger)).toMatch(`http://127.0.0.1:${port}/approve/`)
  })

  test("leads nobody to the other program: no redirect, no passkeys there, no pages of its origin", async () => {
    const opened = await send("127.0.0.1", port, ["GET /signin HTTP/1.1", `Host: 127.0.0.1:${port}`, "Sec-Fetch-Mode: navigate"])
    expect([opened.status, opened.body.includes("localhost")]).toEqual([200, false])
    const methods = await send("127.0.0.1", port, ["GET /api/signin/methods HTTP/1.1", `Host: 127.0.0.1:${port}`])
    expect(methods.body).toContain(`"passkeys":{"kind":"elsewhere","url":null}`)
    const { code } = await product.client.sessions.create()
    const human = await signInWithCode(product.url, code)
    expect((await fetch(`${product.url}/api/approvals`, { headers: human })).status).toBe(200)
    const theirs = { ...human, origin: `http://localhost:${port}` }
    expect((await fetch(`${product.url}/api/approvals`, { headers: theirs })).status).toBe(403)
    expect(seen).toEqual([])
  })
})

test.each(["127.0.0.2", "::1", "localhost"])("the address %s is taken as it is given", async (host) => {
  const product = await startProduct({ env: { EXECUTOR_HOST: host } })
  onTestFinished(() => product.stop())
  expect(product.pagesUrl).toBe(product.url)
  expect((await fetch(`${product.url}/inbox`, { headers: { "sec-fetch-mode": "navigate" }, redirect: "manual" })).status).toBe(200)
})

test("a public address stays the only one that is told", async () => {
  const product = await startProduct({ env: { EXECUTOR_PUBLIC_URL: "https://tools.example", EXECUTOR_TRUSTED_PROXIES: "127.0.0.1" } })
  onTestFinished(() => product.stop())
  expect(product.pagesUrl).toBe("https://tools.example")
  const lines = ["GET /inbox HTTP/1.1", `Host: 127.0.0.1:${portOf(product)}`, "Sec-Fetch-Mode: navigate"]
  expect((await send("127.0.0.1", portOf(product), lines)).status).toBe(200)
})

async function hold(server: Server, port: number, host: string): Promise<{ port: number; close(): Promise<void> }> {
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve))
  return { port, close: () => new Promise((resolve) => server.close(() => resolve())) }
}
