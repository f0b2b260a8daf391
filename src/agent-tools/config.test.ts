// Tests how the config of an agent's tools is read, and what is said of one that cannot be.
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, onTestFinished, test } from "vitest"
import { loadToolsConfig } from "./config.ts"

const load = (text: string) => loadToolsConfig({ text })

async function configFile(text: string): Promise<{ readonly path: string; readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "tools-config-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, "agent.toml")
  await writeFile(path, text)
  return { path, folder }
}

test("the example of the documentation", async () => {
  const config = await load(`
[mcp_servers.filesystem]
command = "npx"
args = ["-y", "@anthropic/mcp-server-filesystem"]
env = { "MCP_ROOT" = "/workspace" }
timeout_seconds = 30
`)
  expect(config).toEqual({
    mcpServers: {
      filesystem: {
        command: "npx",
        args: ["-y", "@anthropic/mcp-server-filesystem"],
        env: { MCP_ROOT: "/workspace" },
        toolTimeoutMs: 30_000,
      },
    },
  })
})

test("every key of a program and of a server over HTTP", async () => {
  const { mcpServers } = await load(`
[mcp_servers.program]
command = "server"
args = ["--fast"]
env = { A = "1" }
env_vars = ["HOME", { name = "LANG", source = "local" }]
cwd = "/srv"
enabled = false
required = true
startup_timeout_sec = 1.5
startup_timeout_ms = 9
tool_timeout_sec = 2
timeout_seconds = 9
enabled_tools = ["a"]
disabled_tools = ["b"]
supports_parallel_tool_calls = true

[mcp_servers.remote]
url = "https://example.com/mcp"
bearer_token_env_var = "TOKEN"
http_headers = { X-Region = "eu" }
env_http_headers = { X-Key = "KEY" }
startup_timeout_ms = 250
`)
  expect(mcpServers).toEqual({
    program: {
      command: "server",
      args: ["--fast"],
      env: { A: "1" },
      envVars: ["HOME", "LANG"],
      cwd: "/srv",
      enabled: false,
      required: true,
      startupTimeoutMs: 1500,
      toolTimeoutMs: 2000,
      enabledTools: ["a"],
      disabledTools: ["b"],
      supportsParallelToolCalls: true,
    },
    remote: {
      url: "https://example.com/mcp",
      bearerTokenEnvVar: "TOKEN",
      httpHeaders: { "X-Region": "eu" },
      envHttpHeaders: { "X-Key": "KEY" },
      startupTimeoutMs: 250,
    },
  })
})

test("settings of the local tools, beside keys of other programs", async () => {
  const text = `
model = "some-model"
workspace = "project"
apply_patch = "function"
shell = "unsandboxed"
approval_policy = "never"
network = true
output_tokens_max = 500
`
  const { path, folder } = await configFile(text)
  const expected = {
    applyPatch: "function",
    shell: "unsandboxed",
    approvalPolicy: "never",
    network: true,
    outputTokensMax: 500,
    mcpServers: {},
  }
  expect(await loadToolsConfig(path)).toEqual({ ...expected, workspace: join(folder, "project") })
  expect(await loadToolsConfig(pathToFileURL(path))).toEqual({ ...expected, workspace: join(folder, "project") })
  expect(await load(text)).toEqual({ ...expected, workspace: join(process.cwd(), "project") })
  expect(await load('approval_policy = "on-request"')).toMatchObject({ approvalPolicy: "on_request" })
})

test("a relative folder of a server is relative to the file", async () => {
  const { path, folder } = await configFile('[mcp_servers.a]\ncommand = "x"\ncwd = "sub"')
  expect(await loadToolsConfig(path)).toMatchObject({ mcpServers: { a: { cwd: join(folder, "sub") } } })
})

describe("is refused, with the place and what is expected", () => {
  const stdio = (line: string): string => `[mcp_servers.a]\ncommand = "x"\n${line}`
  const http = (line: string): string => `[mcp_servers.a]\nurl = "https://example.com"\n${line}`
  test.for([
    ["a program with a url", stdio('url = "https://example.com"'), "mcp_servers.a: url is not supported for stdio"],
    ["a program with headers", stdio("http_headers = { A = '1' }"), "mcp_servers.a: http_headers is not supported for stdio"],
    ["a server over HTTP with arguments", http('args = ["a"]'), "mcp_servers.a: args is not supported for streamable_http"],
    ["neither", "[mcp_servers.a]\nenabled = true", "mcp_servers.a: invalid transport"],
    ["a token in the file", http('bearer_token = "t"'), "bearer_token is not supported for streamable_http; a token does not belong"],
    ["approval modes of Codex", stdio('default_tools_approval_mode = "auto"'), "decide in its tool call gate"],
    ["a misspelled key", stdio("timeout_secs = 3"), "unknown key timeout_secs; known are command"],
    ["a key of an object's prototype", stdio("constructor = 3"), "unknown key constructor"],
    ["a time of 0", stdio("tool_timeout_sec = 0"), "tool_timeout_sec must be a number above 0"],
    ["a time that is no number", stdio('startup_timeout_sec = "3"'), "startup_timeout_sec must be a number above 0"],
    ["an infinite time", stdio("startup_timeout_sec = inf"), "startup_timeout_sec must be a number above 0"],
    ["arguments that are no strings", stdio("args = [1]"), "args must be an array of strings"],
    ["an argument with a NUL", stdio('args = ["a\\u0000"]'), "args must be an array of strings"],
    ["variables of another machine", stdio('env_vars = [{ name = "A", source = "remote" }]'), "env_vars must be an array of names"],
    ["an empty command", '[mcp_servers.a]\ncommand = " "', "command must not be empty"],
    ["a url of another protocol", '[mcp_servers.a]\nurl = "file:///etc"', "url must be an http or https URL"],
    ["a name with a space", '[mcp_servers."a b"]\ncommand = "x"', "invalid server name 'a b': must match pattern ^[a-zA-Z0-9_-]+$"],
    ["servers that are no tables", "mcp_servers = 3", "mcp_servers must be tables"],
    ["a server that is no table", "[mcp_servers]\na = 3", "mcp_servers.a: it must be a table"],
    ["another shell", 'shell = "fish"', 'shell must be "sandboxed" or "unsandboxed" or "off"'],
    ["an approval policy that cannot be kept", 'approval_policy = "untrusted"', 'approval_policy must be "on_request" or "never"'],
    [
      "a command that is misspelt",
      '[mcp_servers.a]\ncomand = "x"',
      "invalid transport: set command for a program, or url for a server over HTTP; comand is not a key",
    ],
    ["what is no TOML", "a = ", "it is not valid TOML"],
    ["where it is no TOML", "a = 1\nb = = 2", "(line 2, column 5)"],
  ] as const)("%s", async ([, text, message]) => {
    await expect(load(text)).rejects.toThrow(message)
  })

  test("a file that is not there", async () => {
    await expect(loadToolsConfig("/nowhere/agent.toml")).rejects.toThrow("/nowhere/agent.toml: it cannot be read: ENOENT")
  })
})
