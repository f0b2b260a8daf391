// What the command line does when something is wrong: exit codes, nobody to ask, a silent server, and hostile text.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const root = join(import.meta.dirname, "..", "..")

const evil = "\u001b[2J\u001b]0;owned\u0007\u202eevil\u009b31m\u200b"
// oxlint-disable-next-line no-control-regex -- control characters must not be there
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069]/

const document = (url: string) => ({
  openapi: "3.1.0",
  info: { title: `Evil ${evil}`, version: evil, description: evil },
  servers: [{ url }],
  components: { securitySchemes: { [`key${evil}`]: { type: "http", scheme: "bearer", description: evil } } },
  paths: {
    "/things": {
      get: {
        operationId: "things/list",
        summary: `List ${evil}`,
        description: `Lists\n${evil}`,
        parameters: [{ name: "q", in: "query", description: evil, schema: { type: "string" } }],
        responses: { 200: { description: evil, content: { "application/json": { schema: { type: "object", description: evil } } } } },
      },
      post: { operationId: "things/create", summary: `Create ${evil}`, responses: { 201: { description: "Made" } } },
      delete: { operationId: "things/fail", responses: { 200: { description: "Never" } } },
    },
  },
})

let upstream: Awaited<ReturnType<typeof listen>>
let product: Product
let cli: Cli

beforeAll(async () => {
  upstream = await listen(
    createServer((request, response) => {
      const failed = request.method === "DELETE"
      response.writeHead(failed ? 500 : 200, { "content-type": "application/json" })
      response.end(JSON.stringify(failed ? { message: evil } : { text: evil, [evil]: 1 }))
    }),
  )
  product = await startProduct()
  cli = openCli(product.dataDir)
  await product.client.integrations.add({ slug: "evil", kind: "openapi", config: { spec: document(upstream.url) } })
  await product.client.connections.create({ integration: "evil", auth: { template: "bearer", values: { token: "t" } } })
})
afterAll(async () => {
  await product.stop()
  await upstream.close()
})

describe("wrong usage exits with 2 and says what is meant", () => {
  test.each([
    [["tols"], "Did you mean tools?"],
    [["bogus"], `unknown command 'bogus'\nAll commands: ${join(root, "executor")} --help\n`],
    [["approvals", "bogus"], `unknown command 'bogus'\nSee ${join(root, "executor")} approvals --help\n`],
    [["approvals", "acept"], "Did you mean accept?"],
    [["approvals", "approve"], `See ${join(root, "executor")} approvals approve --help`],
    [["tools", "serch"], "Did you mean search?"],
    [["roles", "create", "x"], "unknown command 'create'\n(Did you mean add?)\n"],
    [["tokens", "delete", "x"], "Did you mean revoke?"],
    [["search", "orders"], "Did you mean tools search?"],
    [["tools"], `Usage: ${join(root, "executor")} tools`],
    [["call"], `Usage: ${join(root, "executor")} call`],
    [["call", "a.b", "{broken"], "The arguments could not be parsed as JSON"],
    [["call", "a.b", "[1]"], "must be a JSON object"],
    [["call", "a.b", "@/nowhere.json"], "cannot be read from '/nowhere.json'"],
    [["run", "/nowhere.ts"], "The code cannot be read from"],
    [["tools", "list", "--limt", "5"], "Did you mean --limit?"],
    [["tools", "list", "--limit", "none"], "whole number of at least 1"],
    [["policies", "add", "x.**", "permit"], "Allowed choices are allow, require_approval, block"],
    [["resume"], "An id is missing"],
    [["connections", "add", "evil"], "--secret-stdin, or --env NAME"],
    [["connections", "add", "evil", "--env", "ghp_not-a-name"], "takes the name of a variable"],
    [["integrations", "add"], "--kind, --slug and --config"],
    [["integrations", "add", "ftp://127.0.0.1/openapi.json"], "pass an http or https URL"],
    [["integrations", "add", "file:///openapi.json"], "or the path of a file"],
    [["tokens", "create", "--elicitation", "magic"], "browser, native, model"],
    [["serve", "--host", "0.0.0.0"], "set EXECUTOR_PUBLIC_URL to its https address"],
    [["serve", "--port", "many"], "EXECUTOR_PORT (--port)"],
  ])("%j", async (args, message) => {
    const run = await cli.run(args)
    expect(run).toMatchObject({ code: 2, stdout: "" })
    expect(run.stderr).toContain(message)
  })
})

