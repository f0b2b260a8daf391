// The store port for executions: what a run did, what it waits for, and who runs it.
//
// An execution's truth is its journal. Records are appended in groups: whatever is waiting when the last commit ends
// goes into the next one, so that a busy server commits once for many records and an idle one at once. Records of one
// execution are applied in the order in which they were appended. A paused execution is only rows.
import type {
  AnswerAction,
  ApprovalMode,
  ExecutionMode,
  ExecutionStatus,
  InteractionKind,
  ResultsMode,
  ProgramKind,
} from "../core/execution.ts"
import type { PrincipalKind, Scope } from "../core/principal.ts"
import type { Effect, JsonText } from "../core/tool.ts"
import type { AuditRow, AuditRows } from "./audit-store.ts"
import type { SearchTrace } from "./executions/search-trace.ts"
import type { ExecutionRowFilter, HistoryAge } from "./executions/row-filter.ts"
import type { Broadcasts } from "./executions/broadcasts.ts"
import type { PlaceRows } from "./place-store.ts"
import type { SessionValueRows } from "./executions/session-value-rows.ts"
import type { After } from "./store.ts"

export interface ExecutionStore {
  readonly executions: ExecutionRows
  readonly leases: LeaseRows
  readonly journal: JournalRows
  readonly approvals: ApprovalRows
  readonly values: SessionValueRows
  readonly places: PlaceRows
  readonly audit: AuditRows
  readonly signals: ExecutionSignals
  readonly broadcasts: Broadcasts
  /** Whatever was appended is durable afterwards. */
  close(): Promise<void>
}

