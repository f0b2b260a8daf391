// `executor connect`: what it writes into a client's file starts Executor, and nothing else of the file is touched.
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Cli } from "./cli-run.ts"
import { openCli } from "./cli-run.ts"

// The command line finds its home here too.
const home = mkdtempSync(join(tmpdir(), "executor-connect-"))
let cli: Cli
beforeAll(() => {
  cli = openCli(home)
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

test("a client that reads the file starts Executor, from another directory", async () => {
  const done = await cli.run(["connect", "cursor", "--yes"])
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("Connected Cursor") })
  const { mcpServers } = JSON.parse(readFileSync(join(home, ".cursor", "mcp.json"), "utf8")) as {
    mcpServers: { executor: { command: string; args: string[]; env: Record<string, string> } }
  }
  expect(mcpServers.executor.env).toEqual({ EXECUTOR_DATA_DIR: home })
  const client = new Client({ name: "cursor", version: "1" })
  const { command, args, env } = mcpServers.executor
  const transport = { command, args, cwd: tmpdir(), env: { ...env, PATH: process.env["PATH"] ?? "" }, stderr: "ignore" as const }
  await client.connect(new StdioClientTransport(transport))
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["execute", "resume"])
  await client.close()
  expect((await cli.run(["connect", "cursor", "--yes"])).stdout).toContain("already connected")
})

test("it shows what it would write, and writes nothing without a yes", async () => {
  const shown = await cli.run(["connect", "codex", "--print"])
  expect(shown).toMatchObject({ code: 0, stderr: expect.stringContaining("[mcp_servers.executor]") })
  const silent = await cli.run(["connect", "codex"])
  expect(silent).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") })
  expect(() => statSync(join(home, ".codex"))).toThrow("ENOENT")
})

test("a server elsewhere is named by its address, and its human consents in the browser", async () => {
  const file = join(home, "elsewhere.json")
  const done = await cli.run(["connect", "vscode", "--file", file, "--url", "https://tools.example.com", "--yes"])
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("decide in the browser") })
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ servers: { executor: { type: "http", url: "https://tools.example.com/mcp" } } })
  const direct = await cli.run(["connect", "codex", "--print", "--url", "https://tools.example.com/mcp/direct/github"])
  expect(direct.stderr).toContain('url = "https://tools.example.com/mcp/direct/github"')
  expect(await cli.run(["connect", "cursor", "--url", "tools"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--url must be"),
  })
  expect(await cli.run(["connect", "claude-desktop", "--url", "https://a.example"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Settings > Connectors"),
  })
})

test("a link stays a link, and the file behind it keeps its rights", async () => {
  mkdirSync(join(home, "dotfiles"))
  const real = join(home, "dotfiles", "claude.json")
  writeFileSync(real, '{ "numStartups": 7 }', { mode: 0o640 })
  symlinkSync(real, join(home, ".claude.json"))
  const done = await cli.run(["connect", "claude", "--yes"])
  expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining(`(a link to ${real})`) })
  expect(lstatSync(join(home, ".claude.json")).isSymbolicLink()).toBe(true)
  expect(statSync(real).mode & 0o777).toBe(0o640)
  expect(JSON.parse(readFileSync(real, "utf8"))).toMatchObject({ numStartups: 7, mcpServers: { executor: { args: ["mcp"] } } })
})

test("a broken file is left as it is, and an unknown client is told which there are", async () => {
  const file = join(home, "broken.json")
  writeFileSync(file, "{ oops")
  const broken = await cli.run(["connect", "cursor", "--file", file, "--yes"])
  expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining("was not changed") })
  expect(readFileSync(file, "utf8")).toBe("{ oops")
  expect((await cli.run(["connect", "emacs"])).stderr).toContain("claude, claude-desktop, cursor, vscode, codex")
})
