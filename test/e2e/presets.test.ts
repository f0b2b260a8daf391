// Presets from the command line: added by name, from a server of this machine that stands at a preset's place.
import { createServer } from "node:http"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { PresetView } from "../../src/core/presets/preset.ts"
import { startGraphQL } from "../servers/graphql.ts"
import type { GraphQLServer } from "../servers/graphql.ts"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { startMcpFixture } from "../servers/mcp-fixture.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const document = (url: string): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "GitHub v3 REST API", version: "1" },
    servers: [{ url }],
    paths: { "/user": { get: { operationId: "users/get-authenticated", responses: { 200: { description: "ok" } } } } },
  })

let upstream: Listening
let graphql: GraphQLServer
let mcp: Awaited<ReturnType<typeof startMcpFixture>>
let product: Product
let cli: Cli
let seen: string[] = []

const shown = { description: "For a test.", category: "code", docsUrl: "https://example.com/docs" }

beforeAll(async () => {
  upstream = await listen(
    createServer((request, response) => {
      seen.push(`${request.url} ${request.headers.authorization ?? ""}`)
      response.setHeader("content-type", "application/json")
      response.end(request.url === "/api.github.com.json" ? document(upstream.url) : JSON.stringify({ login: "anna" }))
    }),
  )
  graphql = await startGraphQL()
  mcp = await startMcpFixture()
  const dir = mkdtempSync(join(tmpdir(), "executor-presets-e2e-"))
  const presets = join(dir, "presets.json")
  const bearer = { template: "bearer", values: ["token"], keyUrl: "https://github.com/settings/tokens", note: "A fine-grained one." }
  const key = { template: "api_key", values: ["key"], placements: [{ in: "header", name: "Authorization", value: "${key}" }] }
  writeFileSync(
    presets,
    JSON.stringify([
      { ...shown, id: "github", name: "GitHub", kind: "openapi", url: `${upstream.url}/api.github.com.json`, auth: [bearer] },
      { ...shown, id: "linear", name: "Linear", kind: "graphql", url: graphql.endpoint, auth: [key] },
      { ...shown, id: "notes", name: "Notes", kind: "mcp", url: mcp.url, auth: [{ template: "none" }] },
      { ...shown, id: "away", name: "Away", kind: "openapi", url: "http://127.0.0.1:1/openapi.json", auth: [bearer] },
      { ...shown, id: "away_graphql", name: "Away", kind: "graphql", url: "http://127.0.0.1:1/graphql", auth: [bearer] },
    ]),
  )
  product = await startProduct({ env: { EXECUTOR_PRESETS: presets } })
  cli = openCli(product.dataDir)
})
afterAll(async () => {
  await product.stop()
  await Promise.all([upstream.close(), graphql.close(), mcp.close()])
})

test("the gallery is listed over HTTP, in the SDK and at the command line, filtered alike", async () => {
  const over = await product.request("GET", "/presets?kind=mcp&query=documentation")
  expect(over).toMatchObject({ status: 200, body: { nextCursor: null } })
  const ids = (over.body as { items: PresetView[] }).items.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(["aws_knowledge", "cloudflare_docs", "microsoft_learn"]))
  expect((await product.client.presets.list({ kind: "mcp", query: "documentation" })).items.map(({ id }) => id)).toEqual(ids)
  const printed = (await cli.json(["integrations", "presets", "documentation", "--kind", "mcp"])) as { items: PresetView[] }
  expect(printed.items.map(({ id }) => id)).toEqual(ids)
  expect((await cli.run(["integrations", "presets", "notes"])).stdout).toMatch(/^PRESET .*\nnotes +Notes +mcp +none/)
  expect(await product.request("GET", "/presets?kind=soap")).toMatchObject({ status: 400 })
  expect(await product.request("GET", "/presets/githob")).toMatchObject({ status: 404, body: { error: { details: { near: ["github"] } } } })
  const first = await product.client.presets.list({ limit: 2 })
  expect(first.items).toHaveLength(2)
  expect((await product.client.presets.list({ limit: 2, cursor: first.nextCursor ?? "" })).items[0]?.id).not.toBe(first.items[0]?.id)
})

