// Turns one server of a client's config into the config of an MCP integration, or explains why it cannot be imported.
import { executorCommand } from "../../../io/executor-command.ts"
import type { ConfigEntry } from "./entries.ts"
import { fieldsOf } from "./entries.ts"
import { rewriteReferences } from "./reference.ts"
import type { ReferencePlace, Variables } from "./reference.ts"

export type ReadServer =
  | {
      readonly status: "read"
      readonly config: Record<string, unknown>
      readonly inputs: readonly string[]
      readonly notes: readonly string[]
    }
  | { readonly status: "disabled"; readonly reason: string }
  | { readonly status: "unusable"; readonly reason: string }

const timeoutSecondsMax = 600

/** Fields that are read, and those that say nothing about how the server is reached. */
const knownFields = new Set(
  "type transport command args env cwd url serverUrl httpUrl headers disabled enabled timeout timeout_seconds tool_timeout_sec startup_timeout_sec startup_timeout_ms bearer_token_env_var http_headers env_http_headers env_vars name title description version gallery icon dev required".split(
    " ",
  ),
)
const toolFields = new Set(
  "alwaysAllow autoApprove disabledTools enabledTools includeTools excludeTools enabled_tools disabled_tools tools trust default_tools_approval_mode".split(
    " ",
  ),
)

export function readServer({ fields }: ConfigEntry, variables: Variables): ReadServer {
  if (fields["disabled"] === true || fields["enabled"] === false) return { status: "disabled", reason: "It is disabled in the file" }
  if (isExecutor(fields)) return { status: "disabled", reason: "It is Executor itself, which does not need to connect to itself" }
  const draft = startDraft(variables)
  const url = [fields["url"], fields["httpUrl"], fields["serverUrl"]].find((one) => typeof one === "string")
  const kind = typeof fields["type"] === "string" ? fields["type"].toLowerCase() : ""
  if (kind === "ws" || kind === "websocket") return { status: "unusable", reason: "it uses a WebSocket, which MCP does not support" }
  const isProgram = typeof fields["command"] === "string" && fields["command"] !== ""
  if (!isProgram && url === undefined) return { status: "unusable", reason: "it has neither a command nor a url" }
  const config = isProgram ? programConfig(fields, draft) : remoteConfig(fields, url ?? "", draft)
  draft.notes.push(...fieldNotes(fields))
  const [problem] = draft.problems
  if (problem !== undefined) return { status: "unusable", reason: problem }
  return { status: "read", config, inputs: [...new Set(draft.inputs)], notes: [...new Set(draft.notes)] }
}

const runners = new Set(["npx", "npm", "pnpm", "yarn", "bun", "bunx", "dlx", "exec", "node", "env", "cmd", "/c"])

/** `executor mcp`, by whatever starts it: what is taken over here would be asked for by itself. */
function isExecutor(fields: Readonly<Record<string, unknown>>): boolean {
  const args = Array.isArray(fields["args"]) ? (fields["args"] as unknown[]).filter(isPlain).map(String) : []
  const words = [String(fields["command"]), ...args].filter((word) => !word.startsWith("-")).map(programName)
  const at = words.indexOf("executor")
  return at !== -1 && words[at + 1] === "mcp" && words.slice(0, at).every((word) => runners.has(word))
}

/** `/usr/bin/executor`, `executor.cmd` and `executor@latest` are `executor`. */
const programName = (word: string): string => {
  const last = word === "/c" ? word : (word.split(/[/\\]/).at(-1) ?? "")
  return last
    .toLowerCase()
    .replace(/\.(?:cmd|exe|js)$/, "")
    .replace(/@[^@]*$/, "")
}

type Draft = {
  readonly variables: Variables
  readonly inputs: string[]
  readonly notes: string[]
  readonly problems: string[]
  text(value: string, place: ReferencePlace): string
}

function startDraft(variables: Variables): Draft {
  const draft: Draft = {
    variables,
    inputs: [],
    notes: [],
    problems: [],
    text(value, place) {
      const rewritten = rewriteReferences(value, place, variables)
      draft.inputs.push(...rewritten.inputs)
      draft.notes.push(...rewritten.notes)
      draft.problems.push(...rewritten.problems)
      return rewritten.text
    },
  }
  return draft
}

