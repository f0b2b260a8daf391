// Resolves the tools that something will call, before it does: what is not there, or only a draft, is known at once.
import type { Principal } from "../../core/principal.ts"
import { readBinding } from "../../core/registry/binding.ts"
import { registrySlug } from "../../core/registry/tool.ts"
import type { ToolFailure } from "../../core/result.ts"
import { checkAccess } from "./access.ts"
import type { FoundTool, ToolAccessParts } from "./access.ts"
import { implementationTypeOf, implementationTypeOfStatic } from "./listed-tool.ts"
import { debugMode, production } from "./working-copies.ts"

export type ToolResolution = { readonly path: string } & (
  | {
      readonly ok: true
      /** The whole one, without `tools.`. */
      readonly subject: string
      readonly implementationType: string
      /** Of a tool of the registry. */
      readonly registry: { readonly id: string; readonly version: string } | null
    }
  | Pick<ToolFailure, "ok" | "error">
)

/** In the order of the paths. `requirePublished`: as production resolves them; otherwise working copies count, for whoever may debug. */
export async function resolveTools(
  principal: Principal,
  paths: readonly string[],
  { requirePublished }: { readonly requirePublished: boolean },
  parts: ToolAccessParts,
): Promise<readonly ToolResolution[]> {
  const mayDebug = !requirePublished && ((await parts.access.of(principal))?.mayDebug ?? false)
  const mode = mayDebug ? debugMode(async () => (await parts.access.of(principal))?.mayDebug ?? false) : production
  return Promise.all(
    paths.map(async (path): Promise<ToolResolution> => {
      const access = await checkAccess(principal, path, parts, mode)
      return access.ok ? { path, ok: true, subject: access.facts.path, ...kindOf(access.tool) } : { path, ok: false, error: access.error }
    }),
  )
}

function kindOf(tool: Extract<FoundTool, { ok: true }>): Pick<Extract<ToolResolution, { ok: true }>, "implementationType" | "registry"> {
  if (tool.kind === "static") return { implementationType: implementationTypeOfStatic(tool.tool), registry: null }
  const { kind, binding } = tool.found.tool
  if (kind !== registrySlug) return { implementationType: implementationTypeOf(kind), registry: null }
  const { type, toolId, version } = readBinding(binding)
  return { implementationType: type, registry: { id: toolId, version } }
}
