// A server with a certificate of its own, from outside: every kind of client, and certificates that change under load.
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect } from "node:tls"
import type { TLSSocket } from "node:tls"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import { makeAuthority } from "../servers/certificate.ts"
import type { Issued } from "../servers/certificate.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { trustingFetch } from "../servers/trusting-fetch.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { callTool, connectMcp, eras } from "./mcp-client.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const folder = mkdtempSync(join(tmpdir(), "executor-tls-"))
const [certPath, keyPath, caPath] = ["cert.pem", "key.pem", "ca.pem"].map((name) => join(folder, name)) as [string, string, string] // three names
const authority = makeAuthority()
const names = ["executor.test", "localhost", "127.0.0.1"]
const outside = trustingFetch(authority.cert)

let ledger: Ledger
let product: Product
let client: Client
let cli: Cli
let port: number

beforeAll(async () => {
  writeFileSync(caPath, authority.cert)
  install(authority.issue(names))
  ledger = await startLedger()
  product = await startProduct({
    args: ["--tls-cert", certPath, "--tls-key", keyPath],
    env: { EXECUTOR_LIMITS: JSON.stringify({ tlsLookMs: 100 }), EXECUTOR_LOG: "info" },
  })
  port = Number(new URL(product.url).port)
  client = createClient({ origin: `https://executor.test:${port}/api`, token: product.token, fetch: outside.fetch })
  cli = openCli(product.dataDir)
  await client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await client.connections.create({ integration: "ledger" })
})
afterAll(async () => {
  await outside.close()
  await product.stop()
  await ledger.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Each file is replaced at once, and one after the other, as renewal programs do. */
function install({ cert, key }: Issued): void {
  for (const [path, text] of [
    [certPath, cert],
    [keyPath, key],
  ] as const) {
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  }
}

/** A connection of its own, and the certificate that it was shown. */
function openSocket(): Promise<{ socket: TLSSocket; shown: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, servername: "executor.test", ca: authority.cert }, () =>
      resolve({ socket, shown: socket.getPeerCertificate().fingerprint256 }),
    )
    socket.once("error", reject)
  })
}

async function shownNow(): Promise<string> {
  const { socket, shown } = await openSocket()
  socket.destroy()
  return shown
}

function ask(socket: TLSSocket, host = "executor.test"): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once("data", (chunk: Buffer) => resolve(chunk.toString().slice(0, 15))).once("error", reject)
    socket.write(`GET /api/health HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  })
}

test("speaks https alone, and tells browsers to stay with it, except on loopback names", async () => {
  expect(product.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  expect(product.output()).toContain(`https://executor.test:${port}/mcp`)
  const named = await outside.fetch(`https://executor.test:${port}/`)
  expect(named.status).toBe(200)
  expect(named.headers.get("strict-transport-security")).toBe("max-age=31536000")
  for (const host of ["localhost", "127.0.0.1"]) {
    const { status, headers } = await outside.fetch(`https://${host}:${port}/api/health`)
    expect([status, headers.get("strict-transport-security")]).toEqual([200, null])
  }
  const { socket } = await openSocket()
  expect(await ask(socket, "other.test")).toBe("HTTP/1.1 403 Fo")
  socket.destroy()
  await expect(fetch(`http://127.0.0.1:${port}/api/health`)).rejects.toThrow()
})

test.each(eras)("the official MCP client works over https (%s)", async (era) => {
  const { token } = await client.tokens.create({ name: `mcp ${era}`, kind: "agent" })
  const mcp = await connectMcp(`https://executor.test:${port}/mcp`, { era, token, fetch: outside.fetch })
  const { structured } = await callTool(mcp, "execute", { code: `return (await tools.ledger.items.get({ name: "mcp" })).data.name` })
  expect(structured).toMatchObject({ status: "completed", result: "mcp" })
  await mcp.close()
})

test("commands on this machine need no certificate, and print links for people elsewhere", async () => {
  const { origin, publicUrl } = JSON.parse(readFileSync(join(product.dataDir, "server.json"), "utf8")) as Record<string, string> // as it is written
  expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/)
  expect(publicUrl).toBe(`https://executor.test:${port}`)
  const web = await cli.run(["web", "--no-open"])
  expect(web.stdout).toMatch(new RegExp(`^https://executor\\.test:${port}/signin\\?code=exc_\\S+\\n$`))
  const code = new URL(web.stdout.trim()).searchParams.get("code") ?? ""
  expect(web.stderr).toContain(`${origin?.replace(/\/api$/, "")}/signin?code=${code}`)
  const { checks } = (await cli.json(["doctor"], { env: { EXECUTOR_TLS_CERT: certPath, EXECUTOR_TLS_KEY: keyPath } })) as {
    checks: { name: string; status: string; message: string }[]
  }
  expect(checks).toContainEqual({
    name: "certificate",
    status: "ok",
    message: expect.stringContaining("is for executor.test, localhost, 127.0.0.1, until"),
  })
  expect(checks).toContainEqual(expect.objectContaining({ name: "public address", status: "warning" }))
  // The loopback port of the command line is the server itself too.
  await client.integrations.add({ slug: "self", kind: "openapi", config: { spec: { ...ledger.document, servers: [{ url: origin }] } } })
  await client.connections.create({ integration: "self" })
  const own = await client.run(`return await tools.self.items.get({ name: "x" })`)
  expect(JSON.stringify(own)).toContain("Executor's own address")
})

