// `executor.coreTools.*`: the catalog's own administration as tools that pass the same gate.
//
// Reading is for everyone, over what they can see. Whatever changes something is for human admins, and always asks.
import { isOwner } from "../../core/address.ts"
import type { Owner } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { ErrorCode } from "../../core/errors.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { OauthStart } from "../../core/oauth.ts"
import type { PolicyCreate } from "../../core/policy.ts"
import type { Principal } from "../../core/principal.ts"
import { fail, succeed } from "../../core/result.ts"
import type { ToolResult } from "../../core/result.ts"
import { titleOfText } from "../../core/text/title-case.ts"
import type { JsonSchema } from "../../core/tool.ts"
import type { ConnectionAuth } from "../../core/auth.ts"
import { object, text } from "./schema.ts"
import type { StaticTool } from "../static-tool.ts"

type Args = Record<string, unknown>
type Work = (api: ExecutorApi, args: Args) => Promise<unknown>
type Definition = {
  readonly path: string
  readonly description: string
  readonly input: JsonSchema
  readonly kind: "read" | "admin_read" | "change" | "destroy"
  readonly work: Work
}

/** `apiFor`: the product as that principal sees it. */
export const coreTools = (apiFor: (principal: Principal) => ExecutorApi): StaticTool[] =>
  definitions.map((definition) => toTool(definition, apiFor))

const owner = { type: "string", enum: ["org", "user"] }
const page = { limit: { type: "integer", minimum: 1, maximum: 1000 }, cursor: text }
const connectionKey = object({ integration: text, owner, name: text }, ["integration"])

const auth = {
  type: "object",
  properties: {
    template: { type: "string", enum: ["none", "bearer", "api_key", "basic", "oauth2", "custom"] },
    values: {
      type: "object",
      additionalProperties: text,
      description: "Prefer ${env:NAME} references: an agent knows any value that it writes here.",
    },
    placements: {
      type: "array",
      items: object({ in: { type: "string", enum: ["header", "query", "cookie"] }, name: text, value: text }, ["in", "name", "value"]),
    },
  },
  required: ["template"],
}

const policyFields = {
  pattern: text,
  action: { type: "string", enum: ["allow", "require_approval", "block"] },
  when: { type: "array", items: { type: "object" } },
  position: { type: "number" },
  role: { ...text, description: "The rule counts only for principals that hold this role." },
  by: {
    ...object({ role: text, notRequester: { type: "boolean" } }),
    description: "With require_approval: who alone may approve.",
  },
}

