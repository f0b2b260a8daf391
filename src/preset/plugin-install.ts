// Brings plugins into the product: static tools of those without auth, integrations of the others.
import { installIntegration, slugTaken } from "../catalog/integrations/install.ts"
import type { CatalogParts } from "../catalog/catalog-parts.ts"
import type { StaticTool } from "../catalog/static-tool.ts"
import { noCredential } from "../core/auth.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Limits } from "../core/limits.ts"
import { localHuman } from "../core/principal.ts"
import { sha256 } from "../io/ids.ts"
import type { Log } from "../io/log.ts"
import type { Outbound } from "../io/network/outbound.ts"
import { definePlugin } from "../plugin/define.ts"
import { slugOf } from "../plugin/definition-check.ts"
import type { Plugin, PluginTool } from "../plugin/definition.ts"
import { undeclaredMessage, undeclaredTools } from "../plugin/tool-effect.ts"
import type { PluginConfig } from "../sources/plugin/adapter.ts"
import { callHandler } from "../sources/plugin/handler-call.ts"
import { listPluginTools, schemasOf, traitsOf } from "../sources/plugin/list-tools.ts"

/** They may come from another copy of this package, or be plain objects: this one's rules hold. */
export function checkPlugins(plugins: readonly Plugin[]): Plugin[] {
  const checked = plugins.map(definePlugin)
  const bySlug = new Map<string, Plugin>()
  for (const plugin of checked) {
    const other = bySlug.get(slugOf(plugin))
    if (other !== undefined)
      throw new ExecutorError(
        "invalid_request",
        `The plugins '${other.id}' and '${plugin.id}' have the same slug '${slugOf(plugin)}'; each needs an id of its own`,
      )
    bySlug.set(slugOf(plugin), plugin)
  }
  return checked
}

export const pluginTools = (plugins: readonly Plugin[], parts: StaticParts): StaticTool[] =>
  plugins.filter((plugin) => !needsConnection(plugin)).flatMap((plugin) => plugin.tools.map((tool) => staticTool(plugin, tool, parts)))

type StaticParts = { readonly outbound: Outbound; readonly limits: Limits; readonly log: Log }

const needsConnection = (plugin: Plugin): boolean => (plugin.authProviders ?? []).length > 0

const staticTool = (plugin: Plugin, tool: PluginTool, parts: StaticParts): StaticTool => ({
  ...traitsOf(tool),
  ...schemasOf(tool),
  fqid: tool.path,
  pluginId: plugin.id,
  source: { name: plugin.name, description: plugin.description },
  title: tool.name,
  description: tool.description,
  alwaysAsks: false,
  audience: "everyone",
  call: (call) => callHandler({ ...call, ...parts, plugin, tool, credential: noCredential }),
})

/** For the tenant of this installation; what was installed before and is not loaded now stays, with its connections. */
export async function installPlugins(plugins: readonly Plugin[], parts: CatalogParts): Promise<void> {
  for (const plugin of plugins) {
    const slug = slugOf(plugin)
    for (const path of undeclaredTools(plugin)) parts.log.warn({ plugin: plugin.id, tool: path }, undeclaredMessage(path))
    if (!needsConnection(plugin)) {
      const taken = await parts.store.integrations.get(localHuman, slug)
      if (taken !== null && taken.kind !== "plugin") throw slugTaken(taken)
      continue
    }
    const { facts, tools } = listPluginTools(plugin)
    const config: PluginConfig = { plugin: plugin.id, definition: sha256(JSON.stringify([facts, tools])).slice(0, 16) }
    await installIntegration(localHuman, { slug, kind: "plugin", config }, parts)
  }
}