test("a document is added by name, and the steps that follow work as they are printed", async () => {
  const run = await cli.run(["integrations", "add", "github"])
  expect(run).toMatchObject({ code: 0, stdout: "Added github (openapi): 1 tool\n" })
  expect(run.stderr).toContain("executor connections add github --auth bearer\n")
  expect(run.stderr).toContain("Get the key: https://github.com/settings/tokens\nA fine-grained one.")
  const connected = await cli.run(["connections", "add", "github", "--auth", "bearer", "--secret-stdin"], { stdin: "ghp_1" })
  expect(connected.code).toBe(0)
  seen = []
  expect(await cli.json(["call", "github.users.getAuthenticated"])).toMatchObject({
    structured: { result: { ok: true, data: { login: "anna" } } },
  })
  expect(seen).toEqual(["/user Bearer ghp_1"])
  const again = await cli.run(["integrations", "add", "github"])
  expect(again.stderr).toContain("There is already an integration 'github'")
})

test("a GraphQL endpoint and an MCP server are added by name, each with what its preset knows of keys", async () => {
  const run = await cli.run(["integrations", "add", "linear"])
  expect(run.code).toBe(0)
  const [, command = ""] = /executor (connections add linear .*)\n/.exec(run.stderr) ?? []
  expect(command).toBe("connections add linear --auth api_key --placement 'header:Authorization=${key}'")
  expect((await cli.type(`executor ${command} --secret-stdin`, { stdin: "lin_api_1" })).code).toBe(0)
  expect(graphql.ledger.at(-1)?.headers["authorization"]).toBe("lin_api_1")
  const notes = await cli.run(["integrations", "add", "notes"])
  expect(notes.stdout).toMatch(/^Added notes \(mcp\)\nConnected notes\.org\.main: \d+ tools\n$/)
})

test("the kind of a preset is what is detected at its place", async () => {
  const { items } = await product.client.presets.list({ query: "For a test", limit: 100 })
  for (const { id, kind, url } of items.filter((one) => !one.id.startsWith("away")))
    expect({ id, ...(await product.client.integrations.detect(url)) }).toMatchObject({ id, kind })
})

test("what cannot be reached says so, and is added from a file", async () => {
  const run = await cli.run(["integrations", "add", "away"])
  expect(run).toMatchObject({ code: 2, stdout: "" })
  expect(run.stderr).toContain("could not be fetched: Could not connect to 127.0.0.1:1")
  expect(run.stderr).toContain("Download it from http://127.0.0.1:1/openapi.json")
  expect(run.stderr).toContain("executor integrations add away --file <path>")
  const file = join(product.dataDir, "downloaded.json")
  writeFileSync(file, document(upstream.url))
  expect(await cli.run(["integrations", "add", "away", "--file", file])).toMatchObject({
    code: 0,
    stdout: "Added away (openapi): 1 tool\n",
  })
  const lost = await cli.run(["integrations", "add", "away_graphql"])
  expect(lost.stderr).toMatch(/Get its schema .*--file <path>/s)
  const schema = join(product.dataDir, "schema.graphql")
  writeFileSync(schema, "type Query { a: Int }")
  expect(await cli.run(["integrations", "add", "away_graphql", "--file", schema, "--no-connect"])).toMatchObject({ code: 0 })
  expect(await cli.run(["integrations", "add", "notes", "--slug", "notes2", "--file", schema])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("a server without a document"),
  })
})

test("a bare word is a preset, a path is a file, and a name alike is suggested", async () => {
  writeFileSync(join(product.dataDir, "github"), document("http://127.0.0.1:1").replace("GitHub v3 REST API", "Mine"))
  const cwd = product.dataDir
  expect(await cli.json(["integrations", "add", "github", "--slug", "bare", "--no-connect"], { cwd })).toMatchObject({ name: "GitHub" })
  expect(await cli.json(["integrations", "add", "./github", "--slug", "path", "--no-connect"], { cwd })).toMatchObject({ name: "Mine" })
  expect(await cli.run(["integrations", "add", "githob"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/There is no preset, file or program 'githob'\. Did you mean github\?/),
  })
  expect(await cli.run(["integrations", "add", "jira"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Jira Cloud needs the address of your Jira site: add --base-url https://acme.atlassian.net"),
  })
  expect(await cli.run(["integrations", "add", "./github", "--file", "x"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--file goes with a preset"),
  })
})
