// Connections from the outside: where credentials go, where they do not, and what happens when a source changes or fails.
import { readFileSync, readdirSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startEcho } from "../servers/echo.ts"
import type { Echo } from "../servers/echo.ts"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { createExecutor } from "../../src/index.ts"
import type { Executor } from "../../src/index.ts"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"

let echo: Echo
let other: Echo
let source: Listening
let answer: () => { status: number; body: string }
let fetched = 0
let executor: Executor
const dataDir = mkdtempSync(join(tmpdir(), "executor-connections-"))

const documentWith = (servers: string[], names: string[], extra: object = {}): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Things", version: "1" },
    servers: servers.map((url) => ({ url })),
    components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "appid" } } },
    paths: Object.fromEntries(
      names.map((name) => [`/echo/${name}`, { get: { operationId: `things/${name}`, responses: { 200: { description: "ok" } } } }]),
    ),
    ...extra,
  })

beforeAll(async () => {
  echo = await startEcho()
  other = await startEcho()
  source = await listen(
    createServer((_, response) => {
      fetched += 1
      const { status, body } = answer()
      response.writeHead(status, { "content-type": "application/json" }).end(body)
    }),
  )
  executor = await createExecutor({ dataDir })
})
afterAll(async () => {
  await executor.close()
  await Promise.all([echo.close(), other.close(), source.close()])
  rmSync(dataDir, { recursive: true })
})

describe("credentials", () => {
  test.each([
    ["bearer", { token: "tok-1234" }, undefined, (seen: Seen) => seen.headers["authorization"], "Bearer tok-1234"],
    [
      "basic",
      { username: "ann", password: "pass-1234" },
      undefined,
      (seen: Seen) => seen.headers["authorization"],
      `Basic ${Buffer.from("ann:pass-1234").toString("base64")}`,
    ],
    ["api_key", { key: "key-1234" }, undefined, (seen: Seen) => seen.path, "/echo/list?appid=key-1234"],
    [
      "custom",
      { a: "val-1234" },
      [{ in: "cookie" as const, name: "sid", value: "x${a}" }],
      (seen: Seen) => seen.headers["cookie"],
      "sid=xval-1234",
    ],
  ] as const)("%s reaches the upstream, and nothing else", async (template, values, placements, read, expected) => {
    const slug = `auth_${template}`
    await executor.integrations.add({ slug, kind: "openapi", config: { spec: documentWith([echo.url], ["list"]) } })
    const view = await executor.connections.create({
      integration: slug,
      auth: { template, values: { ...values }, ...(placements === undefined ? {} : { placements }) },
    })
    expect(view).toMatchObject({ status: "ready", toolCount: 1 })
    const result = await executor.execute(`${slug}.things.list`)
    expect(read(echo.ledger.at(-1) as Seen)).toBe(expected)
    const shown = JSON.stringify([result, view, await executor.connections.get({ integration: slug, owner: "org", name: "main" })])
    for (const secret of Object.entries(values).filter(([name]) => name !== "username")) expect(shown).not.toContain(secret[1])
    expect(result.ok).toBe(true)
  })

  test("no secret is readable in the data directory", () => {
    const bytes = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name)).toString("latin1"))
    for (const secret of ["tok-1234", "pass-1234", "key-1234", "val-1234"])
      for (const text of bytes) expect(text.includes(secret)).toBe(false)
  })

  test("a connection without bound credentials has no tools, and gets them with the credential", async () => {
    await executor.integrations.add({ slug: "unbound", kind: "openapi", config: { spec: documentWith([echo.url], ["list"]) } })
    expect(await executor.connections.create({ integration: "unbound", auth: { template: "bearer" } })).toMatchObject({
      status: "needs_credentials",
      toolCount: 0,
    })
    expect(await executor.tools.list({ integration: "unbound" })).toEqual([])
    const key = { integration: "unbound", owner: "org" as const, name: "main" }
    expect(await executor.connections.update(key, { auth: { template: "bearer", values: { token: "later-123" } } })).toMatchObject({
      status: "ready",
      toolCount: 1,
    })
  })

  test("a value from the environment is read at the moment of the call", async () => {
    await executor.integrations.add({ slug: "from_env", kind: "openapi", config: { spec: documentWith([echo.url], ["list"]) } })
    await executor.connections.create({ integration: "from_env", auth: { template: "bearer", values: { token: "${env:E2E_TOKEN}" } } })
    expect(await executor.execute("from_env.things.list")).toMatchObject({
      ok: false,
      error: { code: "auth_required", message: expect.stringContaining("E2E_TOKEN") },
    })
  })

  test("secrets in the config are hidden, used, and kept by a PATCH that sends the mask back", async () => {
    answer = () => ({ status: 200, body: documentWith([echo.url], ["list"]) })
    const spec = `${source.url.replace("//", "//ann:pa55word@")}/doc?key=q-secret`
    const added = await executor.integrations.add({
      slug: "hidden",
      kind: "openapi",
      config: { spec, baseUrl: echo.url, headers: { "X-Team": "team-secret" } },
    })
    for (const secret of ["pa55word", "q-secret", "team-secret"]) expect(JSON.stringify(added)).not.toContain(secret)
    await executor.connections.create({ integration: "hidden" })
    await executor.execute("hidden.things.list")
    expect(echo.ledger.at(-1)?.headers["x-team"]).toBe("team-secret")
    await executor.integrations.update("hidden", { config: added.config })
    await executor.tools.list({ integration: "hidden" })
    await executor.execute("hidden.things.list")
    expect(echo.ledger.at(-1)?.headers["x-team"]).toBe("team-secret")
  })
})