describe("other exit codes", () => {
  test.each([
    [["call", "evil.things.lst"], 4, "evil.org.main.things.list"],
    [["tools", "describe", "evil.things.lst"], 4, "Did you mean:"],
    [["call", "--help", "nothing.here"], 4, "not found"],
    [["integrations", "show", "nothing"], 4, "nothing"],
    [["approvals", "show", "apr_nothing"], 4, "executor approvals list"],
    [["executions", "show", "exe_nothing"], 4, "exe_nothing"],
    [["connections", "list", "--integration", "nothing"], 0, "No connection matches"],
    [["notifications", "remove", "ntf_nothing", "--yes"], 4, `'ntf_nothing'; ${join(root, "executor")} notifications list lists them\n`],
    [["connections", "add", "nothing", "--auth", "none"], 4, "nothing"],
    [["call", "evil.things.list", '{"nope":1}'], 2, "nope"],
    [["call", "evil.things.fail", "--yes"], 1, "u001b"],
    [["integrations", "add", "http://127.0.0.1:1/openapi.json"], 1, "Could not connect to 127.0.0.1:1"],
  ])("%j exits with %i", async (args, code, message) => {
    const run = await cli.run(args)
    expect(run).toMatchObject({ code, stdout: "" })
    expect(run.stderr).toContain(message)
  })

  test("with --json an error is the API's, on stdout", async () => {
    const run = await cli.run(["integrations", "show", "nothing", "--json"])
    expect(run.code).toBe(4)
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: "not_found", message: expect.any(String) } })
  })

  test.each([
    [["tools", "list", "--limt", "5"], 2, "invalid_request", "unknown option '--limt'"],
    [["call"], 2, "invalid_request", "An argument is missing; see --help"],
    [["call", "a.b", "{broken"], 2, "invalid_request", "could not be parsed as JSON"],
    [["integrations", "add", "http://127.0.0.1:1/openapi.json"], 1, "invalid_request", "Could not connect to 127.0.0.1:1"],
    [["call", "nope.x"], 4, "tool_not_found", "'nope.x' not found"],
    [["call", "evil.things.list", '{"nope":1}'], 2, "invalid_arguments", "nope"],
    [["call", "evil.things.fail", "--yes"], 1, "upstream_error", "owned"],
  ])("… also of wrong usage: %j", async (args, code, errorCode, message) => {
    const run = await cli.run([...args, "--json"])
    expect(run.code).toBe(code)
    expect(run.stderr).toBe("")
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: errorCode, message: expect.stringContaining(message) } })
  })

  test("… and of a server that is not there", async () => {
    const run = await cli.run(["tools", "list", "--json"], { env: { EXECUTOR_ORIGIN: "http://127.0.0.1:1/api" } })
    expect(run.code).toBe(6)
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: "upstream_unreachable" } })
  })

  test("a name that is taken is told with commands", async () => {
    const again = await cli.run(["connections", "add", "evil", "--auth", "bearer", "--secret-stdin"], { stdin: "t" })
    expect(again).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("executor connections update evil.org.main") })
    const spec = join(product.dataDir, "evil.json")
    writeFileSync(spec, JSON.stringify(document(upstream.url)))
    const twice = await cli.run(["integrations", "add", spec, "--slug", "evil"])
    expect(twice).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("executor integrations update evil") })
    for (const { stderr } of [again, twice]) expect(stderr).not.toContain("PATCH")
  })

  test("a search among sources that finds none does not say that there are none", async () => {
    const run = await cli.run(["tools", "sources", "zzz"])
    expect(run).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("No integration matches 'zzz'") })
  })

  test("a token that nobody knows is denied", async () => {
    expect((await cli.run(["tools", "list"], { env: { EXECUTOR_TOKEN: "exa_unknown" } })).code).toBe(5)
  })
})

