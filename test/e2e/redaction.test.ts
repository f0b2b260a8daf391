// Echoes of a credential that are not the credential itself: cut within a text, escaped as other writers do, a key as a user name, a key in lines.
import { createServer } from "node:http"
import type { IncomingMessage } from "node:http"
import { readFileSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { connectMcp } from "./mcp-client.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const key = `sk9/aB&cD'e<F+7=890123456-wXyZ`
const userName = "rk_7f3a91c0de24b8"
const pemLines = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA", "AoIBAQC7VJTUt9Us8cKjMzEfYyjiWA4R4/M2bS1GB4t7"]
const pem = `-----BEGIN PRIVATE KEY-----\n${pemLines.join("\n")}\n-----END PRIVATE KEY-----\n`
const unicode = (char: string): string => `\\u00${char.charCodeAt(0).toString(16)}`

/** How an upstream may quote what it was sent. */
const quotes: Record<string, (sent: string) => string> = {
  cut: (sent) => `The key '${sent.slice(0, 20)}' is not valid here`,
  dots: (sent) => `No access: ${sent.slice(0, -3)}... (see the manual)`,
  slashes: (sent) => JSON.stringify({ sent }).replaceAll("/", "\\/"),
  unicode: (sent) => JSON.stringify({ sent }).replaceAll(/[<>&='+]/g, unicode),
  html: (sent) => `<p>${sent.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("'", "&#39;")}</p>`,
  numbers: (sent) => `<p>${sent.replaceAll(/[&<']/g, (char) => `&#${char.charCodeAt(0)};`)}</p>`,
}

let product: Product
let upstream: Listening
let agent: string

const sentKey = ({ headers }: IncomingMessage): string => String(headers["x-key"] ?? "")
const sentUser = ({ headers }: IncomingMessage): string =>
  Buffer.from((headers.authorization ?? "").replace("Basic ", ""), "base64").toString()

/** Talks about its key on stderr: line by line, and within a line that does not end. */
const program = `
process.stderr.write(process.env.SIGNING_KEY)
process.stderr.write("done\\n")
process.stderr.write(process.env.OTHER_KEY + "x".repeat(4000 - 10) + " the end")
setTimeout(() => process.exit(3), 200)
`

beforeAll(async () => {
  upstream = await listen(
    createServer((request, response) => {
      const how = request.url?.split("/").at(-1) ?? ""
      const quote = quotes[how]
      const body =
        quote === undefined ? { user: sentUser(request), name: sentUser(request).split(":")[0] } : { said: quote(sentKey(request)) }
      response.writeHead(how === "cut" ? 400 : 200, { "content-type": "application/json" }).end(JSON.stringify(body))
    }),
  )
  product = await startProduct({ env: { EXECUTOR_LOG: "info" } })
  const { integrations, connections, tokens } = product.client
  agent = (await tokens.create({ name: "agent", kind: "agent" })).token
  const paths = Object.fromEntries(
    [...Object.keys(quotes), "user"].map((how) => [`/${how}`, { get: { operationId: `${how}/get`, responses: {} } }]),
  )
  const spec = {
    openapi: "3.1.0",
    info: { title: "Echo", version: "1" },
    servers: [{ url: upstream.url }],
    security: [{ k: [] }],
    components: { securitySchemes: { k: { type: "apiKey", in: "header", name: "X-Key" } } },
    paths,
  }
  await integrations.add({ slug: "echo", kind: "openapi", config: { spec } })
  await connections.create({ integration: "echo", auth: { template: "api_key", values: { apiKey: key } } })
  const baseUrl = upstream.url.replace("://", `://${userName}@`)
  await integrations.add({ slug: "named", kind: "openapi", config: { spec: { ...spec, security: [], components: {} }, baseUrl } })
  await connections.create({ integration: "named" })
})
afterAll(async () => {
  await product.stop()
  await upstream.close()
})

const call = (path: string): string => `const answer = await tools.${path}.get(); console.log(answer); return answer`

test.each(Object.keys(quotes))("a key that an upstream quotes as '%s' is in no reply, log or history", async (how) => {
  const reply = await product.request("POST", "/executions", { code: call(`echo.${how}`) }, agent)
  const { executionId } = reply.body as { executionId: string } // the API's answer
  const history = await product.request("GET", `/executions/${executionId}`)
  const client = await connectMcp(`${product.url}/mcp`, { era: "modern", token: agent })
  const overMcp = await client.callTool({ name: "execute", arguments: { code: call(`echo.${how}`) } })
  await client.close()
  for (const shown of [reply.body, history.body, overMcp]) {
    const text = JSON.stringify(shown)
    expect(text).toContain("***")
    // Any six of its characters that need no escape.
    expect(text).not.toMatch(/890123|-wXyZ|sk9[/\\]/)
  }
})

test("a key that stands as the user name of a URL is redacted where it is echoed", async () => {
  const reply = await product.request("POST", "/executions", { code: call("named.user") }, agent)
  expect(reply.body).toMatchObject({ structured: { result: { ok: true, data: { name: "***" } } } })
  expect(JSON.stringify(reply.body)).not.toContain(userName)
  expect(JSON.stringify(await product.client.integrations.list())).not.toContain(userName)
})

test("a key in several lines, or cut out of a long line, is not in what a program's stderr leaves behind", async () => {
  const file = join(product.dataDir, "talkative.cjs")
  writeFileSync(file, program)
  const env = { SIGNING_KEY: pem, OTHER_KEY: "tail-of-a-key-0123456789abcdef" }
  const config = { transport: "stdio", command: process.execPath, args: [file], env }
  await product.client.integrations.add({ slug: "talkative", kind: "mcp", config })
  const made = JSON.stringify(
    await product.client.connections.create({ integration: "talkative" }).catch((error: unknown) => String(error)),
  )
  await expect.poll(() => product.output(), { timeout: 30_000 }).toContain("done")
  for (const text of [made, product.output()]) {
    for (const line of pemLines) expect(text).not.toContain(line)
    expect(text).not.toContain("89abcdef")
  }
})

test("nothing of them is in the store", async () => {
  const texts = readdirSync(product.dataDir)
    .filter((name) => name.startsWith("executor.db"))
    .map((name) => readFileSync(join(product.dataDir, name), "latin1"))
  for (const secret of ["890123456", "-wXyZ", userName, ...pemLines])
    expect([secret, texts.some((text) => text.includes(secret))]).toEqual([secret, false])
})
