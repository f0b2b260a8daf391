// Every command by its name and one line; its own file is loaded when it is called.
//
// A new command is one more file in `commands/` that exports `configure`, and one more line here;
// `node scripts/reference.ts` then writes it into the reference.
import type { CommandEntry } from "./command-entry.ts"
import { makeCommands } from "./make-commands.ts"

const start = "Try it:"
const use = "Use tools:"
const connect = "Connect APIs:"
const govern = "Govern:"
const operate = "Operate:"

export const commandTree: readonly CommandEntry[] = [
  { name: "demo", summary: "See what Executor does in one minute.", heading: start, load: () => import("./commands/demo.ts") },
  { name: "call", summary: "Call one tool.", heading: use, load: () => import("./commands/call.ts") },
  { name: "run", summary: "Run code against `tools`.", heading: use, load: () => import("./commands/run.ts") },
  { name: "resume", summary: "Answer a paused execution.", heading: use, load: () => import("./commands/resume.ts") },
  {
    name: "tools",
    summary: "Explore the tools in the catalog.",
    heading: use,
    children: [
      { name: "search", summary: "Find tools by what they do.", load: () => import("./commands/tools/search.ts") },
      { name: "describe", summary: "Show a tool's input and output.", load: () => import("./commands/tools/describe.ts") },
      { name: "versions", summary: "Show when a tool changed, and what.", load: () => import("./commands/tools/versions.ts") },
      { name: "sources", summary: "List integrations with their tool counts.", load: () => import("./commands/tools/sources.ts") },
      { name: "list", summary: "List all tools.", load: () => import("./commands/tools/list.ts") },
      { name: "types", summary: "Generate TypeScript declarations for all tools.", load: () => import("./commands/tools/types.ts") },
      { name: "eval", summary: "Measure the quality of tool search.", load: () => import("./commands/tools/eval.ts") },
    ],
  },
  {
    name: "integrations",
    summary: "Add APIs to the catalog.",
    heading: connect,
    children: [
      { name: "add", summary: "Add an API by name, from a URL or a document.", load: () => import("./commands/integrations/add.ts") },
      {
        name: "presets",
        summary: "List well-known APIs that can be added by name.",
        load: () => import("./commands/integrations/presets.ts"),
      },
      { name: "list", summary: "List integrations.", load: () => import("./commands/integrations/list.ts") },
      { name: "show", summary: "Show one integration.", load: () => import("./commands/integrations/show.ts") },
      { name: "update", summary: "Change an integration.", load: () => import("./commands/integrations/update.ts") },
      { name: "remove", summary: "Remove an integration and its connections.", load: () => import("./commands/integrations/remove.ts") },
    ],
  },
  {
    name: "connections",
    summary: "Connect integrations with credentials so that their tools can be called.",
    heading: connect,
    children: [
      { name: "add", summary: "Connect an integration.", load: () => import("./commands/connections/add.ts") },
      { name: "list", summary: "List connections and their status.", load: () => import("./commands/connections/list.ts") },
      { name: "update", summary: "Replace a connection's credentials.", load: () => import("./commands/connections/update.ts") },
      { name: "refresh", summary: "Reload a connection's tools.", load: () => import("./commands/connections/refresh.ts") },
      { name: "accept", summary: "Accept changed tools.", load: () => import("./commands/connections/accept.ts") },
      { name: "remove", summary: "Remove a connection and its credentials.", load: () => import("./commands/connections/remove.ts") },
    ],
  },
  {
    name: "connect",
    summary: "Connect an AI client: Claude, Cursor, VS Code or Codex.",
    heading: connect,
    load: () => import("./commands/connect.ts"),
  },
  {
    name: "import",
    summary: "Import MCP servers from another client's config.",
    heading: connect,
    load: () => import("./commands/import.ts"),
  },
  ...makeCommands,
  {
    name: "policies",
    summary: "Control which calls are allowed, require approval, or are blocked.",
    heading: govern,
    children: [
      { name: "list", summary: "List rules in order of evaluation.", load: () => import("./commands/policies/list.ts") },
      { name: "add", summary: "Add a rule.", load: () => import("./commands/policies/add.ts") },
      { name: "remove", summary: "Remove a rule.", load: () => import("./commands/policies/remove.ts") },
      { name: "explain", summary: "Show the decision for a call, and why.", load: () => import("./commands/policies/explain.ts") },
    ],
  },
  {
    name: "access",
    summary: "See who can call what, and why.",
    heading: govern,
    children: [
      {
        name: "explain",
        summary: "Show why somebody can or cannot call a tool.",
        load: () => import("./commands/access/explain.ts"),
      },
    ],
  },
  {
    name: "signin",
    summary: "Set up how people sign in.",
    heading: govern,
    children: [
      {
        name: "providers",
        summary: "Manage the OpenID Connect providers at which people sign in.",
        children: [
          { name: "list", summary: "List sign-in providers.", load: () => import("./commands/signin/list.ts") },
          { name: "add", summary: "Add a sign-in provider.", load: () => import("./commands/signin/add.ts") },
          { name: "update", summary: "Change a sign-in provider.", load: () => import("./commands/signin/update.ts") },
          { name: "remove", summary: "Remove a sign-in provider.", load: () => import("./commands/signin/remove.ts") },
          { name: "test", summary: "Sign in as a test, and see claims and roles.", load: () => import("./commands/signin/test.ts") },
        ],
      },
    ],
  },
  {
    name: "approvals",
    summary: "Review calls that wait for approval.",
    heading: govern,
    children: [
      { name: "list", summary: "List open approvals.", load: () => import("./commands/approvals/list.ts") },
      { name: "show", summary: "Show an approval in full.", load: () => import("./commands/approvals/show.ts") },
      { name: "approve", alias: "accept", summary: "Approve a call.", load: () => import("./commands/approvals/approve.ts") },
      { name: "decline", summary: "Decline a call.", load: () => import("./commands/approvals/decline.ts") },
      { name: "cancel", summary: "Cancel an approval without deciding.", load: () => import("./commands/approvals/cancel.ts") },
    ],
  },
  {
    name: "notifications",
    summary: "Tell approvals that wait to webhooks and Slack.",
    heading: govern,
    children: [
      { name: "list", summary: "List notifications, without addresses.", load: () => import("./commands/notifications/list.ts") },
      { name: "add", summary: "Add a notification.", load: () => import("./commands/notifications/add.ts") },
      { name: "edit", summary: "Change a notification, or switch it on or off.", load: () => import("./commands/notifications/edit.ts") },
      { name: "test", summary: "Send one message.", load: () => import("./commands/notifications/test.ts") },
      { name: "log", summary: "Show what was told.", load: () => import("./commands/notifications/log.ts") },
      { name: "remove", summary: "Remove a notification.", load: () => import("./commands/notifications/remove.ts") },
    ],
  },
  {
    name: "users",
    summary: "Manage people and service accounts.",
    heading: govern,
    children: [
      { name: "list", summary: "List users.", load: () => import("./commands/users/list.ts") },
      { name: "show", summary: "Show a user.", load: () => import("./commands/users/show.ts") },
      { name: "add", summary: "Add a person or a service account.", load: () => import("./commands/users/add.ts") },
      { name: "update", summary: "Change a user's name, address or roles.", load: () => import("./commands/users/update.ts") },
      { name: "disable", summary: "Disable a user; it takes effect at once.", load: () => import("./commands/users/disable.ts") },
      { name: "enable", summary: "Enable a user again.", load: () => import("./commands/users/enable.ts") },
      { name: "remove", summary: "Remove a user.", load: () => import("./commands/users/remove.ts") },
    ],
  },
  {
    name: "roles",
    summary: "Manage what people see and may do.",
    heading: govern,
    children: [
      { name: "list", summary: "List roles.", load: () => import("./commands/roles/list.ts") },
      { name: "show", summary: "Show a role.", load: () => import("./commands/roles/show.ts") },
      { name: "add", summary: "Add a role.", load: () => import("./commands/roles/add.ts") },
      { name: "update", summary: "Change a role.", load: () => import("./commands/roles/update.ts") },
      { name: "remove", summary: "Remove a role.", load: () => import("./commands/roles/remove.ts") },
      { name: "preview", summary: "Show which tools patterns match.", load: () => import("./commands/roles/preview.ts") },
    ],
  },
  {
    name: "invitations",
    summary: "Invite people.",
    heading: govern,
    children: [
      { name: "list", summary: "List open invitations.", load: () => import("./commands/invitations/list.ts") },
      { name: "create", summary: "Invite somebody; the link is shown once.", load: () => import("./commands/invitations/create.ts") },
      { name: "revoke", summary: "Revoke an invitation.", load: () => import("./commands/invitations/revoke.ts") },
    ],
  },
  {
    name: "tokens",
    summary: "Manage access for agents and people.",
    heading: govern,
    children: [
      { name: "create", summary: "Create a token; it is shown once.", load: () => import("./commands/tokens/create.ts") },
      { name: "list", summary: "List tokens.", load: () => import("./commands/tokens/list.ts") },
      { name: "revoke", summary: "Revoke a token.", load: () => import("./commands/tokens/revoke.ts") },
    ],
  },
  {
    name: "sessions",
    summary: "See and end browser sessions.",
    heading: govern,
    children: [
      { name: "list", summary: "List open browser sessions.", load: () => import("./commands/sessions/list.ts") },
      { name: "end", summary: "Sign a browser out.", load: () => import("./commands/sessions/end.ts") },
    ],
  },
  {
    name: "executions",
    summary: "Inspect executions.",
    heading: govern,
    children: [
      { name: "list", summary: "List executions, newest first.", load: () => import("./commands/executions/list.ts") },
      { name: "show", summary: "Show an execution and its calls.", load: () => import("./commands/executions/show.ts") },
      { name: "cancel", summary: "Stop an execution.", load: () => import("./commands/executions/cancel.ts") },
    ],
  },
  {
    name: "audit",
    summary: "See who did what, and when.",
    heading: govern,
    children: [
      { name: "list", summary: "List calls and changes, newest first.", load: () => import("./commands/audit/list.ts") },
      { name: "export", summary: "Export the audit log as JSON lines or CSV.", load: () => import("./commands/audit/export.ts") },
      { name: "verify", summary: "Find entries that were changed or removed.", load: () => import("./commands/audit/verify.ts") },
    ],
  },
  {
    name: "tenants",
    summary: "Manage the organisations on this server.",
    heading: operate,
    children: [
      { name: "list", summary: "List tenants.", load: () => import("./commands/tenants/list.ts") },
      {
        name: "create",
        summary: "Add a tenant; its first admin's token is shown once.",
        load: () => import("./commands/tenants/create.ts"),
      },
    ],
  },
  { name: "whoami", summary: "Show who you are and what you may do.", heading: govern, load: () => import("./commands/whoami.ts") },
  { name: "serve", summary: "Start the server: console, HTTP API and MCP.", heading: operate, load: () => import("./commands/serve.ts") },
  { name: "mcp", summary: "Serve MCP over stdin and stdout.", heading: operate, load: () => import("./commands/mcp.ts") },
  { name: "web", summary: "Sign in with a browser.", heading: operate, load: () => import("./commands/web.ts") },
  { name: "doctor", summary: "Diagnose problems and suggest fixes.", heading: operate, load: () => import("./commands/doctor.ts") },
  {
    name: "completion",
    summary: "Print a completion script for your shell.",
    heading: operate,
    load: () => import("./commands/completion.ts"),
  },
  {
    name: "complete-path",
    summary: "List completions for a tool path.",
    isHidden: true,
    load: () => import("./commands/complete-path.ts"),
  },
]