describe("EXECUTOR_ORIGIN", () => {
  test("silent is exit code 6", async () => {
    const run = await cli.run(["tools", "list"], { env: { EXECUTOR_ORIGIN: "http://127.0.0.1:1/api" } })
    expect(run).toMatchObject({ code: 6, stdout: "", stderr: expect.stringContaining("No server is responding at http://127.0.0.1:1/api") })
  })

  test("a server that is there is used, with the token of this machine", async () => {
    const env = { EXECUTOR_ORIGIN: `${product.url}/api/` }
    expect((await cli.run(["integrations", "list"], { env })).stdout).toContain("evil")
  })

  test.each(["", "/api/api", "/api/v1", "/mcp", "/"])("with the path '%s' it is said what to set", async (path) => {
    const run = await cli.run(["integrations", "list"], { env: { EXECUTOR_ORIGIN: `${product.url}${path}` } })
    expect(run).toMatchObject({ code: 2, stdout: "" })
    expect(run.stderr).toMatch(new RegExp(`but Executor's API is at ${product.url}/api\\. Set EXECUTOR_ORIGIN=${product.url}/api\n$`))
    const doctor = await cli.run(["doctor"], { env: { EXECUTOR_ORIGIN: `${product.url}${path}` } })
    expect(doctor.stdout).toContain(`Set EXECUTOR_ORIGIN=${product.url}/api`)
  })

  test("that is another program's is told as such", async () => {
    const run = await cli.run(["integrations", "list"], { env: { EXECUTOR_ORIGIN: upstream.url } })
    expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("what answers there is not Executor") })
    expect(run.stderr).toContain("unset it to use the server on this machine")
  })

  test.each([
    ["not a url", 2, "must be a URL"],
    ["ftp://127.0.0.1/api", 2, "must be a URL"],
  ])("%s is wrong usage", async (origin, code, message) => {
    const run = await cli.run(["tools", "list"], { env: { EXECUTOR_ORIGIN: origin } })
    expect(run).toMatchObject({ code, stderr: expect.stringContaining(message) })
  })

  test("the local token is not sent to another machine", async () => {
    const seen: (string | undefined)[] = []
    const other = await listen(
      createServer((request, response) => {
        seen.push(request.headers.authorization)
        response.writeHead(200, { "content-type": "application/json" }).end('{"status":"ok","version":"1.0.0"}')
      }),
    )
    // An address that leads here, and is not written as this machine's own.
    const EXECUTOR_ORIGIN = `http://0.0.0.0:${other.port}/api`
    const run = await cli.run(["tools", "list"], { env: { EXECUTOR_ORIGIN } })
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("Set EXECUTOR_TOKEN") })
    expect(seen).toEqual([undefined])
    await cli.run(["tools", "list"], { env: { EXECUTOR_ORIGIN, EXECUTOR_TOKEN: "given" } })
    expect(seen.slice(1)).toEqual([undefined, "Bearer given"])
    await other.close()
  })
})

describe("text of upstreams", () => {
  test.each([
    [["tools", "list"]],
    [["tools", "search", "things"]],
    [["tools", "sources"]],
    [["tools", "describe", "evil.things.list"]],
    [["call", "--help", "evil"]],
    [["integrations", "list"]],
    [["integrations", "show", "evil"]],
    [["connections", "add", "evil", "--auth", "api_key"]],
    [["call", "evil.things.list"]],
    [["call", "evil.things.list", "--json"]],
    [["call", "evil.things.create"]],
    [["call", "evil.things.fail", "--yes"]],
    [["approvals", "list"]],
    [["executions", "list"]],
    [["doctor"]],
  ])("%j shows nothing that a terminal obeys", async (args) => {
    const { stdout, stderr } = await cli.run(args)
    expect(stdout + stderr).not.toMatch(control)
    expect(stdout + stderr).not.toBe("")
  })

  test("… and neither do logs, thrown errors and what is emitted", async () => {
    const run = await cli.run(["run", "-"], {
      stdin: `console.log(${JSON.stringify(evil)}); emit(${JSON.stringify(evil)}); throw new Error(${JSON.stringify(evil)})`,
    })
    expect(run.code).toBe(1)
    expect(run.stderr).toContain("u202eevil")
    expect(run.stderr).not.toMatch(control)
  })

  test("a pipe gets a text as it was answered", async () => {
    expect((await cli.run(["run", "-"], { stdin: `return ${JSON.stringify(evil)}` })).stdout).toBe(`${evil}\n`)
  })
})

