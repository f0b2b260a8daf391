// Takes over what an MCP server says of its tool, so that a published tool asks for approval where it should.
import { canonicalJson } from "../core/json/canonical.ts"
import { isRecord } from "../core/json/record.ts"
import type { Scope } from "../core/principal.ts"
import { typeOf } from "./definition.ts"
import type { Snapshot, WorkingCopy } from "./definition.ts"
import type { RegistryParts } from "./parts.ts"

/** Puts what was learnt into a snapshot, as long as that is of the same implementation. */
export type Annotate = (snapshot: Snapshot) => Snapshot

const unchanged: Annotate = (snapshot) => snapshot

/** Asked before the transaction of a publish, because a server may take its time. */
export async function askAnnotations(scope: Scope, slug: string, copy: WorkingCopy, parts: RegistryParts): Promise<Annotate> {
  const { implementation } = copy.configSchema
  const written = hintIn(implementation["annotations"])
  // Whoever says that it changes something is believed without asking.
  if (typeOf(copy) !== "mcp" || written === false) return unchanged
  const vault = parts.vaultOn(parts.store)
  const said = await parts.mcpHints.readOnly(scope, { slug, implementation, literalUrls: copy.literalUrls }, (ref) =>
    vault.open(scope, ref),
  )
  if (said === null || said === written) return unchanged
  const asked = canonicalJson(implementation)
  return (snapshot) => {
    const { configSchema } = snapshot
    if (canonicalJson(configSchema.implementation) !== asked) return snapshot
    const annotated = { ...configSchema.implementation, annotations: { readOnlyHint: said } }
    return { ...snapshot, configSchema: { ...configSchema, implementation: annotated } }
  }
}

const hintIn = (annotations: unknown): unknown => (isRecord(annotations) ? annotations["readOnlyHint"] : undefined)