// Arguments are checked against `input` before `work` sees them, which is what the casts below rely on.
const definitions: readonly Definition[] = [
  {
    path: "integrations.list",
    description: "List the integrations in the catalog.",
    kind: "read",
    input: object(page),
    work: (api, args) => api.integrations.list(args),
  },
  {
    path: "connections.list",
    description: "List the connections you can use.",
    kind: "read",
    input: object({ integration: text, owner, ...page }),
    work: (api, args) => api.connections.list(args),
  },
  {
    path: "integrations.detect",
    description: "Detect the kind of API at a URL.",
    kind: "admin_read",
    input: object({ url: text }, ["url"]),
    work: (api, args) => api.integrations.detect(String(args["url"])),
  },
  {
    path: "integrations.add",
    description: "Add an integration to the catalog.",
    kind: "change",
    input: object({ slug: text, kind: text, name: text, description: text, config: { type: "object" } }, ["slug", "kind", "config"]),
    work: (api, args) => api.integrations.add(args as Parameters<ExecutorApi["integrations"]["add"]>[0]),
  },
  {
    path: "integrations.remove",
    description: "Remove an integration and all its connections.",
    kind: "destroy",
    input: object({ slug: text }, ["slug"]),
    work: (api, args) => api.integrations.remove(String(args["slug"])),
  },
  {
    path: "connections.create",
    description: "Connect an integration, which syncs its tools.",
    kind: "change",
    input: object({ integration: text, owner, name: text, auth }, ["integration"]),
    work: (api, args) => api.connections.create(args as { integration: string; owner?: Owner; name?: string; auth?: ConnectionAuth }),
  },
  {
    path: "connections.refresh",
    description: "Reload the tools of a connection from its source.",
    kind: "change",
    input: connectionKey,
    work: (api, args) => api.connections.refresh(keyOf(args)),
  },
  {
    path: "connections.remove",
    description: "Remove a connection and its credentials.",
    kind: "destroy",
    input: connectionKey,
    work: (api, args) => api.connections.remove(keyOf(args)),
  },
  {
    path: "oauth.start",
    description: "Start to connect an integration with OAuth: returns a link that a human opens to consent.",
    kind: "read",
    input: object({ integration: text, owner, name: text, client: text, scopes: { type: "array", items: text } }, ["integration"]),
    work: (api, args) => api.oauth.start(args as OauthStart),
  },
  {
    path: "oauth.clients.list",
    description: "List the OAuth clients registered with providers.",
    kind: "admin_read",
    input: object(page),
    work: (api, args) => api.oauth.clients.list(args),
  },
  {
    path: "policies.list",
    description: "List the policies that apply to you.",
    kind: "admin_read",
    input: object({}),
    work: async (api) => ({ items: await api.policies.list(), nextCursor: null }),
  },
  {
    path: "policies.create",
    description: "Create a policy.",
    kind: "change",
    input: object({ owner, ...policyFields }, ["owner", "pattern", "action"]),
    work: (api, args) => api.policies.create(args as PolicyCreate),
  },
  {
    path: "policies.update",
    description: "Change a policy.",
    kind: "change",
    input: object({ id: text, ...policyFields }, ["id"]),
    work: (api, { id, ...change }) => api.policies.update(String(id), change),
  },
  {
    path: "policies.remove",
    description: "Remove a policy.",
    kind: "destroy",
    input: object({ id: text }, ["id"]),
    work: (api, args) => api.policies.remove(String(args["id"])),
  },
]

function toTool(definition: Definition, apiFor: (principal: Principal) => ExecutorApi): StaticTool {
  const isChange = definition.kind === "change" || definition.kind === "destroy"
  return {
    fqid: `executor.coreTools.${definition.path}`,
    pluginId: "executor",
    source: { name: "Executor", description: "Administration of the catalog." },
    title: titleOfText(definition.description.split(/[.,:]/, 1)[0] ?? ""),
    description: definition.description,
    effect: definition.kind === "change" ? "write" : definition.kind === "destroy" ? "destroy" : "read",
    requiresApproval: isChange,
    alwaysAsks: isChange,
    audience: definition.kind === "read" ? "everyone" : "admin",
    mayElicit: false,
    inputSchema: definition.input,
    outputSchema: null,
    call: ({ principal, args }) => answer(() => definition.work(apiFor(principal), args)),
  }
}

/** Inside an execution errors are values. */
async function answer(work: () => Promise<unknown>): Promise<ToolResult> {
  try {
    return succeed((await work()) ?? null)
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    return fail(envelopeCode(error.code), error.message, error.details === undefined ? {} : { details: error.details })
  }
}

/** The API has codes that no result of a tool has. To code, what it asked for was wrong, or is not for it. */
function envelopeCode(code: ErrorCode): ErrorCode {
  switch (code) {
    case "invalid_request":
    case "not_found":
    case "conflict":
    case "already_answered":
    case "payload_too_large":
      return "invalid_arguments"
    case "forbidden":
    case "unauthorized":
      return "tool_blocked"
    default:
      return code
  }
}

function keyOf({ integration, owner: given, name }: Args): { integration: string; owner: Owner; name: string } {
  const textOr = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise)
  const ownerText = textOr(given, "org")
  return { integration: textOr(integration, ""), owner: isOwner(ownerText) ? ownerText : "org", name: textOr(name, "main") }
}
