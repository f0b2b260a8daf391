// Previews an integration before it is added: its tools, the origins it would call and the required auth.
import { IntegrationSlug } from "../../core/address.ts"
import type { IntegrationPreview } from "../../core/integration.ts"
import { requireRight } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { draftIntegration } from "./add.ts"
import { noConnection, readSource } from "./source-read.ts"

export async function previewIntegration(
  principal: Principal,
  input: { readonly kind: string; readonly config: unknown },
  parts: CatalogParts,
): Promise<IntegrationPreview> {
  requireRight(principal, "connections.org", "preview an integration")
  const { open } = await draftIntegration(principal, IntegrationSlug.make("preview"), input.kind, input.config, parts)
  const { listed } = await readSource(open, "upstream", noConnection, parts)
  const tools = listed.tools.map(({ name, description, requiresApproval }) => ({ name, description, requiresApproval }))
  return { kind: open.adapter.kind, facts: listed.facts, tools }
}
