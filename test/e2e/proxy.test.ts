// A server behind a proxy with TLS: whose word counts, which addresses are limited, and what is refused without TLS.
import { mkdtempSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { networkInterfaces, tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import { makeAuthority } from "../servers/certificate.ts"
import type { Listening } from "../servers/listen.ts"
import { startTlsProxy } from "../servers/tls-proxy.ts"
import { trustingFetch } from "../servers/trusting-fetch.ts"
import { openCli } from "./cli-run.ts"
import { callTool, connectMcp } from "./mcp-client.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const proxyAddress = "127.9.9.9"
const authority = makeAuthority()
const dataDir = mkdtempSync(join(tmpdir(), "executor-proxy-"))
let proxy: Listening
let product: Product
let publicUrl: string

beforeAll(async () => {
  proxy = await startTlsProxy({
    tls: authority.issue(["executor.test"]),
    localAddress: proxyAddress,
    target: () => new URL(product.url),
  })
  publicUrl = `https://executor.test:${proxy.port}`
  product = await startProduct({
    dataDir,
    args: ["--host", "0.0.0.0"],
    env: {
      EXECUTOR_PUBLIC_URL: publicUrl,
      EXECUTOR_TRUSTED_PROXIES: `${proxyAddress}, 10.250.0.0/16`,
      EXECUTOR_LOG: "debug",
      EXECUTOR_LIMITS: JSON.stringify({ signInAttemptsPerAddressMax: 3 }),
    },
  })
})
afterAll(async () => {
  await proxy.close()
  await product.stop()
})

type Sent = { readonly from?: string; readonly headers?: Record<string, string>; readonly method?: string; readonly body?: string }

/** Through the proxy. All of 127.0.0.0/8 is this machine, so that clients have networks of their own. */
async function visit(path: string, { from = "127.0.0.1", ...init }: Sent = {}): Promise<Response> {
  const visitor = trustingFetch(authority.cert, from)
  const response = await visitor.fetch(`${publicUrl}${path}`, init)
  const text = await response.text()
  await visitor.close()
  return new Response(text === "" ? null : text, { status: response.status, headers: response.headers })
}

const guess = (from: string, headers: Record<string, string> = {}): Promise<Response> =>
  visit("/signin", {
    from,
    method: "POST",
    headers: { "content-type": "application/json", origin: publicUrl, ...headers },
    body: JSON.stringify({ code: "exc_wrong" }),
  })

/** Past the proxy, as whoever reaches the port can. */
function direct(address: string, head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ""
    const socket = connect({ host: address, port: Number(new URL(product.url).port) }, () =>
      socket.end(`${head}\r\nConnection: close\r\n\r\n`),
    )
    socket.setEncoding("utf8").on("data", (chunk: string) => (answer += chunk))
    socket.once("close", () => resolve(answer)).once("error", reject)
  })
}

const addressOf = async (requestId: string | null): Promise<unknown> => {
  const find = (): string | undefined =>
    product
      .output()
      .split("\n")
      .find((line) => line.includes(`"${requestId}"`))
  await expect.poll(find).toBeDefined()
  return (JSON.parse(find() ?? "{}") as Record<string, unknown>)["address"] // a line of the log
}

test("the client's address is the one that the proxy saw, whatever the client claims", async () => {
  for (const headers of [{}, { "x-forwarded-for": "8.8.8.8" }, { "x-forwarded-for": "8.8.8.8, 10.250.1.1", forwarded: "for=9.9.9.9" }]) {
    const response = await visit("/api/health", { from: "127.3.3.3", headers })
    expect(response.status).toBe(200)
    expect(response.headers.get("strict-transport-security")).toBe("max-age=31536000")
    expect(await addressOf(response.headers.get("x-request-id"))).toBe("127.3.3.3")
  }
})

test("past the proxy nobody is believed", async () => {
  const answer = await direct(
    "127.0.0.1",
    "GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 8.8.8.8\r\nX-Forwarded-Proto: https",
  )
  expect(answer).toContain("HTTP/1.1 200 OK")
  expect(answer.toLowerCase()).not.toContain("strict-transport-security")
  expect(await addressOf(/x-request-id: (\S+)/i.exec(answer)?.[1] ?? null)).toBe("127.0.0.1")
})

const network = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === "IPv4" && !one.internal)?.address

test.skipIf(network === undefined)("plain HTTP over the network is refused, also with the public name and a claim of TLS", async () => {
  for (const host of ["executor.test", "localhost"]) {
    const answer = await direct(
      network ?? "",
      `GET /api/health HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: 127.0.0.1`,
    )
    expect(answer).toContain("HTTP/1.1 403")
    expect(answer).toContain(`use ${publicUrl}`)
  }
})

test("a page of another site is refused through the proxy too", async () => {
  expect((await visit("/api/health", { headers: { origin: "https://evil.test" } })).status).toBe(403)
  expect((await visit("/api/health", { headers: { origin: publicUrl.replace("https", "http") } })).status).toBe(403)
  expect((await visit("/api/health", { headers: { origin: publicUrl } })).status).toBe(200)
})

test("sign-in attempts are limited by network, and a code that is good works all the same", async () => {
  const statuses: number[] = []
  // Another claim each time gives no new attempts, nor does another address of the same network.
  for (let count = 0; count < 5; count++)
    statuses.push((await guess(`127.4.4.${count + 1}`, { "x-forwarded-for": `8.8.${count}.8` })).status)
  expect(statuses).toEqual([401, 401, 401, 429, 429])
  const refused = await guess("127.4.4.9")
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(10)
  expect(await refused.json()).toMatchObject({ error: { code: "rate_limited", message: expect.stringContaining("try again in") } })
  expect((await guess("127.5.5.5")).status).toBe(401)

  const { code } = await product.client.sessions.create()
  const signedIn = await visit("/signin", {
    from: "127.4.4.1",
    method: "POST",
    headers: { "content-type": "application/json", origin: publicUrl },
    body: JSON.stringify({ code }),
  })
  expect(signedIn.status).toBe(200)
  expect(signedIn.headers.getSetCookie()[0]).toMatch(
    /^__Host-executor_session_\d+=exs_\S+; Path=\/; .*; HttpOnly; SameSite=Strict; Secure$/,
  )
})

test("streams and MCP go through, and commands on this machine go past", async () => {
  const outside = trustingFetch(authority.cert)
  const client = createClient({ origin: `${publicUrl}/api`, token: product.token, fetch: outside.fetch })
  const { token } = await client.tokens.create({ name: "mcp", kind: "agent" })
  const mcp = await connectMcp(`${publicUrl}/mcp`, { era: "modern", token, fetch: outside.fetch })
  const { structured } = await callTool(mcp, "execute", { code: `console.log("hello"); return 1 + 1` })
  expect(structured).toMatchObject({ status: "completed", result: 2 })
  const [execution] = (await client.executions.list()).items
  const types: string[] = []
  for await (const event of client.executions.events(execution?.executionId ?? "")) types.push(event.type)
  expect(types).toEqual(["end"])
  await mcp.close()
  await outside.close()

  const web = await openCli(dataDir).run(["web", "--no-open"])
  expect(web.stdout).toContain(`${publicUrl}/signin?code=`)
  expect(JSON.parse(readFileSync(join(dataDir, "server.json"), "utf8"))).toMatchObject({ origin: `${product.url}/api`, publicUrl })
})
