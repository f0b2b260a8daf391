// What the clients of agents are told to connect with a token.

type ClientConfig = {
  readonly id: string
  readonly title: string
  /** Where it goes. */
  readonly place: string
  readonly text: (origin: string, token: string) => string
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)
const headers = (token: string) => ({ Authorization: `Bearer ${token}` })

export const clientConfigs: readonly [ClientConfig, ...ClientConfig[]] = [
  {
    id: "claude",
    title: "Claude Code",
    place: "Run it in a terminal.",
    text: (origin, token) => `claude mcp add --transport http executor ${origin}/mcp --header "Authorization: Bearer ${token}"`,
  },
  {
    id: "cursor",
    title: "Cursor",
    place: "In ~/.cursor/mcp.json",
    text: (origin, token) => json({ mcpServers: { executor: { url: `${origin}/mcp`, headers: headers(token) } } }),
  },
  {
    id: "vscode",
    title: "VS Code",
    place: "In .vscode/mcp.json",
    text: (origin, token) => json({ servers: { executor: { type: "http", url: `${origin}/mcp`, headers: headers(token) } } }),
  },
  {
    id: "codex",
    title: "Codex",
    place: "In ~/.codex/config.toml, with the token in the variable EXECUTOR_TOKEN.",
    text: (origin) => `[mcp_servers.executor]\nurl = "${origin}/mcp"\nbearer_token_env_var = "EXECUTOR_TOKEN"`,
  },
  {
    id: "sdk",
    title: "A program of your own",
    place: "The client of the package toolplane.",
    text: (origin, token) =>
      `import { createClient } from "toolplane/client"\n\nconst executor = createClient({ origin: "${origin}/api", token: "${token}" })`,
  },
  {
    id: "curl",
    title: "curl",
    place: "Run it in a terminal.",
    text: (origin, token) => `curl -s "${origin}/api/tools" -H "Authorization: Bearer ${token}"`,
  },
]
