// Planted keys are searched for wherever a registry tool leaves something, after every operation, on both databases.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Client } from "../../src/surfaces/client/index.ts"
import { openRows } from "../servers/database-rows.ts"
import type { DatabaseRows } from "../servers/database-rows.ts"
import { echoesOf, leaks, startLeaky } from "../servers/leaky.ts"
import type { Leaky } from "../servers/leaky.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"
import { readPlaces } from "./registry-places.ts"

const planted = (name: string): string => `planted-${name}-5f1c9e7a2b4d8063`
const [key, newKey, mcpKey, ownKey, searchKey, tokenKey, serverKey] = ["http", "new", "mcp", "own", "search", "token", "server"].map(
  planted,
) as [string, string, string, string, string, string, string] // as many as names
const keys = [key, newKey, mcpKey, ownKey, searchKey, tokenKey, serverKey]
/** Three quarters of a key are as good as all of it. */
const needles = keys.flatMap((one) => [one.slice(0, Math.ceil(one.length * 0.75)), ...echoesOf(one)])

let leaky: Leaky
beforeAll(async () => void (leaky = await startLeaky()))
afterAll(() => leaky.close())

describe.each(["SQLite", "PostgreSQL"])("on %s", (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-e2e-"))
  let product: Product
  let client: Client
  let rows: DatabaseRows
  beforeAll(async () => {
    const databaseUrl = kind === "SQLite" ? null : await (await sharedPostgres()).createDatabase()
    const database: Record<string, string> = databaseUrl === null ? {} : { EXECUTOR_DATABASE_URL: databaseUrl }
    product = await startProduct({
      dataDir,
      env: {
        ...database,
        EXECUTOR_LOG: "debug",
        EXECUTOR_SECRET_KEY: "a key for the test of secrets",
        EXECUTOR_ALLOW_PRIVATE_HOSTS: "127.0.0.1",
        SERPER_API_KEY: serverKey,
      },
    })
    client = product.client
    leaky.seen.length = 0
    rows = await openRows(dataDir, databaseUrl)
    for (const pattern of ["registry.**", "builtin.**"]) await client.policies.create({ owner: "org", pattern, action: "allow" })
  })
  afterAll(async () => {
    await rows.close()
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  type Step = readonly [name: string, work: () => Promise<unknown>]

  /** What a step answers, or is refused with, is searched as well. */
  async function searchAfter(steps: readonly Step[]): Promise<void> {
    for (const [name, work] of steps) {
      const answer = await work()
      const places = { answer: JSON.stringify(answer ?? null), ...(await readPlaces(product, rows)) }
      for (const [place, text] of Object.entries(places))
        expect({ name, place, found: needles.filter((needle) => text.includes(needle)) }).toEqual({ name, place, found: [] })
    }
  }
  /** The status and the body of an error. */
  async function refused(status: number, method: string, path: string, body: unknown, says: RegExp): Promise<unknown> {
    const reply = await product.request(method, path, body)
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([status, expect.stringMatching(says)])
    return reply.body
  }
  const toolOf = (slug: string, implementationType: string, implementationConfig: Readonly<Record<string, unknown>>) => ({
    name: slug,
    slug,
    description: `The tool ${slug}`,
    schema: { input: { type: "object", properties: { how: { type: "string" } }, additionalProperties: true } },
    implementationType,
    implementationConfig,
  })
  /** What comes back had the key in it, and has the mask instead. */
  async function run(path: string, list: readonly string[], more: object = {}): Promise<unknown> {
    const reply = await client.run(
      `const answers = []
       for (const how of ${JSON.stringify(list)}) answers.push(await tools.${path}({ how, ...${JSON.stringify(more)} }))
       console.log(answers); emit(answers)
       return answers`,
    )
    expect(JSON.stringify(reply)).toContain("***")
    return reply
  }

  async function approveAll(): Promise<unknown> {
    const rule = (await client.policies.list()).find(({ action }) => action === "require_approval")
    await client.policies.remove(rule?.id ?? "none")
    const { items } = await client.approvals.list()
    return Promise.all(items.map(({ approvalId }) => client.approvals.answer(approvalId, { action: "accept" })))
  }

  const configOf = (secret: string, method = "GET") => ({
    method,
    url: `${leaky.url}/{how}`,
    headers: { authorization: `Bearer ${secret}`, "x-api-key": secret },
    query: { token: secret },
    ...(method === "GET" ? {} : { body: { login: { password: secret }, list: [{ client_secret: secret }] } }),
  })

  test("an http tool leaves its key nowhere", async () => {
    const { id } = await client.registry.create(toolOf("leak", "http", configOf(key)))
    const shown = async () => (await client.registry.get(id)).configSchema.implementation
    await searchAfter([
      ["create", async () => shown()],
      ["test", () => client.registry.test(id, { how: "body" })],
      ["test that fails", () => client.registry.test(id, { how: "error" })],
      ["publish", () => client.registry.publish(id)],
      ["call", () => run("registry.leak", leaks)],
      ["edit", () => client.registry.update(id, { implementationConfig: configOf(newKey, "POST") })],
      ["diff", () => client.registry.diff(id, {})],
      ["publish again", () => client.registry.publish(id, { reason: "another key" })],
      ["call by POST", () => run("registry.leak", leaks, { note: "x" })],
      [
        "ask",
        async () => {
          await client.policies.create({ owner: "org", pattern: "registry.leak", action: "require_approval", position: 0 })
          const reply = await client.run(`return await tools.registry.leak({ how: "body", note: "x" })`)
          expect(reply.status).toBe("paused")
          return reply
        },
      ],
      ["approve", () => approveAll()],
      ["keep", async () => client.registry.update(id, { implementationConfig: { ...(await shown()), url: `${leaky.url}/v2/{how}` } })],
      ["version", () => client.registry.version(id, "2.0.0")],
      [
        "another origin",
        async () => {
          const implementationConfig = { ...(await shown()), url: "https://example.com/{how}" }
          return refused(400, "PUT", `/tools/${id}`, { implementationConfig }, /send headers\.authorization, headers\.x-api-key.* again/)
        },
      ],
      ["rollback", () => client.registry.rollback(id, "1.0.0")],
      ["call after it", () => run("registry.leak", ["body", "error"])],
      ["unreachable", () => client.registry.update(id, { implementationConfig: { ...configOf(key), url: "http://127.0.0.1:9/{how}" } })],
      ["call of it", () => client.registry.test(id, { how: "x" })],
      ["deprecate", () => client.registry.update(id, { status: "deprecated" })],
      ["failed publish", () => refused(409, "POST", `/tools/${id}/publish`, {}, /deprecated/)],
      ["disable", () => client.registry.remove(id)],
      ["export", () => client.registry.export()],
    ])
    expect(new Set(leaky.seen.map((seen) => seen.key))).toEqual(new Set([key, newKey]))
  })

  test("nor does an mcp tool", async () => {
    const { id } = await client.registry.create(
      toolOf("leak_mcp", "mcp", { server_url: `${leaky.url}/mcp`, tool_name: "x", headers: { "X-Api-Key": mcpKey } }),
    )
    const at = (path: string) =>
      client.registry.update(id, {
        implementationConfig: { server_url: `${leaky.url}/${path}`, tool_name: "x", headers: { "X-Api-Key": "***" } },
      })
    await searchAfter([
      ["test", () => client.registry.test(id, { how: "result" })],
      ["publish", () => client.registry.publish(id)],
      ["call", () => run("registry.leak_mcp", ["result", "failed", "rpc", "none"])],
      ...leaks.flatMap((path): Step[] => [[`at ${path}`, async () => [await at(path), await client.registry.test(id, {})]]]),
    ])
    expect(leaky.seen.filter((seen) => seen.key === mcpKey).length).toBeGreaterThan(leaks.length)
  })

  test("nor do built-ins and the tenant's credentials", async () => {
    const kindOf = { category: "custom", providerKey: "other", label: "Other" }
    const named = await client.credentials.create({ ...kindOf, values: { api_key: searchKey, endpoint: `${leaky.url}/search` } })
    const own = await client.registry.create(toolOf("own_search", "internal", { builtin: "web_search", api_key: ownKey }))
    const by = await client.registry.create(toolOf("named_search", "internal", { builtin: "web_search", credentials_ref: named.id }))
    const request = await client.registry.create(
      toolOf("named_request", "internal", { builtin: "http_request", credentials_ref: named.id }),
    )
    const serper = { ...kindOf, providerKey: "serper", label: "Serper", values: { token: tokenKey, endpoint: `${leaky.url}/search` } }
    const search = (path: string) => client.run(`return await tools.${path}({ query: "x" })`)
    let tenants = ""
    await searchAfter([
      ["made", async () => named],
      ["publish", () => Promise.all([own, by, request].map(({ id }) => client.registry.publish(id)))],
      ["keep", () => client.registry.update(own.id, { implementationConfig: { builtin: "web_search", api_key: "***" } })],
      [
        "another built-in",
        () =>
          refused(
            400,
            "PUT",
            `/tools/${own.id}`,
            { implementationConfig: { builtin: "http_request", api_key: "***" } },
            /send api_key again/,
          ),
      ],
      ["credentials_ref", () => search("registry.named_search")],
      [
        "http_request",
        () =>
          client.run(
            `return await Promise.all(${JSON.stringify(leaks)}.map((how) => tools.registry.named_request({ method: "GET", url: "${leaky.url}/" + how })))`,
          ),
      ],
      [
        "http_request elsewhere",
        () => client.run(`return await tools.registry.named_request({ method: "GET", url: "http://localhost:9/" })`),
      ],
      ["tenant's", async () => void (tenants = (await client.credentials.create(serper)).id)],
      ["web_search", () => search("builtin.web_search")],
      ["edit", () => client.credentials.update(tenants, { label: "Another", values: { token: "***" } })],
      [
        "another endpoint",
        () =>
          refused(
            400,
            "PATCH",
            `/credentials/${tenants}`,
            { values: { token: "***", endpoint: "https://example.com/" } },
            /send token again/,
          ),
      ],
      ["remove", () => client.credentials.remove(tenants)],
      ["credential that is gone", async () => [await client.credentials.remove(named.id), await search("registry.named_search")]],
      ["failed publish", async () => refused(400, "POST", `/tools/${by.id}/publish`, {}, /credentials_ref/)],
    ])
    const searches = leaky.seen.filter(({ path }) => path === "/search").map((seen) => seen.key)
    expect(searches).toEqual(expect.arrayContaining([searchKey, tokenKey]))
    expect(searches).not.toContain(ownKey)
  })

  test("nor do imports", async () => {
    const entry = (slug: string, implementation: object) => ({ slug, name: slug, config_schema: { implementation }, is_active: true })
    const url = `${leaky.url}/body`
    const tools = [
      entry("imported", { method: "GET", url, headers: { "x-api-key": key } }),
      entry("of_another_type", { type: "soap", endpoint: url, api_key: key, deep: { access_token: [key] } }),
      entry("no_method", { url, headers: { "x-api-key": key } }),
      entry("in_query", { method: "GET", url: `${url}?api_key=${key}` }),
      entry("in_query_twice", { method: "GET", url: `${url}?token={how}&token=${key}` }),
      entry("in_fragment", { method: "GET", url: `${url}#access_token=${key}` }),
      entry("in_user", { method: "GET", url: url.replace("://", `://user:${key}@`) }),
      entry("in_server", { server_url: `${url}?token=${key}`, tool_name: "x" }),
      entry("as_number", { method: "POST", url, body: { password: 5 } }),
    ]
    await searchAfter([
      ["import", () => client.registry.import({ tools })],
      ["call", () => run("registry.imported", ["x"])],
      ["import again", () => client.registry.import({ tools })],
      ["export", async () => client.registry.import(await client.registry.export())],
    ])
    const { items } = await client.registry.list({}, { limit: 100 })
    expect(items.map(({ slug }) => slug)).toEqual(expect.arrayContaining(["imported", "of_another_type", "no_method"]))
    for (const { slug } of items) expect(slug).not.toMatch(/^in_/)
  })

  test("errors name the fields, never what was in them", async () => {
    const good = configOf(key)
    const wrong = [
      { ...good, method: "nope" },
      { ...good, url: "https://{city}.example.com" },
      { ...good, url: `${leaky.url}/?token=${key}` },
      { ...good, url: `${leaky.url}/?token={how}&token=${key}` },
      { ...good, url: leaky.url.replace("://", `://user:${key}@`) },
      { ...good, headers: { host: key } },
      { ...good, headers: { bad: `${key}\n` } },
      { ...good, headers: { [`bad name`]: key } },
      { ...good, headers: key },
      { ...good, query: { token: { deep: key } } },
      { ...good, extra: { password: key } },
      { ...good, headers: { "x-api-key": { $secret: key } } },
    ]
    await searchAfter(
      wrong.map((config, at): Step => [
        `config ${at}`,
        () => refused(400, "POST", "/tools", toolOf(`bad_${at}`, "http", config), /invalid_request/),
      ]),
    )
  })
})
