// What the tools of an agent are made of: the settings of `ToolRouter.fromConfig`.
import type { ToolPart } from "./tool-part.ts"

export type ToolsConfig = {
  /** The folder that local tools work in. Without it, none of them is offered. */
  readonly workspace?: string
  /** How `apply_patch` is described: `freeform` (the default) for models that know such tools, `function` for all others. */
  readonly applyPatch?: "freeform" | "function"
  /** The path of ripgrep's program. By default the one that comes with the package; `null` searches for plain text without it. */
  readonly ripgrep?: string | null
  /** `sandboxed` (the default) offers `shell` if this machine has a sandbox; `unsandboxed` offers it without one, and every command asks. */
  readonly shell?: "sandboxed" | "unsandboxed" | "off"
  /** Whether a command may ask a human for more than the sandbox allows (the default), or is refused. */
  readonly approvalPolicy?: "on_request" | "never"
  /** Whether commands may use the network. They may not unless this says so. */
  readonly network?: boolean
  /** How much of an output the model is shown. */
  readonly outputTokensMax?: number
  /** For `McpConnectionManager.start`: the router gets the tools of the servers, not the servers. */
  readonly mcpServers?: { readonly [name: string]: McpServerConfig }
  /** Further tools, such as those of a catalog. */
  readonly parts?: readonly ToolPart[]
  /** Gets what is wrong but stops nothing, such as two tools of one name. Node's warnings get it otherwise. */
  readonly warn?: (message: string) => void
}

export type McpServerConfig = (McpStdioServer | McpHttpServer) & {
  readonly enabled?: boolean
  /** The start fails if this server does not. */
  readonly required?: boolean
  readonly startupTimeoutMs?: number
  readonly toolTimeoutMs?: number
  readonly enabledTools?: readonly string[]
  readonly disabledTools?: readonly string[]
  readonly supportsParallelToolCalls?: boolean
}

export type McpStdioServer = {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: { readonly [name: string]: string }
  /** Variables of this process that the program gets as well. */
  readonly envVars?: readonly string[]
  readonly cwd?: string
}

export type McpHttpServer = {
  readonly url: string
  readonly bearerTokenEnvVar?: string
  readonly httpHeaders?: { readonly [name: string]: string }
  /** Headers whose values are in variables of this process. */
  readonly envHttpHeaders?: { readonly [name: string]: string }
}
