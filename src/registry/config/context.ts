// What a check of a config may look at besides the config.
import type { Scope } from "../../core/principal.ts"
import type { ToolSchemas } from "../../core/registry/tool.ts"
import type { Store } from "../../store/store.ts"
import type { RegistryParts } from "../parts.ts"
import type { Config } from "../secrets.ts"

export type ConfigContext = {
  readonly scope: Scope
  readonly schema: ToolSchemas
  readonly artifactId: string | null
  readonly artifactVersion: string | null
  readonly store: Store
  readonly parts: Pick<RegistryParts, "limits" | "functions" | "references" | "staticTools">
}

/** Throws `invalid_request` that says what to write instead; answers with the schemas that the type needs. */
export type ConfigCheck = (config: Config, context: ConfigContext) => Promise<ToolSchemas>
