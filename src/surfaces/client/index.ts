// What `toolplane/client` exports.
export { createClient } from "./client.ts"
export type { Client, ClientOptions, ServerHealth } from "./client.ts"
export type { ClientCredential } from "./transport.ts"
export { ToolAddress } from "../../core/address.ts"
export { ExecutorError } from "../../core/errors.ts"
export type { ErrorCode } from "../../core/errors.ts"
export type {
  ApprovalListFilter,
  Approve,
  ConnectionKey,
  ExecuteOptions,
  ExecutionFilter,
  ExecutorApi,
  ResultPiece,
  ResultPieceRequest,
  ToolSearch,
} from "../../core/executor-api.ts"
export type {
  AnswerAction,
  ApprovalAnswer,
  ApprovalView,
  CallView,
  ExecutionEvent,
  ExecutionReply,
  ExecutionRequest,
  ExecutionStatus,
  ExecutionSummary,
  ExecutionView,
  Interaction,
  LogLine,
  ResumeRequest,
  RunError,
  StructuredOutcome,
} from "../../core/execution.ts"
export type {
  PolicyAction,
  PolicyCondition,
  PolicyCreate,
  PolicyExplanation,
  PolicyRule,
  PolicyUpdate,
  PolicyView,
} from "../../core/policy.ts"
export type { AuditExportRequest, AuditFilter, AuditView } from "../../core/audit/entry.ts"
export type { BriefSearchItem, SearchExplanation, SearchItem, SearchPage } from "../../core/discovery.ts"
export type { ConnectionConsent, ConnectionCreate, ConnectionHealth, ConnectionUpdate, ConnectionView } from "../../core/connection.ts"
export type { Detection, IntegrationAdd, IntegrationPreview, IntegrationUpdate, IntegrationView } from "../../core/integration.ts"
export type {
  OauthAuthMethod,
  OauthClientCreate,
  OauthClientView,
  OauthComplete,
  OauthFlowView,
  OauthGrantType,
  OauthProbe,
  OauthProbeRequest,
  OauthStart,
  OauthStarted,
} from "../../core/oauth.ts"
export type { LimitView } from "../../core/limits/limit-view.ts"
export type { HttpMeta, ToolError, ToolFailure, ToolFile, ToolResult, ToolSuccess } from "../../core/result.ts"
export type { AgentModelOptions, AgentRunRequest, AgentUpdate, AgentVersionView, AgentView } from "../../core/agents/agent.ts"
export type { InvitationCreate, InvitationCreated, InvitationView } from "../../core/people/invitation.ts"
export type { Right, Role, RoleCreate, RoleGrant, RolePreview, RoleUpdate, RoleView } from "../../core/people/role.ts"
export type { AccessExplain, AccessExplanation, AccessStage, AccessStep, AccessSubject } from "../../core/people/access-explanation.ts"
export type {
  SignInProviderCreate,
  SignInProviderUpdate,
  SignInProviderView,
  SignInRecord,
  SignInRule,
  SignInTest,
} from "../../core/people/sign-in.ts"
export type { SessionView } from "../../core/people/session.ts"
export type { TenantCreate, TenantCreated, TenantView } from "../../core/people/tenant.ts"
export type { Me, UserCreate, UserFilter, UserStatus, UserUpdate, UserView } from "../../core/people/user.ts"
export type {
  DeliveryState,
  DeliveryView,
  NotificationCreate,
  NotificationCreated,
  NotificationKind,
  NotificationUpdate,
  NotificationView,
  NotificationsApi,
} from "../../core/notifications/notification.ts"
export type { DocumentAdd, DocumentAdded, DocumentView } from "../../core/retrieval/document.ts"
export type {
  Embedding,
  PipelineAnswer,
  PipelineCreate,
  PipelineResult,
  PipelineUpdate,
  PipelineView,
} from "../../core/retrieval/pipeline.ts"
export type { PresetAuth, PresetCategory, PresetFilter, PresetKind, PresetView, PresetsApi } from "../../core/presets/preset.ts"
export type { SearchesFilter, SearchMade, SearchOutcome } from "../../core/console/searches.ts"
export type { Backtest, BacktestRequest, BacktestRow, BacktestRule, PatternCount } from "../../core/console/backtest.ts"
export type { CallDetail } from "../../core/console/execution-calls.ts"
export type { ApprovalChangeType, ChangeType, ExecutionChangeType, FollowOptions, LiveEvent } from "../../core/console/live-event.ts"
export type { Page, PageRequest } from "../../core/page.ts"
export type { SignInCode, TokenCreate, TokenCreated, TokenView } from "../../core/token.ts"
export type { ToolFilter, ToolPageRequest, ToolSchemaView, ToolSummary, ToolView } from "../../core/tool.ts"
export type { ToolVersionView } from "../../core/registry/tool-version.ts"
export type { DefinitionChange, DefinitionDiff, DiffKind, JsonChange } from "../../core/registry/diff.ts"
export type { RegistryToolCreate, RegistryToolTest, RegistryToolUpdate, RegistryToolView } from "../../core/registry/tool.ts"
export { TOOL_BUCKETS, TOOL_SUBTYPES, filterTools, getSubtypeLabel, getToolBucket } from "../../core/tool-types.ts"
export type { FilteredTool, ToolBucket, ToolSubtype, ToolTypeFilters, TypedTool } from "../../core/tool-types.ts"
export { parseEvaluationCases } from "../../core/evaluation.ts"
export type { CatalogEvaluation, Evaluation, EvaluationCase } from "../../core/evaluation.ts"
