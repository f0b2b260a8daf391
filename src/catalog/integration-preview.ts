// Shows what an integration would be before it is added: its tools, the origins it would call and the auth it wants.
import { IntegrationSlug, reservedSlugs } from "../core/address.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Detection, IntegrationPreview } from "../core/integration.ts"
import { requireAdmin } from "../core/principal.ts"
import type { Principal } from "../core/principal.ts"
import type { CatalogParts } from "./catalog-parts.ts"
import { draftIntegration } from "./integration-add.ts"
import { nobody, readSource } from "./source-read.ts"

export async function previewIntegration(
  principal: Principal,
  input: { readonly kind: string; readonly config: unknown },
  parts: CatalogParts,
): Promise<IntegrationPreview> {
  requireAdmin(principal, "preview an integration")
  const { open } = draftIntegration(principal, IntegrationSlug.make("preview"), input.kind, input.config, parts)
  const { listed } = await readSource(open, "upstream", nobody, parts)
  const tools = listed.tools.map(({ name, description, requiresApproval }) => ({ name, description, requiresApproval }))
  return { kind: open.adapter.kind, facts: listed.facts, tools }
}

/** Every source is asked in turn; the first that recognises what is there wins. */
export async function detectIntegration(principal: Principal, url: string, parts: CatalogParts): Promise<Detection> {
  requireAdmin(principal, "look for an integration")
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new ExecutorError("invalid_request", "url must be an http or https URL")
  const outbound = parts.network.outbound({ literalUrls: [new URL(url).origin] })
  const signal = AbortSignal.timeout(parts.limits.callTimeoutMs)
  for (const adapter of parts.adapters.values()) {
    const found = await adapter.detect({ url, outbound, limits: parts.limits, signal, log: parts.log })
    if (found === null) continue
    const name = found.facts.title || new URL(url).hostname
    return { kind: adapter.kind, slug: suggestSlug(name, url), name, config: found.config, auth: found.facts.auth }
  }
  throw new ExecutorError(
    "not_found",
    `Nothing that can be integrated was found at ${new URL(url).origin}${new URL(url).pathname}; give the address of its OpenAPI document`,
  )
}

/** From the title's words, else from the host's name. */
function suggestSlug(title: string, url: string): string {
  const labels = new URL(url).hostname.split(".").filter((label) => !["www", "api", "com", "org", "net", "io", "dev"].includes(label))
  const words =
    title
      .toLowerCase()
      .replaceAll(/\b(open)?api\b|\bv?\d+(\.\d+)*\b|\brest\b/g, " ")
      .match(/[a-z][a-z0-9]*/g) ?? []
  const slug = (words.length > 0 ? words.slice(0, 3).join("_") : labels.join("_").replaceAll(/[^a-z0-9_]/g, "_")).slice(0, 40)
  const usable = /^[a-z]/.test(slug) ? slug : `api_${slug}`.slice(0, 40)
  return reservedSlugs.includes(usable) ? `${usable}_api` : usable
}
