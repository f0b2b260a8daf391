// A secret of a registry tool stays with its origin, whatever somebody tries who may edit the tool and does not know it.
import { createServer } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Client } from "../../src/surfaces/client/index.ts"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const key = "planted-home-5f1c9e7a2b4d8063"
const otherKey = "planted-other-0d7e6a9c31f2b854"

type Host = Listening & { readonly seen: string[] }
let product: Product
let client: Client
let home: Host
let thief: Host
let elsewhere: Host

/** Keeps what it was sent; `/away/307` redirects to the thief. */
async function startHost(): Promise<Host> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    const { rawHeaders, url = "" } = request
    seen.push(JSON.stringify([url, rawHeaders]))
    const status = /^\/away\/(\d+)/.exec(url)?.[1]
    if (status === undefined) response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ url }))
    else response.writeHead(Number(status), { location: `${thief.url}/taken` }).end()
  })
  return { ...(await listen(server)), seen }
}

beforeAll(async () => {
  ;[home, thief, elsewhere] = await Promise.all([startHost(), startHost(), startHost()])
  product = await startProduct({ env: { EXECUTOR_ALLOW_PRIVATE_HOSTS: "127.0.0.1" } })
  client = product.client
  await client.policies.create({ owner: "org", pattern: "registry.**", action: "allow" })
})
afterAll(async () => {
  expect(thief.seen.join()).not.toContain("planted")
  await product.stop()
  for (const host of [home, thief, elsewhere]) await host.close()
})

const schema = { input: { type: "object", properties: { how: { type: "string" } }, additionalProperties: true } }
const headers = { "x-api-key": "***" }
const make = async (slug: string, url: string, more: object = {}): Promise<string> => {
  const implementationConfig = { method: "GET", url, headers: { "x-api-key": key }, ...more }
  const { id } = await client.registry.create({
    name: slug,
    slug,
    description: "",
    schema,
    implementationType: "http",
    implementationConfig,
  })
  await client.registry.publish(id)
  return id
}
const put = async (id: string, implementationConfig: object, more: object = {}) =>
  product.request("PUT", `/tools/${id}`, { implementationConfig, ...more })
const resend = { error: { code: "invalid_request", message: expect.stringMatching(/send headers\.x-api-key again/) as string } }

test.each([
  ["http", "http://api.example.com/"],
  ["another port", "https://api.example.com:444/"],
  ["the port of http", "https://api.example.com:80/"],
  ["https on the port of http", "http://api.example.com:443/"],
  ["a dot at the end", "https://api.example.com./"],
  ["a longer name", "https://api.example.com.evil.test/"],
  ["a shorter name", "https://example.com/"],
  ["another alphabet", "https://\u0430pi.example.com/"],
  ["an address", "https://[2001:db8::1]/"],
  ["encoded braces", "https://api.example.com%7Bhow%7D/"],
])("with %s it must be sent again", async (name, url) => {
  const id = await make(`to_${name.replaceAll(" ", "_")}`, "https://api.example.com/")
  expect(await put(id, { method: "GET", url, headers })).toMatchObject({ status: 400, body: resend })
  const { configSchema } = await client.registry.get(id)
  expect(configSchema.implementation).toMatchObject({ url: "https://api.example.com/", headers })
})

test.each([
  ["a user name", "https://api.example.com@evil.test/"],
  ["a user name in front of its host", "https://evil.test@api.example.com/"],
  ["{name} for its host", "https://{how}/"],
  ["{name} in its host", "https://api.example.com{how}/"],
  ["{name} for its port", "https://api.example.com:{how}/"],
  ["{name} for its scheme", "{how}://api.example.com/"],
  ["a backslash", "https://evil.test\\@api.example.com/"],
  ["a backslash for slashes", "https:/\\evil.test/"],
  ["one slash", "https:/evil.test/"],
  ["three slashes", "https:///evil.test/"],
  ["no slash", "https:evil.test"],
  ["a tab", "https://ev\til.test/"],
  ["a line break", "https://api.example.com\n.evil.test/"],
  ["another slash", "https://evil.test\uFF0F.api.example.com/"],
  ["a soft hyphen", "https://api.example\u00AD.com/"],
  ["another scheme", "ftp://api.example.com/"],
  ["a file", "file:///etc/passwd"],
])("an address with %s is refused", async (name, url) => {
  const id = await make(`bad_${name.replaceAll(/[^a-z]+/g, "_").replaceAll(/^_|_$/g, "")}_x`, "https://api.example.com/")
  for (const given of [headers, { "x-api-key": key }])
    expect(await put(id, { method: "GET", url, headers: given })).toMatchObject({ status: 400 })
})

