// What one principal can do: the surface that the SDK, the HTTP API and the client share.
import type { ConnectionCreate, ConnectionHealth, ConnectionUpdate, ConnectionView } from "./connection.ts"
import type { Owner, ToolAddress } from "./address.ts"
import type { Detection, IntegrationAdd, IntegrationPreview, IntegrationUpdate, IntegrationView } from "./integration.ts"
import type { SearchPage } from "./discovery.ts"
import type { Inventory } from "./inventory.ts"
import type { CatalogEvaluation, EvaluationCase } from "./evaluation.ts"
import type { AuditExportRequest, AuditFilter, AuditView } from "./audit/entry.ts"
import type {
  ApprovalAnswer,
  ApprovalReply,
  ApprovalsEvent,
  ApprovalView,
  ExecutionEvent,
  ExecutionReply,
  ExecutionRequest,
  ExecutionStatus,
  ExecutionSummary,
  ExecutionView,
  ResultsMode,
  ResumeRequest,
} from "./execution.ts"
import type { PasskeyView } from "./people/passkey.ts"
import type { InvitationCreate, InvitationCreated, InvitationView } from "./people/invitation.ts"
import type { Role, RoleCreate, RolePreview, RoleUpdate, RoleView } from "./people/role.ts"
import type { SessionView } from "./people/session.ts"
import type { TenantCreate, TenantCreated, TenantView } from "./people/tenant.ts"
import type { Me, UserCreate, UserPageRequest, UserUpdate, UserView } from "./people/user.ts"
import type { AgentsApi } from "./agents/agent.ts"
import type { ModelsApi } from "./agents/model-provider.ts"
import type { WorkspacesApi } from "./workspaces/workspace.ts"
import type { ArtifactsApi, RegistryApi, TenantCredentialsApi } from "./registry/api.ts"
import type { PipelinesApi } from "./retrieval/api.ts"
import type { ToolEmbeddingApi } from "./retrieval/tool-embedding.ts"
import type { NotificationsApi } from "./notifications/notification.ts"
import type { PresetsApi } from "./presets/preset.ts"
import type { PolicyCreate, PolicyExplanation, PolicyUpdate, PolicyView } from "./policy.ts"
import type { OauthApi } from "./oauth.ts"
import type { AccessExplain, AccessExplanation } from "./people/access-explanation.ts"
import type { Backtest, BacktestRequest, PatternCount } from "./console/backtest.ts"
import type { SearchesFilter, SearchMade } from "./console/searches.ts"
import type { CallDetail } from "./console/execution-calls.ts"
import type { FollowOptions, LiveEvent } from "./console/live-event.ts"
import type { LimitView } from "./limits/limit-view.ts"
import type { Page, PageRequest } from "./page.ts"
import type { ToolResult } from "./result.ts"
import type { SignInProviderCreate, SignInProviderUpdate, SignInProviderView, SignInRecord, SignInTest } from "./people/sign-in.ts"
import type { SignInCode, TokenCreate, TokenCreated, TokenView } from "./token.ts"
import type { DefinitionDiff } from "./registry/diff.ts"
import type { ToolVersionView } from "./registry/tool-version.ts"
import type { ToolFilter, ToolPageRequest, ToolSchemaView, ToolSummary, ToolView } from "./tool.ts"

export type ConnectionKey = { readonly integration: string; readonly owner: Owner; readonly name: string }

