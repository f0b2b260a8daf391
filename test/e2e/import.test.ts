// Taking over MCP servers from other clients, as somebody at a shell would.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startMcpFixture } from "../servers/mcp-fixture.ts"
import type { McpFixture } from "../servers/mcp-fixture.ts"
import { stdioConfig } from "../servers/mcp-npm.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let cli: Cli
let fixture: McpFixture
beforeAll(async () => {
  fixture = await startMcpFixture({ token: "fixture-geheim" })
  product = await startProduct({ env: { FIXTURE_TOKEN: "fixture-geheim" } })
  cli = openCli(product.dataDir)
})
afterAll(async () => {
  await product.stop()
  await fixture.close()
})

const file = (name: string, content: string): string => {
  const path = join(product.dataDir, name)
  writeFileSync(path, content)
  return path
}

const claude = (): string => {
  const { command, args } = stdioConfig("memory")
  const memory = { command, args, env: { MEMORY_FILE_PATH: join(product.dataDir, "memory.json"), SECRET: "memory-geheim" } }
  return file(
    "claude_desktop_config.json",
    JSON.stringify({ mcpServers: { "My Memory": memory, gone: { command: "/no/such/program" }, off: { command: "x", disabled: true } } }),
  )
}

test("a dry run says what would be done, and does nothing", async () => {
  const { code, stdout } = await cli.run(["import", claude(), "--dry-run"])
  expect(code).toBe(0)
  expect(stdout).toMatch(/would add +My Memory +my_memory +/)
  expect(stdout).toMatch(/skipped +off/)
  expect(stdout).not.toContain("memory-geheim")
  expect((await product.client.integrations.list()).items).toEqual([])
})

test("programs are added and connected; each line says how it went", async () => {
  const { code, stdout } = await cli.run(["import", claude(), "--json"])
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    servers: [
      { name: "off", status: "skipped" },
      { name: "My Memory", slug: "my_memory", status: "added", detail: expect.stringMatching(/^\d+ tools$/) },
      { name: "gone", slug: "gone", status: "failed", detail: expect.stringContaining("connections refresh gone") },
    ],
  })
  expect(await product.client.integrations.get("my_memory")).toMatchObject({ kind: "mcp", config: { env: { SECRET: "***" } } })
  const read = await product.client.run("return await tools.my_memory.read_graph({})", { autoApprove: true })
  expect(read.structured).toMatchObject({ result: { ok: true } })
})

test("what was added before and is not usable fails again, and says why", async () => {
  const { code, stdout } = await cli.run(["import", claude(), "--only", "gone", "--json"])
  expect(code).toBe(1)
  const detail = expect.stringMatching(/^Already added, but not connected: .*connections refresh gone\.org\.main$/s)
  expect(JSON.parse(stdout)).toMatchObject({ servers: [{ name: "gone", slug: "gone", status: "failed", detail }] })
})

test("what is there already is left alone, and another server of that name gets a number", async () => {
  const again = (await cli.json(["import", claude(), "--only", "My Memory"])) as object
  expect(again).toMatchObject({ servers: [{ status: "exists", slug: "my_memory" }] })
  const other = file("mcp.json", JSON.stringify({ mcpServers: { my_memory: { command: "/other/program" } } }))
  expect(await cli.json(["import", other, "--dry-run"])).toMatchObject({ servers: [{ status: "would add", slug: "my_memory_2" }] })
})

test("Codex: a remote server with its token from the environment", async () => {
  const toml = file("config.toml", `[mcp_servers.fixture]\nurl = "${fixture.url}"\nbearer_token_env_var = "FIXTURE_TOKEN"\n`)
  const { code, stdout, stderr } = await cli.run(["import", toml])
  // Where it takes longer than a second there is progress; nothing else is said.
  expect({ code, stderr: stderr.replace(/^Importing fixture …\n/, "") }).toEqual({ code: 0, stderr: "" })
  expect(stdout).toMatch(/added +fixture +fixture +\d+ tools/)
})

test("VS Code: what only a human can answer is not guessed", async () => {
  const jsonc = file(
    "vscode.json",
    `{ // asked once
      "inputs": [{ "id": "token", "type": "promptString", "description": "Token", "password": true }],
      "servers": { "asks": { "url": "${fixture.url}", "headers": { "Authorization": "Bearer \${input:token}" } }, },
    }`,
  )
  const { code, stdout } = await cli.run(["import", jsonc])
  expect(code).toBe(1)
  expect(stdout).toMatch(/failed +asks +The file prompts for 'token'. Run this in a terminal/)
})

test("wrong usage is said before anything is done", async () => {
  expect(await cli.run(["import", claude(), "--only", "nobody"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Servers in it: My Memory, gone, off") as string,
  })
  expect(await cli.run(["import", "/no/such/file.json"])).toMatchObject({ code: 2 })
  expect(await cli.run(["import", "-"], { stdin: "{}" })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("has no MCP servers") as string,
  })
})