test.each([
  ["port_of_https", "https://api.example.com/", "https://api.example.com:443/v2"],
  ["port_of_http", "http://api.example.com:80/", "http://api.example.com/v2"],
  ["upper_case", "https://api.example.com/", "HTTPS://API.example.COM/v2"],
  ["idn", "https://b\u00FCcher.example.com/", "https://xn--bcher-kva.example.com/v2"],
  ["wide_letters", "https://api.example.com/", "https://\uFF41pi.example.com/v2"],
])("the same origin, written otherwise, keeps it: %s", async (slug, before, after) => {
  const id = await make(slug, before)
  expect(await put(id, { method: "GET", url: after, headers })).toMatchObject({ status: 200 })
})

test("a number that is the same address keeps it, and it goes there", async () => {
  const id = await make("number", `${home.url}/`)
  const url = `HTTP://2130706433:${home.port}/again`
  expect(await put(id, { method: "GET", url, headers })).toMatchObject({ status: 200 })
  expect(await client.registry.test(id, {})).toMatchObject({ ok: true })
  expect(home.seen.at(-1)).toContain(key)
})

test("no other field, type or place takes it along", async () => {
  const id = await make("fields", `${home.url}/`, { query: { token: key } })
  const kept = { method: "GET", url: `${home.url}/`, headers }
  expect(await put(id, { ...kept, server_url: thief.url })).toMatchObject({ status: 400 })
  expect(await put(id, { ...kept, baseUrl: thief.url })).toMatchObject({ status: 400 })
  for (const server of [thief.url, home.url]) {
    const mcp = { server_url: `${server}/`, tool_name: "x", headers }
    expect(await put(id, mcp, { implementationType: "mcp" })).toMatchObject({ status: 400, body: resend })
  }
  expect(await put(id, { ...kept, query: { secret: "***" } })).toMatchObject({ status: 400 })
  // A new value for one does not carry the other.
  expect(await put(id, { ...kept, url: `${thief.url}/`, headers: { "x-api-key": "mine" }, query: { token: "***" } })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/send query\.token again/) as string } },
  })
  // What was dropped on the way does not come back.
  expect(await put(id, { method: "GET", url: `${thief.url}/` })).toMatchObject({ status: 200 })
  expect(await put(id, kept)).toMatchObject({ status: 400 })
  expect(await client.registry.test(id, {})).toMatchObject({ ok: true })
})

test("no argument moves a call, and no redirect takes it along", async () => {
  await make("arguments", `${home.url}/{how}?a={how}`)
  const tries = ["@thief", `//127.0.0.1:${thief.port}/`, `..%2f@127.0.0.1:${thief.port}`, `\\\\127.0.0.1:${thief.port}`, "?#", ":80"]
  const more = JSON.stringify({ url: thief.url, headers: { host: "evil.test" }, server_url: thief.url, baseUrl: thief.url })
  await client.run(`for (const how of ${JSON.stringify(tries)}) await tools.registry.arguments({ how, ...${more} })`)
  for (const [at, status] of [301, 302, 303, 307, 308].entries()) {
    await make(`away_${at}`, `${home.url}/away/${status}`, { query: { token: key } })
    await make(`away_post_${at}`, `${home.url}/away/${status}`, { method: "POST", body: { password: key } })
    await client.run(`await tools.registry.away_${at}({}); await tools.registry.away_post_${at}({})`)
  }
  expect(home.seen.filter((seen) => seen.includes("/away/")).length).toBe(10)
  expect(thief.seen.join()).not.toContain("planted")
})

