// The SDK: the exports of `toolplane`.
export { createExecutor } from "./preset/local.ts"
export type { Executor, ExecutorOptions } from "./preset/local.ts"
export { defineFunctions } from "./registry/functions/define.ts"
export type { DefinedFunctions, FunctionBody, FunctionDeclaration } from "./registry/functions/define.ts"
export { ConnectionAddress, ToolAddress } from "./core/address.ts"
export type { ConnectionName, IntegrationSlug, Owner, ToolName } from "./core/address.ts"
export { ExecutorError, errorTable } from "./core/errors.ts"
export type { ErrorCode } from "./core/errors.ts"
export { isToolFile, toolFile } from "./core/result.ts"
export type { ToolFile, ToolResult } from "./core/result.ts"
export type { ConnectionKey, ExecuteOptions, ExecutorApi } from "./core/executor-api.ts"
export type { AuthOption, ConnectionAuth, Placement } from "./core/auth.ts"
export type { ConnectionCreate, ConnectionHealth, ConnectionUpdate, ConnectionView } from "./core/connection.ts"
export type {
  Detection,
  IntegrationAdd,
  IntegrationPreview,
  IntegrationUpdate,
  IntegrationView,
  SourceFacts,
  Warning,
} from "./core/integration.ts"
export type { Page, PageRequest } from "./core/page.ts"
export type { TokenCreate, TokenCreated, TokenView } from "./core/token.ts"
export type { ToolFilter, ToolPageRequest, ToolSchemaView, ToolSummary, ToolView } from "./core/tool.ts"
export { TOOL_BUCKETS, TOOL_SUBTYPES, filterTools, getSubtypeLabel, getToolBucket } from "./core/tool-types.ts"
export type { FilteredTool, ToolBucket, ToolSubtype, ToolTypeFilters, TypedTool } from "./core/tool-types.ts"
export { parseEvaluationCases } from "./core/evaluation.ts"
export type { CatalogEvaluation, Evaluation, EvaluationCase } from "./core/evaluation.ts"