describe("a source that changes", () => {
  test("a changed config is noticed by the next list, once for many callers", async () => {
    answer = () => ({ status: 200, body: documentWith([echo.url], ["one"]) })
    await executor.integrations.add({ slug: "changing", kind: "openapi", config: { spec: `${source.url}/a`, baseUrl: echo.url } })
    await executor.connections.create({ integration: "changing" })
    answer = () => ({ status: 200, body: documentWith([echo.url], ["one", "two"]) })
    const before = fetched
    await executor.integrations.update("changing", { config: { spec: `${source.url}/b` } })
    const lists = await Promise.all(Array.from({ length: 20 }, () => executor.tools.list({ integration: "changing" })))
    expect(lists.map((tools) => tools.length)).toEqual(Array.from({ length: 20 }, () => 2))
    expect(fetched - before).toBe(1)
  })

  test.each([{ integration: "changing" }, { integration: "changing", owner: "all", name: "main" }, { owner: "org", name: "main" }])(
    "%j names no connection",
    async (part) => {
      const incomplete = part as { integration: string; owner: "org"; name: string } // as a program without types might say it
      const refusal = { code: "invalid_request", message: expect.stringContaining("integration, owner") }
      await expect(executor.connections.refresh(incomplete)).rejects.toMatchObject(refusal)
      await expect(executor.connections.update(incomplete, {})).rejects.toMatchObject(refusal)
      await expect(executor.connections.remove(incomplete)).rejects.toMatchObject(refusal)
      await expect(executor.connections.get(incomplete)).rejects.toMatchObject(refusal)
    },
  )

  test("a refresh that fails leaves the tools, with the error on the connection", async () => {
    const key = { integration: "changing", owner: "org" as const, name: "main" }
    answer = () => ({ status: 500, body: "{}" })
    expect(await executor.connections.refresh(key)).toMatchObject({ status: "error", toolCount: 2, error: expect.stringContaining("500") })
    expect(await executor.tools.list({ integration: "changing" })).toHaveLength(2)
    answer = () => ({ status: 200, body: "this: is: not: yaml: [" })
    expect(await executor.connections.refresh(key)).toMatchObject({ status: "error", toolCount: 2 })
    answer = () => ({ status: 200, body: documentWith([echo.url], ["three"]) })
    expect(await executor.connections.refresh(key)).toMatchObject({ status: "ready", toolCount: 1, error: null })
  })

  test("an origin that nobody confirmed gets nothing until it is", async () => {
    answer = () => ({ status: 200, body: documentWith([`${source.url}/x`], ["list"]) })
    await executor.integrations.add({ slug: "moving", kind: "openapi", config: { spec: `${source.url}/doc` } })
    await executor.connections.create({ integration: "moving", auth: { template: "bearer", values: { token: "moving-secret" } } })
    answer = () => ({ status: 200, body: documentWith([other.url], ["list"]) })
    const key = { integration: "moving", owner: "org" as const, name: "main" }
    expect(await executor.connections.refresh(key)).toMatchObject({
      status: "needs_review",
      error: expect.stringMatching(new RegExp(`${other.url}.* connections update moving\\.org\\.main --confirm-origins`)),
    })
    expect(await executor.execute("moving.things.list")).toMatchObject({ ok: false, error: { code: "auth_required" } })
    // A new credential is no confirmation.
    const rotated = await executor.connections.update(key, { auth: { template: "bearer", values: { token: "rotated-secret" } } })
    expect(rotated).toMatchObject({ status: "needs_review" })
    expect(await executor.execute("moving.things.list")).toMatchObject({ ok: false, error: { code: "auth_required" } })
    expect(other.ledger).toEqual([])
    expect(await executor.connections.update(key, { confirmOrigins: [other.url] })).toMatchObject({ status: "ready" })
    await expect(executor.connections.update(key, { confirmOrigins: ["https://evil.example"] })).rejects.toThrow("does not use")
  })
})

