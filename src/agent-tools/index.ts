// `toolplane/agent`: what an agent of one's own routes, schedules and executes its tool calls with.
export {
  type LanguageModelToolMessage,
  type ReadLanguageModelAnswer,
  readLanguageModelAnswer,
  toLanguageModelMessage,
  toLanguageModelTools,
} from "./adapters/ai-sdk.ts"
export {
  type ChatAnswer,
  type ChatMessage,
  type ChatTool,
  type ReadChatAnswer,
  readChatAnswer,
  toChatMessages,
  toChatTools,
} from "./adapters/chat-completions.ts"
export { type ChatStreamReader, createChatStreamReader } from "./adapters/chat-stream.ts"
export { type ResponsesOutput, type ResponsesTool, toResponsesInput, toResponsesTools } from "./adapters/responses.ts"
export { readArguments } from "./call-arguments.ts"
export type { CatalogExecutor } from "./catalog/catalog-executor.ts"
export { catalogTools, type CatalogOptions } from "./catalog/catalog-tools.ts"
export { ToolsConfigError } from "./config-fields.ts"
export { type ToolsConfigSource, loadToolsConfig } from "./config.ts"
export { DynamicHandler } from "./dynamic-handler.ts"
export { FunctionCallError, type FunctionCallErrorKind } from "./function-call-error.ts"
export { ShellHandler, type ShellOptions } from "./local/shell.ts"
export { openShellWorkspace } from "./local/shell-tools.ts"
export type { McpCallOptions, McpElicitation, McpElicitationAnswer, McpElicitationHandler } from "./mcp/call-options.ts"
export { McpConnectionError } from "./mcp/connection-error.ts"
export { McpConnectionManager, type McpServers, type McpStartOptions } from "./mcp/connections.ts"
export { McpHandler } from "./mcp/mcp-handler.ts"
export { qualifyToolName } from "./mcp/qualified-name.ts"
export type { McpFailure, McpResources, ResourceList, ResourceRequest, ResourceTemplateList } from "./mcp/resource-types.ts"
export { McpToolTable } from "./mcp/tool-table.ts"
export { ApplyPatchHandler } from "./local/apply-patch.ts"
export { FileReadHandler } from "./local/read-file.ts"
export { SearchHandler, type SearchOptions } from "./local/search.ts"
export { TurnDiffTracker, type TrackedContent } from "./local/turn-diff-tracker.ts"
export { openWorkspace, type Workspace } from "./local/workspace.ts"
export { FileWriteHandler } from "./local/write-file.ts"
export { ToolRegistryBuilder } from "./registry-builder.ts"
export { ToolRegistry } from "./registry.ts"
export type { FunctionCallOutput, LocalShellAction, ResponseInputItem, ResponseItem } from "./response-item.ts"
export { ToolRouter, type ToolRouterOptions } from "./router.ts"
export { ToolCallRuntime, type ToolCallRuntimeOptions } from "./runtime.ts"
export type { ToolCallBatch } from "./call-batch.ts"
export { modelName } from "./tool-names.ts"
export { chooseSandbox, type DriverReport, type SandboxChoice } from "./shell-sandbox/choose.ts"
export type { CommandLimits } from "./shell-sandbox/command-limits.ts"
export { toResponse } from "./tool-output.ts"
export type { McpToolInfo, McpTools, ToolPart } from "./tool-part.ts"
export type {
  ApprovalQuestion,
  ConfiguredToolSpec,
  ContentItem,
  DynamicToolSpec,
  FreeformFormat,
  JsonSchema,
  McpResult,
  SandboxPermissions,
  ShellToolCallParams,
  ToolCall,
  ToolCallGate,
  ToolHandler,
  ToolInvocation,
  ToolOutput,
  ToolPayload,
  ToolSession,
  ToolSpec,
  TurnContext,
} from "./tool.ts"
export type { McpHttpServer, McpServerConfig, McpStdioServer, ToolsConfig } from "./tools-config.ts"