test("doctor finds what is wrong, and says what to do", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-doctor-"))
  try {
    const sick = openCli(dataDir)
    mkdirSync(join(dataDir, "data"), { mode: 0o755 })
    chmodSync(join(dataDir, "data"), 0o755)
    writeFileSync(join(dataDir, "data", "token"), "x\n", { mode: 0o644 })
    const env = { EXECUTOR_DATA_DIR: join(dataDir, "data"), EXECUTOR_LOG: "loud" }
    const run = await sick.run(["doctor"], { env })
    expect(run.code).toBe(1)
    for (const part of ["✗ environment: EXECUTOR_LOG", "! data directory", "chmod 700", "✗ token", "chmod 600"])
      expect(run.stdout).toContain(part)
    const silent = await sick.run(["doctor", "--json"], { env: { EXECUTOR_ORIGIN: "http://127.0.0.1:1/api" } })
    expect(silent.code).toBe(1)
    expect(JSON.parse(silent.stdout)).toMatchObject({
      ok: false,
      checks: expect.arrayContaining([
        { name: "server", status: "problem", message: expect.any(String), fix: expect.stringContaining("EXECUTOR_ORIGIN") },
      ]),
    })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test("doctor finds credentials that the key does not open, with a server and without", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-doctor-"))
  const alone = openCli(dataDir)
  const env = { EXECUTOR_SECRET_KEY: "a".repeat(64) }
  let served: Product | null = null
  try {
    writeFileSync(join(dataDir, "shop.json"), JSON.stringify(document(upstream.url)))
    await alone.run(["integrations", "add", join(dataDir, "shop.json"), "--slug", "shop"], { env })
    await alone.run(["connections", "add", "shop", "--auth", "bearer", "--secret-stdin"], { env, stdin: "t" })
    expect((await alone.run(["doctor"], { env })).stdout).toContain("connection shop.org.main: ")
    const other = { EXECUTOR_SECRET_KEY: "b".repeat(64) }
    const wrong = expect.stringContaining("✗ connection shop.org.main: A stored credential cannot be decrypted with this secret key")
    expect(await alone.run(["doctor"], { env: other })).toMatchObject({ code: 1, stdout: wrong })
    served = await startProduct({ dataDir, env: other })
    expect(await alone.run(["doctor"])).toMatchObject({ code: 1, stdout: wrong })
  } finally {
    await served?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test.runIf(process.platform === "linux")("a data directory that cannot be made is said at once", async () => {
  const run = await cli.run(["tools", "list"], { env: { EXECUTOR_DATA_DIR: "/proc/executor" } })
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("The data directory /proc/executor cannot be used") })
})

test.each(["executor help call", "executor --help", "executor"])("help that nobody reads to its end is no error: %s", async (command) => {
  // The reader is gone before the first byte is written.
  const run = await cli.type(`set -o pipefail; { sleep 0.5; ${command}; } | true`)
  expect(run).toMatchObject({ code: 0, stderr: "" })
})

test("a reader that has seen enough is no error", async () => {
  const run = await cli.type(`set -o pipefail; executor run - <<< 'return Array.from({ length: 200000 }, (_, n) => n)' | head -1`)
  expect(run).toMatchObject({ code: 0, stdout: "[\n", stderr: expect.not.stringContaining("EPIPE") })
})