describe("answers", () => {
  test("arguments that are no JSON are refused as values", async () => {
    await executor.integrations.add({ slug: "strict", kind: "openapi", config: { spec: documentWith([echo.url], ["list"]) } })
    await executor.connections.create({ integration: "strict" })
    const circle: Record<string, unknown> = {}
    circle["self"] = circle
    for (const args of [circle, { big: 10n }])
      expect(await executor.execute("strict.things.list", args)).toMatchObject({ ok: false, error: { code: "invalid_arguments" } })
  })

  test("an upstream's error is a value, with its status and body", async () => {
    const spec = documentWith([echo.url], [], {
      paths: {
        "/status/{code}": {
          get: {
            operationId: "things/fail",
            parameters: [{ name: "code", in: "path", required: true, schema: { type: "integer" } }],
            responses: {},
          },
        },
      },
    })
    await executor.integrations.add({ slug: "failing", kind: "openapi", config: { spec } })
    await executor.connections.create({ integration: "failing" })
    expect(await executor.execute("failing.things.fail", { code: 404 })).toMatchObject({
      ok: false,
      error: { code: "upstream_error", status: 404 },
    })
    expect(await executor.execute("failing.things.fail", { code: 429 })).toMatchObject({
      ok: false,
      error: { code: "rate_limited", retryable: true },
    })
  })

  test("an unknown path suggests others, an ambiguous one lists them", async () => {
    expect(await executor.execute("failing.org.main.things.fial")).toMatchObject({
      ok: false,
      error: {
        code: "tool_not_found",
        message: "Tool path 'failing.org.main.things.fial' not found",
        details: { suggestions: expect.arrayContaining(["failing.org.main.things.fail"]) },
      },
    })
    await executor.connections.create({ integration: "failing", name: "second" })
    expect(await executor.execute("failing.things.fail", { code: 200 })).toMatchObject({
      ok: false,
      error: { code: "tool_ambiguous", details: { candidates: ["failing.org.main.things.fail", "failing.org.second.things.fail"] } },
    })
  })
})

type Seen = Echo["ledger"][number]
