// The SDK: the exports of `toolplane`.
export { createExecutor } from "./preset/local.ts"
export type { Executor, ExecutorOptions } from "./preset/local.ts"
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
export type { ToolFilter, ToolSchemaView, ToolView } from "./core/tool.ts"
export { parseEvaluationCases } from "./core/evaluation.ts"
export type { CatalogEvaluation, Evaluation, EvaluationCase } from "./core/evaluation.ts"
