// A tool that is there in the fields of its form, and what the API is sent of what was changed in them.
import type { RegistryToolUpdate, RegistryToolView } from "toolplane/client"
import { configOf, isEmpty, toCreate } from "./tool-kinds.ts"
import type { Values } from "./tool-kinds.ts"

/** As the API writes a stored secret; sent back, it stays what it is. */
const mask = "***"
/** As people see it. */
const shownMask = "••••"

/** The fields of the form of each type. What else a config has is kept as it is. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  http: ["method", "url", "headers", "timeout_s"],
  mcp: ["server_url", "tool_name", "headers", "timeout_s"],
  agent_call: ["target_agent_id", "target_agent_slug", "timeout_s"],
  rag_retrieval: ["pipeline_id", "top_k"],
  custom: ["code", "uses"],
  internal: ["builtin", "api_key", "credentials_ref"],
  function: ["function_name"],
}
const executionFields = ["timeout_s", "max_concurrency", "concurrency_group", "is_pure"]

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "")
const json = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value, null, 2))

export function valuesOf({ name, slug, description, schema, configSchema, artifactId }: RegistryToolView): Values {
  const { implementation, execution } = configSchema
  const { headers, uses, target_agent_id: agentId, target_agent_slug: agentSlug, api_key: _secret, ...rest } = implementation
  return {
    method: "GET",
    ...Object.fromEntries(Object.entries(rest).map(([field, value]) => [field, text(value)])),
    headers: isRecord(headers)
      ? Object.entries(headers)
          .map(([header, value]) => `${header}: ${value === mask ? shownMask : text(value)}`)
          .join("\n")
      : "",
    uses: Array.isArray(uses) ? uses.map(text).join("\n") : "",
    target_agent: text(agentSlug ?? agentId),
    execution_timeout_s: text(execution["timeout_s"]),
    max_concurrency: text(execution["max_concurrency"]),
    concurrency_group: text(execution["concurrency_group"]),
    is_pure: execution["is_pure"] === true ? "yes" : "",
    artifact_id: artifactId ?? "",
    name,
    slug,
    description,
    input: json(schema.input),
    output: json(schema.output),
  }
}

/** Only what differs from the tool, so that nothing that was left alone is sent. */
export function toUpdate(made: RegistryToolView, values: Values): RegistryToolUpdate {
  const kind = made.implementationType
  const { name, slug, description, schema, executionConfig = {}, artifactId } = toCreate(kind, values)
  const { implementation, execution } = made.configSchema
  const config = { ...without(implementation, fieldsOf[kind] ?? []), ...kept(configOf(kind, values), implementation) }
  const timing = { ...without(execution, executionFields), ...executionConfig }
  return {
    ...(name === made.name ? {} : { name }),
    ...(slug === undefined || slug === made.slug ? {} : { slug }),
    ...(description === made.description ? {} : { description }),
    ...(schema === undefined || isSame(schema, made.schema) ? {} : { schema }),
    ...(kind === "artifact" || isSame(config, implementation) ? {} : { implementationConfig: config }),
    ...(isSame(timing, execution) ? {} : { executionConfig: timing }),
    ...(artifactId === undefined || artifactId === made.artifactId ? {} : { artifactId, artifactVersion: null }),
  }
}

/** With the stored secrets that nobody touched. */
function kept(config: Readonly<Record<string, unknown>>, before: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { headers } = config
  return {
    ...config,
    ...(isRecord(headers)
      ? { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value === shownMask ? mask : value])) }
      : {}),
    ...(before["api_key"] === mask && isEmpty(text(config["api_key"])) ? { api_key: mask } : {}),
  }
}

const without = (config: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(config).filter(([name]) => !names.includes(name)))

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** In whatever order the names stand. */
const isSame = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other)
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