test("a certificate that is not trusted is said so, with what to do; trusted, commands work from elsewhere", async () => {
  const env = { EXECUTOR_ORIGIN: `https://localhost:${port}/api` }
  const refused = await cli.run(["tools", "sources"], { env })
  expect(refused.code).toBe(6)
  expect(refused.stderr).toContain(`The server at https://localhost:${port}/api cannot be trusted`)
  expect(refused.stderr).toContain("set NODE_EXTRA_CA_CERTS to the PEM file")
  expect((await cli.run(["doctor"], { env })).stdout).toContain("NODE_EXTRA_CA_CERTS")
  const trusted = await cli.run(["tools", "sources"], { env: { ...env, NODE_EXTRA_CA_CERTS: caPath } })
  expect(trusted).toMatchObject({ code: 0, stdout: expect.stringContaining("ledger") })
  const unknowing = createClient({ origin: `https://localhost:${port}/api`, token: product.token })
  await expect(unknowing.integrations.list()).rejects.toThrow("NODE_EXTRA_CA_CERTS")
})

test("a new certificate is used from the next connection on; streams and connections that are open stay", async () => {
  await client.policies.create({ owner: "org", pattern: "ledger.**", action: "allow" })
  const running = client.run(`await tools.ledger.items.get({ name: "held", delay: 600_000 }); console.log("went on")`)
  await expect.poll(() => ledger.underWay()).toContain("held")
  const listRunning = async () => (await client.executions.list({ status: "running" })).items.map(({ executionId }) => executionId)
  await expect.poll(listRunning).toHaveLength(1)
  const [id = ""] = await listRunning()
  const events: string[] = []
  const streaming = (async () => {
    for await (const event of client.executions.events(id)) events.push(event.type)
  })()
  const kept = await openSocket()
  expect(await ask(kept.socket)).toBe("HTTP/1.1 200 OK")

  // Clients come and go all the while.
  const problems: unknown[] = []
  let served = 0
  const over = new AbortController()
  const load = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) {
      const visitor = trustingFetch(authority.cert)
      await visitor.fetch(`https://executor.test:${port}/api/health`).then(
        async (response) => (await response.json(), served++),
        (error: unknown) => problems.push(error),
      )
      await visitor.close()
    }
  })
  let before = kept.shown
  for (const signal of ["file", "SIGHUP", "file"]) {
    install(authority.issue(names))
    if (signal === "SIGHUP") process.kill(product.pid, "SIGHUP")
    await expect.poll(shownNow, { timeout: 20_000 }).not.toBe(before)
    before = await shownNow()
  }
  const servedThen = served
  await expect.poll(() => served).toBeGreaterThan(servedThen)
  over.abort()
  await Promise.all(load)
  expect(problems).toEqual([])
  expect(await ask(kept.socket)).toBe("HTTP/1.1 200 OK")
  kept.socket.destroy()

  ledger.release("held")
  await Promise.all([running, streaming])
  expect(events).toContain("log")
})

test("files that cannot be used leave the certificate in place, and the log says why", async () => {
  const before = await shownNow()
  writeFileSync(certPath, authority.issue(["executor.test"], { to: new Date("2020-01-02T00:00:00Z") }).cert)
  await expect.poll(() => product.output()).toMatch(/could not be renewed.*|does not belong/)
  writeFileSync(keyPath, "")
  process.kill(product.pid, "SIGHUP")
  await expect.poll(() => product.output()).toContain("holds no PEM private key")
  expect(await shownNow()).toBe(before)
  install(authority.issue(names))
  await expect.poll(shownNow, { timeout: 20_000 }).not.toBe(before)
})

test.each([
  [
    ["--tls-cert", "/nowhere/cert.pem", "--tls-key", "/nowhere/key.pem"],
    "EXECUTOR_TLS_CERT (--tls-cert): there is no file /nowhere/cert.pem",
  ],
  [["--tls-cert", certPath], "EXECUTOR_TLS_KEY (--tls-key) is missing"],
  [["--tls-cert", certPath, "--tls-key", caPath], "holds no PEM private key"],
])("serve %j", async (args, message) => {
  const elsewhere = openCli(mkdtempSync(join(folder, "data-")))
  const { code, stderr } = await elsewhere.run(["serve", "--port", "0", ...args])
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})
