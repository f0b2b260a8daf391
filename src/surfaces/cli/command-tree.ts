// Every command by its name and one line; its own file is loaded when it is called.
//
// A new command is one more file in `commands/` that exports `configure`, and one more line here;
// `node scripts/reference.ts` then writes it into the reference.
import type { Command } from "commander"

export type CommandModule = { configure(command: Command): void }

export type CommandEntry = {
  readonly name: string
  readonly summary: string
  /** What people also call it. */
  readonly alias?: string
  /** Completion asks it; people do not. */
  readonly isHidden?: boolean
} & (
  | { load(): Promise<CommandModule>; /** The heading it stands under in the help. */ readonly heading?: string }
  | { readonly children: readonly CommandEntry[]; readonly heading?: string }
)

const start = "Try it:"
const use = "Use tools:"
const connect = "Connect APIs:"
const govern = "Govern:"
const operate = "Operate:"

export const commandTree: readonly CommandEntry[] = [
  { name: "demo", summary: "See what Executor does, in a minute.", heading: start, load: () => import("./commands/demo.ts") },
  { name: "call", summary: "Call one tool.", heading: use, load: () => import("./commands/call.ts") },
  { name: "run", summary: "Run code against `tools`.", heading: use, load: () => import("./commands/run.ts") },
  { name: "resume", summary: "Answer what a paused execution waits for.", heading: use, load: () => import("./commands/resume.ts") },
  {
    name: "tools",
    summary: "Find out what tools there are.",
    heading: use,
    children: [
      { name: "search", summary: "Find tools by what they do.", load: () => import("./commands/tools-search.ts") },
      { name: "describe", summary: "Show what a tool takes and answers.", load: () => import("./commands/tools-describe.ts") },
      { name: "sources", summary: "List integrations with their number of tools.", load: () => import("./commands/tools-sources.ts") },
      { name: "list", summary: "List all tools.", load: () => import("./commands/tools-list.ts") },
      { name: "types", summary: "Write TypeScript declarations of all tools.", load: () => import("./commands/tools-types.ts") },
      { name: "eval", summary: "Measure how well search finds what is meant.", load: () => import("./commands/tools-eval.ts") },
    ],
  },
  {
    name: "integrations",
    summary: "Add APIs to the catalog.",
    heading: connect,
    children: [
      { name: "add", summary: "Add an API by its URL or document.", load: () => import("./commands/integrations-add.ts") },
      { name: "list", summary: "List integrations.", load: () => import("./commands/integrations-list.ts") },
      { name: "show", summary: "Show one integration.", load: () => import("./commands/integrations-show.ts") },
      { name: "update", summary: "Change an integration.", load: () => import("./commands/integrations-update.ts") },
      { name: "remove", summary: "Remove an integration with its connections.", load: () => import("./commands/integrations-remove.ts") },
    ],
  },
  {
    name: "connections",
    summary: "Bind credentials, which makes an integration's tools callable.",
    heading: connect,
    children: [
      { name: "add", summary: "Connect an integration.", load: () => import("./commands/connections-add.ts") },
      { name: "list", summary: "List connections and their state.", load: () => import("./commands/connections-list.ts") },
      { name: "update", summary: "Replace a connection's credentials.", load: () => import("./commands/connections-update.ts") },
      { name: "refresh", summary: "Read an integration's tools again.", load: () => import("./commands/connections-refresh.ts") },
      { name: "accept", summary: "Accept tools that changed.", load: () => import("./commands/connections-accept.ts") },
      { name: "remove", summary: "Remove a connection with its credentials.", load: () => import("./commands/connections-remove.ts") },
    ],
  },
  {
    name: "connect",
    summary: "Connect an agent's program: Claude, Cursor, VS Code or Codex.",
    heading: connect,
    load: () => import("./commands/connect.ts"),
  },
  {
    name: "import",
    summary: "Take over MCP servers from another client's config.",
    heading: connect,
    load: () => import("./commands/import.ts"),
  },
  {
    name: "policies",
    summary: "Say which calls are allowed, ask first, or are blocked.",
    heading: govern,
    children: [
      { name: "list", summary: "List rules in their order.", load: () => import("./commands/policies-list.ts") },
      { name: "add", summary: "Add a rule.", load: () => import("./commands/policies-add.ts") },
      { name: "remove", summary: "Remove a rule.", load: () => import("./commands/policies-remove.ts") },
      { name: "explain", summary: "Say what a call would meet, and why.", load: () => import("./commands/policies-explain.ts") },
    ],
  },
  {
    name: "approvals",
    summary: "Answer what waits for a human.",
    heading: govern,
    children: [
      { name: "list", summary: "List what waits.", load: () => import("./commands/approvals-list.ts") },
      { name: "show", summary: "Show one request, whole.", load: () => import("./commands/approvals-show.ts") },
      { name: "approve", alias: "accept", summary: "Let a call happen.", load: () => import("./commands/approvals-approve.ts") },
      { name: "decline", summary: "Refuse a call.", load: () => import("./commands/approvals-decline.ts") },
      { name: "cancel", summary: "Drop a question without an answer.", load: () => import("./commands/approvals-cancel.ts") },
    ],
  },
  {
    name: "tokens",
    summary: "Let agents and people in.",
    heading: govern,
    children: [
      { name: "create", summary: "Make a token; it is shown once.", load: () => import("./commands/tokens-create.ts") },
      { name: "list", summary: "List tokens.", load: () => import("./commands/tokens-list.ts") },
      { name: "revoke", summary: "Make a token useless.", load: () => import("./commands/tokens-revoke.ts") },
    ],
  },
  {
    name: "executions",
    summary: "See what ran.",
    heading: govern,
    children: [
      { name: "list", summary: "List executions, newest first.", load: () => import("./commands/executions-list.ts") },
      { name: "show", summary: "Show one execution with its calls.", load: () => import("./commands/executions-show.ts") },
      { name: "cancel", summary: "Stop an execution.", load: () => import("./commands/executions-cancel.ts") },
    ],
  },
  {
    name: "audit",
    summary: "See who did what.",
    heading: govern,
    children: [{ name: "list", summary: "List calls and changes, newest first.", load: () => import("./commands/audit-list.ts") }],
  },
  { name: "serve", summary: "Start the server: HTTP API and status page.", heading: operate, load: () => import("./commands/serve.ts") },
  { name: "mcp", summary: "Serve MCP on stdin and stdout.", heading: operate, load: () => import("./commands/mcp.ts") },
  { name: "web", summary: "Sign in with a browser.", heading: operate, load: () => import("./commands/web.ts") },
  { name: "doctor", summary: "Say what is wrong here, and what to do.", heading: operate, load: () => import("./commands/doctor.ts") },
  {
    name: "completion",
    summary: "Print a completion script for your shell.",
    heading: operate,
    load: () => import("./commands/completion.ts"),
  },
  {
    name: "complete-path",
    summary: "List what a tool's path may go on with.",
    isHidden: true,
    load: () => import("./commands/complete-path.ts"),
  },
]
