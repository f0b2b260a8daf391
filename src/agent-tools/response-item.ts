// The items of the Responses API that the tool system reads and writes.
import type { ContentItem, McpResult, SandboxPermissions } from "./tool.ts"

/** What a model answered. Items of other types are none of the tool system's business. */
export type ResponseItem =
  | { readonly type: "function_call"; readonly id?: string; readonly name: string; readonly arguments: string; readonly call_id: string }
  | { readonly type: "custom_tool_call"; readonly id?: string; readonly name: string; readonly input: string; readonly call_id: string }
  | {
      readonly type: "local_shell_call"
      readonly id?: string
      readonly call_id?: string | null
      readonly status?: string
      readonly action: LocalShellAction
    }
  | { readonly type: string; readonly [field: string]: unknown }

export type LocalShellAction = {
  readonly type: "exec"
  readonly command: readonly string[]
  readonly timeout_ms?: number | null
  readonly working_directory?: string | null
  readonly sandbox_permissions?: SandboxPermissions
}

/** What the model gets back, one for every call. */
export type ResponseInputItem =
  | { readonly type: "function_call_output"; readonly call_id: string; readonly output: FunctionCallOutput }
  | { readonly type: "custom_tool_call_output"; readonly call_id: string; readonly output: string }
  | { readonly type: "mcp_tool_call_output"; readonly call_id: string; readonly result: McpResult }

/** The API takes the content alone; `success` is for the embedding program. */
export type FunctionCallOutput = { readonly content: string; readonly contentItems?: readonly ContentItem[]; readonly success?: boolean }
