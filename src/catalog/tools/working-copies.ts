// The port through which debug mode resolves tools of the registry: their working copies instead of what is published.
import { withoutRoot } from "../../core/address.ts"
import type { Scope } from "../../core/principal.ts"
import { registrySlug } from "../../core/registry/tool.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { ResolvedTool } from "./resolver.ts"

/** `isAllowed`: whether whoever runs it may still see working copies, asked before each call. */
export type ResolveMode = { readonly kind: "production" } | { readonly kind: "debug"; isAllowed(): Promise<boolean> }

export const production: ResolveMode = { kind: "production" }
export const debugMode = (isAllowed: () => Promise<boolean>): ResolveMode => ({ kind: "debug", isAllowed })

export interface WorkingCopies {
  /** Null: there is no such tool. A failure says what blocks it in every mode. */
  find(scope: Scope, slug: string): Promise<ResolvedTool | ToolFailure | null>
  /** Why production does not resolve it, for whoever may edit it or for whoever could call it before; null where there is nothing to say. */
  hint(scope: Scope, slug: string, reader: "editor" | "caller"): Promise<string | null>
}

const full = `${registrySlug}.org.main.`
const short = `${registrySlug}.`

/** The slug of a tool of the registry; null for any other path. */
export function slugOfPath(path: string): string | null {
  const bare = withoutRoot(path)
  if (bare.startsWith(full)) return bare.slice(full.length)
  return bare.startsWith(short) && !bare.slice(short.length).includes(".") ? bare.slice(short.length) : null
}
