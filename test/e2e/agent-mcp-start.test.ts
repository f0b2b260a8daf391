// How the MCP servers of an agent start: which may fail, what they get, how long is waited, and that none is left behind.
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { McpConnectionManager, loadToolsConfig } from "../../src/agent-tools/index.ts"
import type { McpStartOptions } from "../../src/agent-tools/index.ts"
import { npmServer, stubbornServer } from "../servers/agent-mcp.ts"
import { startMcpFixture } from "../servers/mcp-fixture.ts"
import { freePort } from "../servers/mcp-npm.ts"
import { plainTool, silence, startScriptedMcp, textResult } from "../servers/mcp-scripted.ts"
import { becomes } from "../servers/processes.ts"

const slow = { startupTimeoutMs: 120_000 }

async function start(...given: Parameters<typeof McpConnectionManager.start>): Promise<McpConnectionManager> {
  const mcp = await McpConnectionManager.start(...given)
  onTestFinished(() => mcp.close())
  return mcp
}

async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "agent-mcp-start-")))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function good(names: readonly string[] = ["work"]) {
  const server = await startScriptedMcp({
    answer: ({ method }) =>
      method === "tools/list" ? { tools: names.map((name) => plainTool(name)) } : method === "tools/call" ? textResult("done") : undefined,
  })
  onTestFinished(() => server.close())
  return server
}

/** What the program of `mcp-stubborn.ts` says of its environment. */
async function environmentOf(mcp: McpConnectionManager, server: string) {
  const { content } = await mcp.callTool(server, "env", {})
  const [first] = content
  return JSON.parse(first?.type === "text" ? first.text : "") as { readonly env: Record<string, string>; readonly cwd: string }
}

test("no servers at all", async () => {
  const mcp = await start()
  expect((await mcp.listAllTools()).size).toBe(0)
  await expect(mcp.callTool("a", "b", {})).rejects.toThrow("unknown MCP server 'a'")
})

test("servers that fail are skipped and named, and never hide the others", async () => {
  const crash = stubbornServer("exit-on-probe")
  const server = await good()
  const mcp = await start({
    good: { url: server.url },
    missing: { command: "no-such-program-anywhere" },
    "not a name": { url: server.url },
    closed: { url: `http://127.0.0.1:${await freePort()}/mcp` },
    "no-variable": { url: server.url, bearerTokenEnvVar: "AGENT_MCP_TEST_UNSET" },
    neither: {} as never,
    never: { url: server.url, toolTimeoutMs: 0 },
    folder: { ...crash.config, cwd: "/no/such/folder" },
    off: { command: "no-such-program-anywhere", enabled: false },
  })
  expect([...(await mcp.listAllTools()).keys()]).toEqual(["mcp__good__work"])
  const failures = Object.fromEntries(mcp.failures.map(({ server: name, message }) => [name, message]))
  expect(failures).toEqual({
    missing: expect.stringContaining("The command 'no-such-program-anywhere' was not found in any folder of PATH"),
    "not a name": "Invalid server name 'not a name': must match pattern ^[a-zA-Z0-9_-]+$",
    closed: expect.stringContaining("127.0.0.1"),
    "no-variable": "bearerTokenEnvVar of MCP server 'no-variable' names the environment variable AGENT_MCP_TEST_UNSET, which is not set",
    neither: "MCP server 'neither' has neither a command nor a url",
    never: "toolTimeoutMs of MCP server 'never' must be more than 0",
    folder: "The working directory /no/such/folder of 'node' does not exist".replace("'node'", `'${process.execPath}'`),
  })
  await expect(mcp.callTool("missing", "x", {})).rejects.toThrow("MCP server 'missing' was not initialized: The command")
  await expect(mcp.callTool("off", "x", {})).rejects.toThrow("unknown MCP server 'off'")
})

test("a required server that fails fails the start, and leaves no program running", async () => {
  const other = npmServer("memory")
  await expect(
    McpConnectionManager.start({
      other: { ...other.config, ...slow },
      needed: { command: "no-such-program-anywhere", required: true },
    }),
  ).rejects.toThrow("required MCP server `needed` was not initialized: The command 'no-such-program-anywhere' was not found")
  expect(other.groupSize()).toBe(0)
})

test("a server that says nothing is given up after its time, with what it said last", async () => {
  const mute = stubbornServer("mute", "stubborn", "helper")
  const mcp = await start({ mute: { ...mute.config, startupTimeoutMs: 1000 } })
  expect(mcp.failures).toEqual([{ server: "mute", message: expect.stringContaining("did not answer within") }])
  expect(mcp.failures[0]?.message).toContain("raise its startup_timeout_sec")
  expect(await becomes(() => mute.groupSize() === 0)).toBe(true)
})

test("a server whose list never comes is given up as well", async () => {
  const server = await startScriptedMcp({ answer: ({ method }) => (method === "tools/list" ? silence : undefined) })
  onTestFinished(() => server.close())
  const mcp = await start({ stuck: { url: server.url, startupTimeoutMs: 500, toolTimeoutMs: 3_600_000 } })
  expect(mcp.failures).toEqual([{ server: "stuck", message: expect.stringContaining("did not answer within") }])
})

test("the start is given up by its signal", async () => {
  const mute = stubbornServer("mute")
  const cancel = new AbortController()
  const starting = McpConnectionManager.start({ mute: { ...mute.config, ...slow } }, { signal: cancel.signal })
  expect(await becomes(() => mute.pids().length > 0)).toBe(true)
  cancel.abort(new Error("not any more"))
  await expect(starting).rejects.toThrow("not any more")
  expect(await becomes(() => mute.groupSize() === 0)).toBe(true)
})