function programConfig(fields: Readonly<Record<string, unknown>>, draft: Draft): Record<string, unknown> {
  const args = Array.isArray(fields["args"])
    ? (fields["args"] as unknown[]).filter(isPlain).map((one) => draft.text(String(one), "replaced"))
    : []
  const env = { ...passedVariables(fields["env_vars"], draft), ...record(fields["env"], draft) }
  const cwd = typeof fields["cwd"] === "string" ? { cwd: draft.text(fields["cwd"], "replaced") } : {}
  return {
    transport: "stdio",
    command: draft.text(String(fields["command"]), "replaced"),
    ...(args.length === 0 ? {} : { args }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...cwd,
    ...timeoutOf(fields),
  }
}

/** Codex names them plainly, or with where they are: here, or on the machine that it works on. */
function passedVariables(given: unknown, draft: Draft): Record<string, string> {
  const passed: [string, string][] = []
  for (const one of Array.isArray(given) ? (given as unknown[]) : []) {
    const { name, source = "local" } = typeof one === "string" ? { name: one } : fieldsOf(one)
    if (typeof name === "string" && source === "local") passed.push([name, fromVariable(name, draft)])
    else draft.notes.push(`Not imported from env_vars: ${JSON.stringify(one).slice(0, 80)}; add it to env`)
  }
  return Object.fromEntries(passed)
}

const fromVariable = (name: string, draft: Draft): string => draft.text(`\${env:${name}}`, "kept")

function remoteConfig(fields: Readonly<Record<string, unknown>>, url: string, draft: Draft): Record<string, unknown> {
  // Of a URL only the query is kept as it was written; a reference before it would leave no address to check.
  const [place = "", ...query] = url.split("?")
  const address = [draft.text(place, "replaced"), ...query.map((part) => draft.text(part, "kept"))].join("?")
  if (!/^https?:\/\//i.test(address)) draft.problems.push("its url is not an http or https address")
  const bearer = fields["bearer_token_env_var"]
  const named = Object.entries(fieldsOf(fields["env_http_headers"])).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  )
  const headers = {
    ...record(fields["headers"], draft),
    ...record(fields["http_headers"], draft),
    ...Object.fromEntries(named.map(([name, variable]) => [name, fromVariable(variable, draft)])),
    ...(typeof bearer === "string" ? { Authorization: `Bearer ${fromVariable(bearer, draft)}` } : {}),
  }
  return { transport: "http", url: address, ...(Object.keys(headers).length === 0 ? {} : { headers }), ...timeoutOf(fields) }
}

const record = (value: unknown, draft: Draft): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldsOf(value))
      .filter(([, one]) => isPlain(one))
      .map(([name, one]) => [name, draft.text(String(one), "kept")]),
  )

const isPlain = (value: unknown): value is string | number | boolean => ["string", "number", "boolean"].includes(typeof value)

/** Codex says the unit; of the others most write seconds, and one milliseconds, which are too many to be seconds. */
function timeoutOf(fields: Readonly<Record<string, unknown>>): { timeoutSeconds?: number } {
  const { tool_timeout_sec, timeout_seconds, timeout } = fields
  const seconds = [tool_timeout_sec, timeout_seconds].find((one) => typeof one === "number")
  const given = seconds !== undefined ? seconds : typeof timeout === "number" && timeout >= 1000 ? timeout / 1000 : timeout
  return typeof given === "number" && given > 0 ? { timeoutSeconds: Math.min(given, timeoutSecondsMax) } : {}
}

function fieldNotes(fields: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(fields)
  const others = names.filter((name) => !knownFields.has(name) && !toolFields.has(name) && name !== "envFile")
  return [
    ...(names.includes("envFile") ? ["envFile is not read; add its variables to env"] : []),
    ...(names.some((name) => toolFields.has(name))
      ? [`Its settings for single tools were not imported; use ${executorCommand} policies add instead`]
      : []),
    ...(others.length > 0 ? [`Not imported: ${others.map((name) => name.slice(0, 40)).join(", ")}`] : []),
  ]
}