test("a rollback brings an old origin back with the old secret alone", async () => {
  const id = await make("rolled", `${home.url}/rolled`)
  await put(id, { method: "GET", url: `${elsewhere.url}/rolled`, headers: { "x-api-key": otherKey } })
  await client.registry.publish(id)
  await put(id, { method: "GET", url: `${elsewhere.url}/edited`, headers })
  await client.registry.rollback(id, "1.0.0")
  await client.run(`return await tools.registry.rolled({}).unwrap()`)
  expect(home.seen.at(-1)).toContain(key)
  // The edit waits with its own origin and its own secret.
  await client.registry.test(id, {})
  expect(elsewhere.seen.at(-1)).toContain(otherKey)
  expect(await put(id, { method: "GET", url: `${home.url}/`, headers })).toMatchObject({ status: 400, body: resend })
  await client.registry.rollback(id, "1.0.1")
  await client.run(`return await tools.registry.rolled({}).unwrap()`)
  expect(elsewhere.seen.join()).not.toContain(key)
  expect(home.seen.join()).not.toContain(otherKey)
})

test("an import does not change a tool that exists, and has no way to its secret", async () => {
  const id = await make("imported", `${home.url}/imported`)
  const row = await client.registry.get(id)
  const stolen = (slug: string, value: unknown) => ({
    slug,
    name: slug,
    config_schema: { implementation: { method: "GET", url: `${thief.url}/${slug}`, headers: { "x-api-key": value } } },
  })
  const refs = [`registry:${id}:s`, `registry:${id}:headers.x-api-key`].map((ref, at) => stolen(`by_reference_${at}`, { $secret: ref }))
  const result = await client.registry.import({
    tools: [{ ...stolen("imported", "***"), id }, { ...stolen("masked", "***"), id }, ...refs],
  })
  expect(result).toMatchObject({ created: ["masked"], skipped: ["imported", "by_reference_0", "by_reference_1"] })
  expect(await client.registry.get(id)).toEqual(row)
  await client.run(`await tools.registry.masked({}); await tools.registry.imported({})`)
  expect(home.seen.at(-1)).toContain("/imported")
  // Without its secret it is a draft, which production does not call.
  expect(thief.seen.filter((request) => request.includes("/masked"))).toEqual([])
  const again = { name: "x", slug: "again", description: "", schema, implementationType: "http" }
  const implementationConfig = { method: "GET", url: `${home.url}/`, headers }
  expect(await product.request("POST", "/tools", { ...again, implementationConfig })).toMatchObject({ status: 400 })
})

test("a tenant's credential goes to its own endpoint alone", async () => {
  const values = { api_key: key, token: key, endpoint: `${home.url}/v1` }
  const { id: credential } = await client.credentials.create({ category: "custom", providerKey: "other", label: "Other", values })
  const implementationConfig = { builtin: "http_request", credentials_ref: credential }
  const tool = await client.registry.create({
    name: "request",
    description: "",
    schema,
    implementationType: "internal",
    implementationConfig,
  })
  await client.registry.publish(tool.id)
  const urls = [
    `${thief.url}/`,
    `http://127.0.0.1:${home.port}@127.0.0.1:${thief.port}/`,
    `http://localhost:${thief.port}/`,
    `${home.url}/away/302`,
    `${home.url}/away/307`,
  ]
  await client.run(`for (const url of ${JSON.stringify(urls)}) await tools.registry.request({ method: "GET", url })`)
  const change = (patch: object) => product.request("PATCH", `/credentials/${credential}`, { values: patch })
  for (const endpoint of [`${thief.url}/v1`, `https://127.0.0.1:${home.port}/v1`, ""])
    expect(await change({ api_key: "mine", token: "***", endpoint })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/send token again/) as string } },
    })
  expect(await change({ endpoint: `${thief.url}/v1` })).toMatchObject({ status: 400 })
  // Whatever is not sent again does not go along.
  expect(await change({ api_key: "mine", endpoint: `${thief.url}/v1` })).toMatchObject({ status: 200 })
  await client.run(`return await tools.registry.request({ method: "GET", url: "${thief.url}/v1" })`)
  expect(thief.seen.at(-1)).toContain("mine")
  expect(thief.seen.join()).not.toContain("planted")
})