test("a server that ends on questions it does not know is started again for the one it knows", async () => {
  const old = stubbornServer("exit-on-probe")
  const mcp = await start({ old: { ...old.config, ...slow } })
  expect((await mcp.listAllTools()).has("mcp__old__env")).toBe(true)
})

test("servers start side by side: each waits for all", async () => {
  const everyone = Promise.withResolvers<void>()
  let here = 0
  const servers = await Promise.all(
    [1, 2, 3].map(async () => {
      const server = await startScriptedMcp({
        async answer({ method }) {
          if (method !== "tools/list") return undefined
          here += 1
          if (here === 3) everyone.resolve()
          await everyone.promise
          return { tools: [plainTool("work")] }
        },
      })
      onTestFinished(() => server.close())
      return server
    }),
  )
  const mcp = await start(Object.fromEntries(servers.map(({ url }, index) => [`s${index}`, { url, required: true }])))
  expect((await mcp.listAllTools()).size).toBe(3)
})

describe("a program", () => {
  test("gets its variables, those of ours that it names, and no others", async () => {
    const folder = await newFolder()
    const options: McpStartOptions = { env: { NAMED: "passed", OTHER: "kept" }, cwd: folder }
    const mcp = await start({ a: { ...stubbornServer().config, ...slow, env: { OWN: "1" }, envVars: ["NAMED", "UNSET"] } }, options)
    const { env, cwd } = await environmentOf(mcp, "a")
    expect(env).toMatchObject({ OWN: "1", NAMED: "passed" })
    expect(Object.keys(env).filter((name) => ["OTHER", "UNSET"].includes(name))).toEqual([])
    expect(cwd).toBe(folder)
  })

  test("starts in its own folder where the config says one, else in ours", async () => {
    const folder = await newFolder()
    const mcp = await start({
      own: { ...stubbornServer().config, ...slow, cwd: folder },
      ours: { ...stubbornServer().config, ...slow },
    })
    expect((await environmentOf(mcp, "own")).cwd).toBe(folder)
    expect((await environmentOf(mcp, "ours")).cwd).toBe(await realpath(process.cwd()))
  })

  test("does not tell its secrets by what it says last", async () => {
    const { config } = stubbornServer()
    const mcp = await start({ a: { ...config, ...slow, env: { SECRET_TOKEN: "hunter2hunter2" } } })
    const failure = await mcp.callTool("a", "write", {}).catch(String)
    expect(failure).toContain("fatal: cannot go on with ***")
    expect(failure).not.toContain("hunter2")
  })

  test("ends with everything that it started when the connections are closed, however stubborn it is", async () => {
    const stubborn = stubbornServer("stubborn", "helper", "crowd")
    const mcp = await start({ a: { ...stubborn.config, ...slow } })
    expect(await becomes(() => stubborn.groupSize() > 100)).toBe(true)
    await mcp.close()
    // Now, and not a moment later: whoever closes may end itself next.
    expect(stubborn.groupSize()).toBe(0)
    await expect(mcp.callTool("a", "env", {})).rejects.toThrow("The connections to MCP servers are closed")
    expect((await mcp.listAllTools()).size).toBe(0)
  })
})

test("a server over HTTP gets its headers and its token, from the config and from variables", async () => {
  const fixture = await startMcpFixture({ token: "secret-token" })
  onTestFinished(() => fixture.close())
  const config = {
    url: fixture.url,
    bearerTokenEnvVar: "FIXTURE_TOKEN",
    httpHeaders: { "X-Key": "from the config" },
    envHttpHeaders: { "X-Other": "OTHER_HEADER" },
  }
  const mcp = await start({ fixture: config, refused: { url: fixture.url } }, { env: { FIXTURE_TOKEN: "secret-token", OTHER_HEADER: "o" } })
  expect(mcp.failures).toEqual([{ server: "refused", message: expect.stringContaining("The server requires authorization") }])
  expect(await mcp.callTool("fixture", "echo_header", {})).toMatchObject({ content: [{ text: "from the config" }] })
  expect(fixture.ledger.requests.at(-1)?.headers).toMatchObject({ "x-other": "o", authorization: "Bearer secret-token" })
})

test("a config file as people write it", async () => {
  const folder = await newFolder()
  const { command, args = [] } = npmServer("filesystem", ["."]).config
  const config = await loadToolsConfig({
    text: `
[mcp_servers.filesystem]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
env = { "MCP_ROOT" = "/workspace" }
timeout_seconds = 30
startup_timeout_sec = 120
disabled_tools = ["write_file"]
`,
  })
  const mcp = await start(config.mcpServers, { cwd: folder })
  const tools = await mcp.listAllTools()
  expect(tools.has("mcp__filesystem__read_file")).toBe(true)
  expect(tools.has("mcp__filesystem__write_file")).toBe(false)
  await mcp.callTool("filesystem", "create_directory", { path: join(folder, "made") })
  await expect(mcp.callTool("filesystem", "write_file", { path: join(folder, "x"), content: "" })).rejects.toThrow(
    "tool 'write_file' is disabled for MCP server 'filesystem'",
  )
  await expect(readFile(join(folder, "x"))).rejects.toThrow("ENOENT")
})
