// The port through which the registry learns what MCP servers say of their tools.
import type { Scope } from "../principal.ts"
import type { RegistryBinding } from "./binding.ts"

export type HintedTool = Pick<RegistryBinding, "slug" | "implementation" | "literalUrls">

/** The values of a reference to the vault. */
export type OpenSecret = (ref: string) => Promise<Readonly<Record<string, string>> | null>

export interface McpHints {
  /** Whether the server's tool only reads; null where the server does not say. Never rejects. */
  readOnly(scope: Scope, tool: HintedTool, openSecret: OpenSecret): Promise<boolean | null>
}
