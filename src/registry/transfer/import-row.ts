// Reads a tool of an older system: what it leaves out is filled in by rules.
import { isRecord } from "../../core/json/record.ts"
import { toolStatuses } from "../../core/registry/tool.ts"
import type { ToolStatus } from "../../core/registry/tool.ts"
import type { Config } from "../secrets.ts"
import { firstVersion, isVersion } from "../semver.ts"

export type ImportedTool = {
  readonly slug: string | null
  readonly name: string
  readonly description: string
  readonly schema: unknown
  readonly implementation: Config
  readonly execution: Config
  readonly implementationType: string
  readonly artifactId: string | null
  /** Of an artifact in the same file. */
  readonly artifactSlug: string | null
  readonly artifactVersion: string | null
  readonly status: ToolStatus
  readonly version: string
  readonly isActive: boolean
  readonly replacedBy: string | null
  /** Set: a clone of a built-in, which no list shows. */
  readonly builtinKey: string | null
  readonly builtinTemplateId: string | null
  readonly isBuiltinTemplate: boolean
  /** Of every tenant, or of the system: nothing that a tenant may bring in. */
  readonly isGlobal: boolean
}

/** Both spellings of the names; null where it is no object. */
export function readImported(value: unknown): ImportedTool | null {
  if (!isRecord(value)) return null
  const field = (name: string): unknown => value[name] ?? value[name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())]
  const text = (name: string): string | null => {
    const found = field(name)
    return typeof found === "string" && found !== "" ? found : null
  }
  const config = field("config_schema")
  const implementation = recordIn(config, "implementation")
  const isSystem = field("is_system") === true
  const isActive = field("is_active") !== false
  const version = text("version")
  return {
    slug: text("slug"),
    name: text("name") ?? text("slug") ?? "",
    description: text("description") ?? "",
    schema: field("schema") ?? { input: { type: "object" } },
    implementation,
    execution: recordIn(config, "execution"),
    implementationType: text("implementation_type") ?? inferType(implementation, text("artifact_id") ?? text("artifact_slug"), isSystem),
    artifactId: text("artifact_id"),
    artifactSlug: text("artifact_slug"),
    artifactVersion: text("artifact_version"),
    status: statusOf(text("status"), isActive),
    version: version !== null && isVersion(version) ? version : firstVersion,
    isActive,
    replacedBy: text("replaced_by"),
    builtinKey: text("builtin_key"),
    builtinTemplateId: text("builtin_template_id"),
    isBuiltinTemplate: field("is_builtin_template") === true,
    isGlobal: isSystem || (text("scope") ?? "tenant") !== "tenant" || ["tenant_id", "tenantId"].some((name) => value[name] === null),
  }
}

const recordIn = (config: unknown, name: string): Config => {
  const found = isRecord(config) ? config[name] : undefined
  return isRecord(found) ? found : {}
}

const statusOf = (status: string | null, isActive: boolean): ToolStatus =>
  toolStatuses.find((one) => one === status) ?? (isActive ? "published" : "disabled")

/** A field that only one type has. */
const telling = [
  ["url", "http"],
  ["server_url", "mcp"],
  ["function_name", "function"],
  ["pipeline_id", "rag_retrieval"],
  ["target_agent_id", "agent_call"],
  ["target_agent_slug", "agent_call"],
  ["builtin", "internal"],
] as const

export function inferType(implementation: Config, artifactId: string | null, isSystem: boolean): string {
  if (artifactId !== null) return "artifact"
  const { type } = implementation
  if (typeof type === "string" && type !== "") return type
  const found = telling.find(([field]) => implementation[field] !== undefined)
  if (found !== undefined) return found[1]
  return isSystem ? "internal" : "custom"
}
