// Configs of the clients that people come from, as those write them.
import { describe, expect, test } from "vitest"
import fc from "fast-check"
import { ExecutorError } from "../../../core/errors.ts"
import { parseMcpConfig } from "./parse.ts"
import { fillInputs } from "./reference.ts"

describe("Claude Desktop", () => {
  const text = JSON.stringify({
    globalShortcut: "Ctrl+Space",
    mcpServers: {
      filesystem: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/Users/ada/Desktop"] },
      "Brave Search": { command: "npx", args: ["-y", "@brave/search"], env: { BRAVE_API_KEY: "BSA-1", RETRIES: 3 } },
      old: { command: "uvx", args: ["old"], disabled: true },
      "brave-search": { command: "docker", args: ["run", "-i", "brave"] },
      empty: {},
    },
  })

  test("programs are taken over with their environment; what is off or empty is said", () => {
    expect(parseMcpConfig(text, "claude_desktop_config.json")).toEqual({
      servers: [
        {
          slug: "filesystem",
          name: "filesystem",
          config: { transport: "stdio", command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/Users/ada/Desktop"] },
          inputs: [],
          notes: [],
        },
        {
          slug: "brave_search",
          name: "Brave Search",
          config: { transport: "stdio", command: "npx", args: ["-y", "@brave/search"], env: { BRAVE_API_KEY: "BSA-1", RETRIES: "3" } },
          inputs: [],
          notes: [],
        },
        {
          slug: "brave_search_2",
          name: "brave-search",
          config: { transport: "stdio", command: "docker", args: ["run", "-i", "brave"] },
          inputs: [],
          notes: [],
        },
      ],
      problems: [
        { name: "old", status: "disabled", reason: "It is disabled in the file" },
        { name: "empty", status: "unusable", reason: "it has neither a command nor a url" },
      ],
    })
  })
})

describe("Claude Code", () => {
  test("references to the environment stay references where they can", () => {
    const text = JSON.stringify({
      mcpServers: {
        api: {
          type: "http",
          url: "${API_BASE:-https://api.example.com}/mcp?key=${API_KEY}",
          headers: { Authorization: "Bearer ${API_TOKEN}", "X-Team": "${TEAM:-core}" },
        },
        db: { command: "${BIN_DIR}/db", args: ["--dsn", "${DSN}"], env: { PGPASSWORD: "${PGPASSWORD}" } },
        lost: { command: "db", args: ["${NOWHERE}"] },
      },
    })
    const { servers, problems } = parseMcpConfig(text, ".mcp.json", { BIN_DIR: "/opt/bin", DSN: "postgres://x" })
    expect(servers.map(({ config, notes }) => ({ config, notes }))).toEqual([
      {
        config: {
          transport: "http",
          url: "https://api.example.com/mcp?key=${env:API_KEY}",
          headers: { Authorization: "Bearer ${env:API_TOKEN}", "X-Team": "core" },
        },
        notes: [],
      },
      {
        config: { transport: "stdio", command: "/opt/bin/db", args: ["--dsn", "postgres://x"], env: { PGPASSWORD: "${env:PGPASSWORD}" } },
        notes: ["${DSN} was replaced with its current value", "${BIN_DIR} was replaced with its current value"],
      },
    ])
    expect(problems).toEqual([{ name: "lost", status: "unusable", reason: "it refers to ${NOWHERE}, which is not set here" }])
  })

  test("~/.claude.json has servers of projects as well", () => {
    const text = JSON.stringify({
      mcpServers: { linear: { type: "sse", url: "https://mcp.linear.app/sse" } },
      projects: { "/home/ada/shop": { mcpServers: { linear: { type: "http", url: "https://mcp.linear.app/mcp" } } }, "/tmp": {} },
    })
    const { servers } = parseMcpConfig(text, ".claude.json")
    expect(servers.map(({ slug, notes }) => ({ slug, notes }))).toEqual([
      { slug: "linear", notes: [] },
      { slug: "linear_2", notes: ["In the project /home/ada/shop"] },
    ])
  })
})

test("the same server in several places is taken over once", () => {
  const one = { mcpServers: { s: { command: "x", args: ["1"] }, t: { command: "t" } } }
  const text = JSON.stringify({
    mcpServers: { s: { type: "stdio", command: "x", args: ["1"], env: {} } },
    projects: { "/a": one, "/b": one, "/c": { mcpServers: { s: { command: "x", args: ["2"] } } } },
  })
  expect(parseMcpConfig(text, ".claude.json").servers.map(({ slug, notes }) => ({ slug, notes }))).toEqual([
    { slug: "s", notes: ["Also in the project /a", "Also in the project /b"] },
    { slug: "t", notes: ["In the project /a", "Also in the project /b"] },
    { slug: "s_2", notes: ["In the project /c"] },
  ])
})

test("Cursor: its own variables, and a server by url alone", () => {
  const text = JSON.stringify({
    mcpServers: {
      remote: { url: "https://example.com/mcp", headers: { "X-Key": "${env:MY_KEY}" } },
      home: { command: "${userHome}/bin/tool", args: ["${workspaceFolder}"] },
      kept: { command: "${userHome}/bin/tool", autoApprove: ["a"], envFile: ".env", flavour: 1 },
    },
  })
  const { servers, problems } = parseMcpConfig(text, "mcp.json", { HOME: "/home/ada" })
  expect(servers).toMatchObject([
    { slug: "remote", config: { transport: "http", url: "https://example.com/mcp", headers: { "X-Key": "${env:MY_KEY}" } } },
    { slug: "kept", config: { command: "/home/ada/bin/tool" } },
  ])
  expect(servers[1]?.notes).toEqual([
    "envFile is not read; add its variables to env",
    "Its settings for single tools were not imported; use ./executor policies add instead",
    "Not imported: flavour",
  ])
  expect(problems).toMatchObject([{ name: "home", reason: expect.stringContaining("${workspaceFolder}") }])
})

describe("VS Code", () => {
  const text = `// Servers of this workspace
{
  "inputs": [
    { "type": "promptString", "id": "gh-token", "description": "GitHub token", "password": true }, // asked once
    { "type": "pickString", "id": "region", "description": "Region", "options": ["eu", { "label": "US", "value": "us" }] },
    { "type": "command", "id": "magic", "command": "x.y" },
  ],
  "servers": {
    /* the official one */
    "github": { "type": "http", "url": "https://api.githubcopilot.com/mcp/", "headers": { "Authorization": "Bearer \${input:gh-token}" } },
    "s3": { "type": "stdio", "command": "npx", "args": ["s3", "--region=\${input:region}", "https://x//y"], "env": {}, },
    "odd": { "command": "x", "args": ["\${input:magic}"] },
  },
}`

  test("comments, trailing commas and inputs are read", () => {
    const { servers, problems } = parseMcpConfig(text, "mcp.json")
    expect(servers).toMatchObject([
      { slug: "github", inputs: [{ id: "gh-token", message: "GitHub token", isSecret: true, choices: null }] },
      {
        slug: "s3",
        inputs: [{ id: "region", isSecret: false, choices: ["eu", "us"] }],
        config: { args: ["s3", "--region=${input:region}", "https://x//y"] },
      },
    ])
    expect(problems).toMatchObject([{ name: "odd", status: "unusable" }])
  })

  test("answers are put in where inputs stand", () => {
    const [github] = parseMcpConfig(text, "mcp.json").servers
    expect(fillInputs(github?.config, new Map([["gh-token", "ghp_1"]]))).toMatchObject({ headers: { Authorization: "Bearer ghp_1" } })
  })

  test("settings.json has them below mcp", () => {
    expect(parseMcpConfig('{"mcp":{"servers":{"a":{"command":"a"}}}}', "settings.json").servers).toMatchObject([{ slug: "a" }])
  })
})

test("Codex: TOML with tables, tokens by variable, and switches", () => {
  const text = `
model = "gpt-5"

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
env_vars = ["CONTEXT7_KEY"]
startup_timeout_sec = 20
tool_timeout_sec = 45.5

[mcp_servers.context7.env]
MODE = "fast"

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_TOKEN"
http_headers = { "X-Figma-Region" = "us-east-1" }
env_http_headers = { "X-Team" = "FIGMA_TEAM" }
enabled_tools = ["get_file"]

[mcp_servers."off-one"]
command = "x"
enabled = false
`
  expect(parseMcpConfig(text, "config.toml")).toMatchObject({
    servers: [
      {
        slug: "context7",
        config: {
          transport: "stdio",
          command: "npx",
          args: ["-y", "@upstash/context7-mcp"],
          env: { CONTEXT7_KEY: "${env:CONTEXT7_KEY}", MODE: "fast" },
          timeoutSeconds: 45.5,
        },
        notes: [],
      },
      {
        slug: "figma",
        config: {
          transport: "http",
          url: "https://mcp.figma.com/mcp",
          headers: { "X-Figma-Region": "us-east-1", "X-Team": "${env:FIGMA_TEAM}", Authorization: "Bearer ${env:FIGMA_TOKEN}" },
        },
        notes: [expect.stringContaining("policies add")],
      },
    ],
    problems: [{ name: "off-one", status: "disabled" }],
  })
  expect(parseMcpConfig(text, "stdin").servers).toHaveLength(2)
})

describe("what is no such config", () => {
  test.each([
    ["{", "x.json", "not valid JSON"],
    ["[mcp_servers", "x.toml", "not valid TOML"],
    ["{}", "x.json", "has no MCP servers"],
    ['{"openapi":"3.1.0","servers":[{"url":"https://x"}]}', "x.json", "has no MCP servers"],
    ["null", "x.json", "has no MCP servers"],
    ["", "x.json", "has no MCP servers"],
  ])("%s in %s is refused", (text, fileName, reason) => {
    expect(() => parseMcpConfig(text, fileName)).toThrow(reason)
  })

  test("names that are names of everything are plain names", () => {
    const text =
      '{"mcpServers":{"__proto__":{"command":"a"},"constructor":{"command":"b","env":{"__proto__":"x"}},"tools":{"command":"c"},"9 lives":{"command":"d"},"日本":{"command":"e"}}}'
    const { servers } = parseMcpConfig(text, "x.json")
    expect(servers.map((server) => server.slug)).toEqual(["proto", "constructor", "tools_mcp", "mcp_9_lives", "mcp"])
    expect(({} as Record<string, unknown>)["command"]).toBeUndefined()
  })

  test("any JSON is read or refused with a reason, and every slug is usable", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (mcpServers) => {
        try {
          const { servers } = parseMcpConfig(JSON.stringify({ mcpServers }), "x.json")
          const slugs = servers.map((server) => server.slug)
          expect(new Set(slugs).size).toBe(slugs.length)
          for (const slug of slugs) expect(slug).toMatch(/^[a-z][a-z0-9_]{0,62}$/)
        } catch (error) {
          expect(error).toBeInstanceOf(ExecutorError)
        }
      }),
    )
  })
})