/** Everything one principal can do. `toolplane/client` implements the same over HTTP. */
export interface ExecutorApi {
  readonly tools: {
    /** All visible tools; blocked ones only with `includeBlocked`. */
    list(filter?: ToolFilter, options?: Interruptible & { readonly skip?: number }): Promise<ToolView[]>
    /** The same, page by page. */
    page(filter: ToolFilter, page: ToolPageRequest): Promise<Page<ToolView>>
    /** How many of them there are of each type and status. */
    summary(filter?: ToolFilter): Promise<ToolSummary>
    /** The integrations that the principal can reach, with the groups of their tools: a few words about a catalog of any size. */
    inventory(): Promise<Inventory>
    /** Null if the address does not resolve. Throws `tool_ambiguous` if a short path matches several tools, `tool_blocked` if a policy blocks the tool. */
    schema(address: ToolAddress | string): Promise<ToolSchemaView | null>
    /** Newest first: when it changed, what, and how many calls used it. Also of a tool that its source no longer has. */
    versions(address: ToolAddress | string, page?: PageRequest): Promise<Page<ToolVersionView>>
    /** What differs between two versions of an imported tool, which need not follow each other. */
    diffVersions(address: ToolAddress | string, between: { readonly from: string; readonly to: string }): Promise<DefinitionDiff>
    /** The tools that best match a description in plain words. */
    search(query: ToolSearch): Promise<SearchPage>
    /** The latest searches of executions that the principal may read, and what was called because of them; newest first. */
    searches(filter?: SearchesFilter & PageRequest): Promise<Page<SearchMade>>
    /** A TypeScript declaration file of all callable tools, for an editor or a type check. */
    types(options?: ToolTypesOptions & Interruptible): Promise<string>
    /** Measures how well search finds the right tools for requests whose answers are known. For human admins. */
    evaluate(cases: readonly EvaluationCase[], options?: Interruptible): Promise<CatalogEvaluation>
  }
  readonly integrations: {
    list(page?: PageRequest): Promise<Page<IntegrationView>>
    get(slug: string): Promise<IntegrationView>
    add(input: IntegrationAdd): Promise<IntegrationView>
    update(slug: string, change: IntegrationUpdate): Promise<IntegrationView>
    remove(slug: string): Promise<void>
    detect(url: string): Promise<Detection>
    preview(input: { readonly kind: string; readonly config: unknown }): Promise<IntegrationPreview>
  }
  /** Well-known APIs that can be added by name. */
  readonly presets: PresetsApi
  readonly connections: {
    list(filter?: { readonly integration?: string; readonly owner?: Owner } & PageRequest): Promise<Page<ConnectionView>>
    get(key: ConnectionKey): Promise<ConnectionView>
    create(input: ConnectionCreate): Promise<ConnectionView>
    update(key: ConnectionKey, change: ConnectionUpdate): Promise<ConnectionView>
    refresh(key: ConnectionKey): Promise<ConnectionView>
    health(key: ConnectionKey): Promise<ConnectionHealth>
    remove(key: ConnectionKey): Promise<void>
  }
  readonly oauth: OauthApi
  /** The acting human's own. */
  readonly passkeys: {
    list(): Promise<readonly PasskeyView[]>
    rename(id: string, name: string): Promise<PasskeyView>
    remove(id: string): Promise<void>
  }
  /** Who acts, and where their roles and rights come from. */
  me(): Promise<Me>
  readonly users: {
    /** Admins, auditors and whoever may invite see everybody; others themselves. */
    list(filter?: UserPageRequest): Promise<Page<UserView>>
    get(id: string): Promise<UserView>
    create(input: UserCreate): Promise<UserView>
    /** Disabling ends the user's sessions and running executions, and refuses their tokens, at once. */
    update(id: string, change: UserUpdate): Promise<UserView>
    /** Tokens, sessions, own connections with credentials, and open executions go; the history stays. */
    remove(id: string): Promise<void>
    /** What each issuer said of them when they last signed in. For admins. */
    signIns(id: string): Promise<readonly SignInRecord[]>
  }
  readonly roles: {
    list(page?: PageRequest): Promise<Page<RoleView>>
    get(id: string): Promise<RoleView>
    create(input: RoleCreate): Promise<Role>
    update(id: string, change: RoleUpdate): Promise<Role>
    remove(id: string): Promise<void>
    /** What these patterns match now. */
    preview(patterns: readonly string[]): Promise<RolePreview>
  }
  readonly invitations: {
    /** Open ones. */
    list(page?: PageRequest): Promise<Page<InvitationView>>
    create(input: InvitationCreate): Promise<InvitationCreated>
    remove(id: string): Promise<void>
    /** Gives the acting user the roles of an invitation. Whoever is no user yet accepts it on its page. */
    accept(token: string): Promise<UserView>
  }
  readonly tokens: {
    /** An admin sees those of everybody, or of `user`. */
    list(page?: OfUser & PageRequest): Promise<Page<TokenView>>
    create(input: TokenCreate): Promise<TokenCreated>
    remove(id: string): Promise<void>
  }
  readonly signIn: {
    /** The OpenID Connect providers at which people sign in. */
    readonly providers: {
      list(): Promise<SignInProviderView[]>
      create(input: SignInProviderCreate): Promise<SignInProviderView>
      update(id: string, change: SignInProviderUpdate): Promise<SignInProviderView>
      remove(id: string): Promise<void>
      /** A link to a sign-in that shows its claims and the roles they lead to, and changes nothing. */
      test(id: string): Promise<SignInTest>
    }
  }
  readonly sessions: {
    /** A one-time code that opens a browser session of the acting human at `/signin?code=…`. */
    create(): Promise<SignInCode>
    /** Open browser sessions; an admin sees those of everybody, or of `user`. */
    list(page?: OfUser & PageRequest): Promise<Page<SessionView>>
    remove(id: string): Promise<void>
  }
  /** For whoever runs the server: the local human of its data directory. */
  readonly tenants: {
    list(page?: PageRequest): Promise<Page<TenantView>>
    create(input: TenantCreate): Promise<TenantCreated>
  }
  readonly executions: {
    list(filter?: ExecutionFilter & PageRequest): Promise<Page<ExecutionSummary>>
    get(id: string): Promise<ExecutionView>
    /** Its calls page by page: when each was made, from which line, and what it returned. */
    calls(id: string, page?: PageRequest): Promise<Page<CallDetail>>
    /** The complete result as JSON text, in pieces. */
    result(id: string, piece?: ResultPieceRequest): Promise<ResultPiece>
    cancel(id: string): Promise<ExecutionReply>
    /** The events from now on, until the execution ends or pauses. */
    events(id: string, signal?: AbortSignal): AsyncIterable<ExecutionEvent>
  }
  readonly ids: {
    /** Up to ten ids of executions, approvals, policies and tokens that start with a prefix such as `exe_0mw`. */
    find(prefix: string): Promise<readonly string[]>
  }
  readonly approvals: {
    /** Pending approvals, oldest first. */
    list(filter?: ApprovalListFilter & PageRequest): Promise<Page<ApprovalView>>
    get(id: string): Promise<ApprovalView>
    answer(id: string, answer: ApprovalAnswer): Promise<ApprovalReply>
    /** One event immediately, and one whenever an approval is added or settled, until the signal is aborted. */
    events(signal?: AbortSignal): AsyncIterable<ApprovalsEvent>
  }
  /** Whom approvals that wait are told to. For admins. */
  readonly notifications: NotificationsApi
  readonly policies: {
    list(): Promise<PolicyView[]>
    create(input: PolicyCreate): Promise<PolicyView>
    update(id: string, change: PolicyUpdate): Promise<PolicyView>
    remove(id: string): Promise<void>
    explain(input: { readonly address: string; readonly args?: Record<string, unknown> }): Promise<PolicyExplanation>
    /** What these rules, instead of the stored ones, would have decided about the latest calls that the principal may read. */
    backtest(request: BacktestRequest, options?: Interruptible): Promise<Backtest>
    /** How many tools the pattern of a rule matches now, one answer for each. */
    matches(patterns: readonly string[], options?: Interruptible): Promise<readonly PatternCount[]>
  }
  /** Tools that people make here: drafts, versions, and what is published of them. */
  readonly registry: RegistryApi
  /** Code that registry tools run. */
  readonly artifacts: ArtifactsApi
  /** Of the tenant, for built-ins and registry tools. For admins. */
  readonly credentials: TenantCredentialsApi
  /** Documents that agents can ask. */
  readonly pipelines: PipelinesApi
  /** What makes vectors of tools, so that search finds them by meaning too. */
  readonly toolEmbedding: ToolEmbeddingApi
  /** Agents: instructions, a model and tools. */
  readonly agents: AgentsApi
  /** Where the models of agents are asked. */
  readonly models: ModelsApi
  /** Folders of this process, whose tools executions can have. */
  readonly workspaces: WorkspacesApi
  readonly access: {
    /** Why a user or a token can or cannot call a tool. */
    explain(input: AccessExplain): Promise<AccessExplanation>
  }
  readonly audit: {
    /** The audit as text, in pieces of some lines: in the order of its chain, oldest first. */
    export(request: AuditExportRequest, options?: Interruptible): AsyncIterable<string>
    /** Newest first. */
    list(filter?: AuditFilter & PageRequest): Promise<Page<AuditView>>
  }
  /** What happens from now on, as far as the principal may read it: one stream for everything, until the signal is aborted. */
  readonly events: {
    follow(options?: FollowOptions): AsyncIterable<LiveEvent>
  }
  /** Of this server, as they are. */
  readonly limits: {
    /** Every limit as it is on this server, with its reason. */
    list(): Promise<readonly LimitView[]>
  }
  /** Calls one tool; it cannot pause. Over HTTP the call is an execution of its own, and the signal only stops waiting for it. */
  execute(address: ToolAddress | string, args?: Record<string, unknown>, options?: ExecuteOptions): Promise<ToolResult>
  /** Runs code until it ends or waits for a human. */
  run(code: string, options?: Omit<ExecutionRequest, "code">): Promise<ExecutionReply>
  /** Answers the approvals of a paused execution and continues it. */
  resume(executionId: string, answer: ResumeRequest): Promise<ExecutionReply>
}

