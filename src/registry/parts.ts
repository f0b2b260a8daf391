// The ports and settings that the functions of the registry take as their last parameter.
import type { CatalogParts } from "../catalog/catalog-parts.ts"
import type { StaticTools } from "../catalog/static-tool.ts"
import type { Scope } from "../core/principal.ts"
import type { CodeSyntax } from "../core/registry/code-syntax.ts"
import type { McpHints } from "../core/registry/mcp-hints.ts"
import type { Store } from "../store/store.ts"

export type RegistryParts = Pick<CatalogParts, "store" | "access" | "vaultOn" | "env" | "limits" | "clock"> & {
  readonly staticTools: StaticTools
  readonly functions: FunctionNames
  readonly references: RegistryReferences
  readonly codeSyntax: CodeSyntax
  readonly mcpHints: McpHints
}

/** The functions that tools may call. */
export interface FunctionNames {
  /** Null when there is none of that name. */
  find(name: string): { readonly reads: boolean } | null
  /** At most three that somebody may have meant. */
  nearest(name: string): readonly string[]
}

/** What tools refer to outside of the registry. `store`: that of the transaction in which it is asked. */
export interface RegistryReferences {
  hasPipeline(scope: Scope, id: string, store: Store): Promise<boolean>
  /** `ref`: an id or a slug. Only published ones count. */
  hasAgent(scope: Scope, ref: string, store: Store): Promise<boolean>
}

export const noFunctions: FunctionNames = { find: () => null, nearest: () => [] }

/** No server says anything. */
export const noHints: McpHints = { readOnly: async () => null }

/** There are no pipelines or agents. */
export const noReferences: RegistryReferences = { hasPipeline: async () => false, hasAgent: async () => false }