export interface JournalRows {
  /** Resolves when the records and all before them are durable. `now`: somebody waits, commit as soon as the last commit is done. `soon`: nobody waits, within 20 ms will do. */
  append(records: readonly JournalRecord[], urgency: "now" | "soon"): Promise<void>
  /** Everything that a replay needs; calls by `seq`, events by `position`. */
  read(scope: Scope, executionId: string): Promise<{ calls: CallRow[]; events: EventRow[] }>
  /** The calls from this `seq` on without their answers, for whoever looks again and again. */
  calls(scope: Scope, executionId: string, seqMin: number): Promise<CallHead[]>
  /** What a call was answered; null where it was not. */
  answerOf(scope: Scope, executionId: string, key: string): Promise<JsonText | null>
  /** How many calls the own program of each of these executions has made; those without any are left out. */
  count(tenant: string, executionIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The latest calls of tools that a policy decided about, newest first, with whoever asked; and their arguments, null where gone. */
  latest(who: Visibility, limit: number): Promise<(Omit<CallHead, "argsJson"> & Asker)[]>
  argumentsOf(tenant: string, calls: readonly Pick<CallRow, "executionId" | "key">[]): Promise<(string | null)[]>
  /** The latest searches, and the calls of tools that went well, newest first. */
  searches(who: Visibility, limit: number): Promise<SearchTrace[]>
}

/** Each is an upsert of one row: records of a kind for the same key replace the fields they carry. */
export type JournalRecord =
  | { readonly kind: "execution"; readonly row: ExecutionRow }
  /** `asker`: whoever runs the execution. With it, a call that is done becomes an entry of the audit, too. */
  | { readonly kind: "call"; readonly row: CallRow; readonly asker?: Asker }
  | { readonly kind: "event"; readonly row: EventRow }
  | { readonly kind: "approval"; readonly row: ApprovalRow }
  | { readonly kind: "audit"; readonly row: AuditRow }
  | { readonly kind: "shown"; readonly row: ShownRow }
  /** How a run ended or paused. Applied only while `run` is still the row's, so that a node that lost its lease writes nothing. */
  | {
      readonly kind: "outcome"
      readonly tenant: string
      readonly executionId: string
      readonly run: number
      readonly outcome: ExecutionOutcome
    }

export type Asker = Pick<ExecutionRow, "user" | "principalKind" | "tokenId">

export type ExecutionRow = {
  readonly tenant: string
  readonly id: string
  readonly user: string
  readonly principalKind: PrincipalKind
  readonly tokenId: string | null
  /** JSON array. */
  readonly roles: JsonText
  readonly code: string
  readonly results: ResultsMode
  readonly approval: ApprovalMode
  readonly autoApprove: boolean
  readonly wallMs: number
  /** 32 bytes, hex. */
  readonly seed: string
  readonly startedAtMs: number
  readonly status: ExecutionStatus
  /** Counts the runs: raised by every claim. */
  readonly run: number
  readonly leaseOwner: string | null
  readonly leaseUntil: string | null
  readonly wallUsedMs: number
  /** Counts the pauses: an interaction belongs to the pause that showed it first. */
  readonly pauseCount: number
  /** When the oldest pending interaction runs out; null unless paused. */
  readonly expiresAt: string | null
  readonly createdAt: string
  readonly endedAt: string | null
  readonly result: JsonText | null
  readonly error: JsonText | null
  readonly logs: JsonText
  readonly emitted: JsonText
  readonly outputsSeen: number
  /** The MCP session that asked; null where there is none. */
  readonly session: string | null
  readonly mode: ExecutionMode
  /** What `code` is: sandbox code, or the JSON of an agent's run. */
  readonly program: ProgramKind
  /** The workspace whose tools it has, and the execution whose recorded answers it begins with; null: none. */
  readonly workspace: string | null
  readonly replayOf: string | null
  /** Of an agent's run that was called outside of executions and not answered yet: which call that was. */
  readonly directCall: string | null
  /** The execution that called it as an agent; null for what nobody called. */
  readonly parentId: string | null
  /** The one above all, whose node runs it and whose journal has its calls; null for what nobody called. */
  readonly rootId: string | null
  /** The call of the root's journal that it performs: the keys of its own calls begin with it and a slash. */
  readonly rootKey: string | null
}

/** Without what may be long: a list holds many. */
export type ExecutionHead = Omit<ExecutionRow, "result" | "logs" | "emitted">
export type ExecutionOutcome = Pick<
  ExecutionRow,
  "status" | "wallUsedMs" | "pauseCount" | "expiresAt" | "endedAt" | "result" | "error" | "logs" | "emitted" | "outputsSeen"
>

/** The latest pause of an execution that a viewer was shown; it never goes back. */
export type ShownRow = ShownPause & { readonly tenant: string; readonly executionId: string; readonly viewer: string }
export type ShownPause = {
  readonly pause: number
  /** How many of the execution's approvals they have seen, in the order of their pauses and ids; null: all up to this pause. */
  readonly questions: number | null
}

export type CallState = "waiting" | "started" | "done"
export type CallRow = {
  readonly tenant: string
  readonly executionId: string
  /** `<content hash>:<occurrence>` */
  readonly key: string
  readonly seq: number
  readonly path: string
  readonly address: string
  readonly argsJson: JsonText
  readonly effect: Effect
  readonly state: CallState
  readonly decision: string
  readonly rule: string | null
  readonly approvalId: string | null
  readonly answerForm: "envelope" | "value" | "reject" | null
  readonly answerJson: JsonText | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly startedAt: string | null
  readonly ms: number | null
  /** The run of the execution that wrote it. */
  readonly run: number
  /** Of the code that makes it, as the code itself reports it; null where nobody knows. */
  readonly line: number | null
}

export type CallHead = Omit<CallRow, "answerJson">
/** The order of settling: an answer refers to its call by key. */
export type EventRow = {
  readonly tenant: string
  readonly executionId: string
  readonly position: number
  readonly type: "answer" | "tick"
  readonly key: string | null
  readonly atMs: number
  readonly run: number
}

/** No run of a root comes to it: what was cancelled on its own stays cancelled, whatever its root still writes. */
export const cancelledAloneRun = 2 ** 30

/** Who may see which executions: an agent its own (by token), a human their user's, an admin all of the tenant. */
export type Visibility = { readonly tenant: string; readonly user: string | null; readonly tokenId: string | null }

export interface ExecutionRows {
  /** Newest first. */
  list(who: Visibility, filter: ExecutionRowFilter, page: After<string>): Promise<ExecutionHead[]>
  /** All that run below this root, whoever started them; a root has as many as it may make calls. */
  below(root: ExecutionId): Promise<ExecutionHead[]>
  get(who: Visibility, id: string): Promise<ExecutionRow | null>
  /** The latest pause that this viewer was shown; null for none. */
  shown(of: Pick<ShownRow, "tenant" | "executionId" | "viewer">): Promise<ShownPause | null>
  /** Takes the execution for one run: only if its status and run are still these. Answers whether it was taken. */
  claim(row: ExecutionRow, lease: Lease): Promise<boolean>
  /** The direct call that started it has its answer: the same call starts another run. */
  answerDirectCall(id: ExecutionId): Promise<void>
  /** Forgets the oldest ended executions of one principal beyond this size, counted with what has not ended. Answers the size of the latter. */
  trim(who: Pick<ExecutionRow, "tenant" | "user" | "tokenId">, bytesMax: number): Promise<{ readonly unendedBytes: number }>
  /** Deletes executions that ended long ago with their journal and approvals; their calls stay in the audit. */
  deleteOld(age: HistoryAge): Promise<void>
}

/** How nodes share executions: whoever runs one holds a lease on it. */
export interface LeaseRows {
  /** Prolongs the leases of these executions that the owner still holds, and answers all that it holds of them. */
  renew(lease: Lease, ids: readonly ExecutionId[]): Promise<ExecutionRow[]>
  /** Claims running executions whose lease ran out, of any tenant, and answers them; safe when many nodes ask (SKIP LOCKED). */
  takeExpired(lease: Lease, now: string, limit: number): Promise<ExecutionRow[]>
  /** Ends the leases of all that the owner runs, so that another node can continue at once. Answers what was released. */
  release(owner: string, now: string): Promise<ExecutionRow[]>
  /** One execution as it is stored now, whatever this process is still writing; null unless it is running. */
  findRunning(id: ExecutionId): Promise<ExecutionRow | null>
  /** Those of these executions that are stored and not held by the owner: nearly always none. */
  findUnheld(owner: string, ids: readonly ExecutionId[]): Promise<ExecutionRow[]>
  /** Paused executions whose interactions ran out, oldest first. */
  findOverdue(now: string, limit: number): Promise<ExecutionRow[]>
  /** Paused executions that wait for nothing any more: the process that took the last answer died before it continued. */
  findAnswered(limit: number): Promise<ExecutionRow[]>
}
export type Lease = { readonly owner: string; readonly until: string }
export type ExecutionId = Pick<ExecutionRow, "tenant" | "id">

/** How a process learns soon of what another one did to an execution that runs here, or of room in a group in which a call waits; leases tell it later. */
export interface ExecutionSignals {
  /** Notifies the others that the execution was taken from whoever runs it, or that a human has answered it; or that there is room in a group. */
  notify(subject: string): Promise<void>
  /** Null: there may be a signal for anything. Where nobody can be told, that is said every now and then. Answers how to stop. */
  listen(listener: SignalListener): () => void
}
export type SignalListener = (subject: string | null) => Promise<void>
export type ApprovalStatus = "pending" | AnswerAction | "expired"
export type ApprovalRow = {
  readonly tenant: string
  readonly id: string
  /** Null for a call outside an execution. */
  readonly executionId: string | null
  readonly callKey: string | null
  readonly user: string
  readonly principalKind: PrincipalKind
  readonly tokenId: string | null
  readonly kind: InteractionKind
  readonly message: string
  readonly address: string
  readonly argsJson: JsonText
  readonly argsHash: string
  /** The tool's definition: a change in between asks again. */
  readonly toolHash: string
  readonly effect: Effect
  /** What the human is told beside the question: JSON of an `ApprovalContext`. */
  readonly context: JsonText
  /** Whom the rules that asked name as approvers: JSON of an `ApprovalBy[]`; null: nobody in particular. */
  readonly by: JsonText | null
  readonly requestedSchema: JsonText | null
  readonly url: string | null
  /** From where the tool goes on when it is run again; nobody else reads it. */
  readonly state: string | null
  readonly pause: number
  readonly status: ApprovalStatus
  readonly content: JsonText | null
  readonly remember: "execution" | "always" | null
  readonly answeredBy: string | null
  readonly answeredAt: string | null
  /** A grant of `approval: "throw"` passes once. */
  readonly usedAt: string | null
  readonly createdAt: string
  readonly expiresAt: string
}

export interface ApprovalRows {
  /** Oldest first. */
  list(who: Visibility, filter: ApprovalFilter, page: After<string>): Promise<ApprovalRow[]>
  get(who: Visibility, id: string): Promise<ApprovalRow | null>
  /** Changes pending ones only. Answers the rows as they are afterwards, so that the second of two learns the first one's answer. */
  answer(tenant: string, ids: readonly string[], answer: ApprovalAnswerWrite): Promise<ApprovalRow[]>
  /** How many of this principal's wait for a human, and the stored size of their arguments. */
  waiting(who: Pick<ApprovalRow, "tenant" | "user" | "tokenId">, now: string): Promise<{ readonly count: number; readonly bytes: number }>
  /** Uses up what a human answered to the request for a grant (one of pause 0) for exactly this call, if there is one that has not run out. */
  spend(
    grant: Pick<ApprovalRow, "tenant" | "user" | "tokenId" | "address" | "argsHash" | "toolHash"> & { readonly now: string },
  ): Promise<ApprovalRow | null>
}
export type ApprovalFilter = {
  readonly executionId?: string
  readonly status?: ApprovalStatus
  readonly expiresAfter?: string
  /** Only this user's, and those whose rules name who may answer. */
  readonly userOrNamed?: string
  /** Only requests for a grant for exactly this call. */
  readonly grant?: Pick<ApprovalRow, "address" | "argsHash" | "toolHash">
}
export type ApprovalAnswerWrite = {
  readonly status: Exclude<ApprovalStatus, "pending">
  readonly content: JsonText | null
  readonly remember: "execution" | "always" | null
  readonly answeredBy: string | null
  readonly answeredAt: string
}