export type OfUser = { readonly user?: string }
export type ToolSearch = {
  readonly query: string
  readonly namespace?: string
  readonly limit?: number
  readonly offset?: number
  /** Whether each hit says why it has its place. */
  readonly explain?: boolean
}
/** The signal stops the work when its result is no longer needed. */
export type Interruptible = { readonly signal?: AbortSignal }
export type ToolTypesOptions = { readonly results?: ResultsMode; readonly integration?: string }
export type ExecutionFilter = {
  readonly status?: ExecutionStatus
  /** A user, or the id of a token, because all agents of one human act as that user. */
  readonly principal?: string
  /** The address of a tool that the execution has called. */
  readonly tool?: string
  /** Text to find in the code or id, ignoring case. */
  readonly query?: string
  /** Started at this time or later. */
  readonly since?: string
  /** Started before this time. */
  readonly until?: string
  /** Only the runs of agents that this execution has called; `any`: all executions, with those. By default without them. */
  readonly parentId?: string
}
export type ApprovalListFilter = {
  readonly executionId?: string
  /** `others`: what the reader and their agents ask, and somebody else must answer; `me`, the default: what the reader may answer. */
  readonly waitingFor?: "me" | "others"
}
export type ResultPieceRequest = { readonly offset?: number; readonly length?: number }
export type ResultPiece = { readonly text: string; readonly nextOffset: number | null }
/** A piece as code reads it, with the length of the whole. */
export type ResultText = ResultPiece & { readonly total: number }

/** How a call that cannot pause is approved. */
export type Approve =
  | "auto"
  | ((request: { readonly address: string; readonly args: unknown; readonly message: string }) => boolean | Promise<boolean>)

export type ExecuteOptions = { readonly signal?: AbortSignal; readonly timeoutMs?: number; readonly approve?: Approve }
