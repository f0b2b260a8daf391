// Rows for tests of executions: valid, small, and changed where a test needs it.
import type { Scope } from "../../../core/principal.ts"
import { newId, sha256 } from "../../../io/ids.ts"
import type { AuditRow } from "../../audit-store.ts"
import type { ApprovalRow, CallRow, EventRow, ExecutionOutcome, ExecutionRow, JournalRecord, Visibility } from "../../execution-store.ts"
import type { SessionRoom } from "../session-value-rows.ts"

/** A tenant of its own for each test. */
export const newScope = (user = "alice"): Scope => ({ tenant: newId("tenant"), user })

export const allOf = ({ tenant }: { readonly tenant: string }): Visibility => ({ tenant, user: null, tokenId: null })

export const someTime = "2026-11-01T12:00:00.000Z"

/** So many seconds after `someTime`. */
export const later = (seconds: number): string => new Date(Date.parse(someTime) + seconds * 1000).toISOString()

/** Of the principal whose only session is `s`. */
export const sessionRoom = (bytesMax: number): SessionRoom => ({ bytesMax, principal: "s", principalBytesMax: 2 ** 30 })

export const executionRow = (scope: Scope, change: Partial<ExecutionRow> = {}): ExecutionRow => ({
  tenant: scope.tenant,
  id: newId("exe"),
  user: scope.user,
  principalKind: "agent",
  tokenId: "tok_1",
  roles: '["member"]',
  code: "return await tools.github.org.main.issues.create({ title: 'x' })",
  results: "envelope",
  approval: "pause",
  autoApprove: false,
  wallMs: 120_000,
  seed: "5e".repeat(32),
  startedAtMs: Date.parse(someTime),
  status: "running",
  run: 1,
  leaseOwner: "node_1",
  leaseUntil: later(30),
  wallUsedMs: 0,
  pauseCount: 0,
  expiresAt: null,
  createdAt: someTime,
  endedAt: null,
  result: null,
  error: null,
  logs: "[]",
  emitted: "[]",
  outputsSeen: 0,
  session: null,
  mode: "production",
  program: "code",
  workspace: null,
  replayOf: null,
  directCall: null,
  parentId: null,
  rootId: null,
  rootKey: null,
  ...change,
})

export const callRow = (execution: ExecutionRow, change: Partial<CallRow> = {}): CallRow => ({
  tenant: execution.tenant,
  executionId: execution.id,
  key: `${sha256("issues.create").slice(0, 40)}:0`,
  seq: 0,
  path: "github.org.main.issues.create",
  address: "tools.github.org.main.issues.create",
  argsJson: '{"title":"x"}',
  effect: "write",
  state: "started",
  decision: "allow",
  rule: null,
  approvalId: null,
  answerForm: null,
  answerJson: null,
  errorCode: null,
  errorMessage: null,
  startedAt: someTime,
  ms: null,
  run: execution.run,
  line: 3,
  ...change,
})

export const doneCall = (execution: ExecutionRow, change: Partial<CallRow> = {}): CallRow =>
  callRow(execution, { state: "done", answerForm: "envelope", answerJson: '{"ok":true,"data":{"id":1}}', ms: 12.5, ...change })

export const eventRow = (execution: ExecutionRow, position: number, change: Partial<EventRow> = {}): EventRow => ({
  tenant: execution.tenant,
  executionId: execution.id,
  position,
  type: "tick",
  key: null,
  atMs: Date.parse(someTime) + position,
  run: execution.run,
  ...change,
})

export const approvalRow = (scope: Scope, change: Partial<ApprovalRow> = {}): ApprovalRow => ({
  tenant: scope.tenant,
  id: newId("apr"),
  executionId: null,
  callKey: null,
  user: scope.user,
  principalKind: "agent",
  tokenId: "tok_1",
  kind: "approval",
  message: "Allow it?",
  address: "tools.github.org.main.issues.create",
  argsJson: '{"title":"x"}',
  argsHash: "a".repeat(64),
  toolHash: "b".repeat(64),
  effect: "write",
  context: "{}",
  by: null,
  requestedSchema: null,
  url: null,
  state: null,
  pause: 0,
  status: "pending",
  content: null,
  remember: null,
  answeredBy: null,
  answeredAt: null,
  usedAt: null,
  createdAt: someTime,
  expiresAt: later(7 * 24 * 3600),
  ...change,
})

export const auditRow = (scope: Scope, at: string, change: Partial<AuditRow> = {}): AuditRow => ({
  tenant: scope.tenant,
  id: newId("aud", new Date(at)),
  at,
  user: scope.user,
  principalKind: "human",
  tokenId: null,
  action: "policy.create",
  subject: "github.*",
  executionId: null,
  decision: null,
  rule: null,
  outcome: "ok",
  details: "{}",
  ...change,
})

export const outcome = (change: Partial<ExecutionOutcome> = {}): ExecutionOutcome => ({
  status: "completed",
  wallUsedMs: 35,
  pauseCount: 0,
  expiresAt: null,
  endedAt: later(1),
  result: '{"id":1}',
  error: null,
  logs: '[{"level":"log","text":"hello"}]',
  emitted: "[1,2]",
  outputsSeen: 3,
  ...change,
})

export const outcomeRecord = ({ tenant, id, run }: ExecutionRow, change: Partial<ExecutionOutcome> = {}): JournalRecord => ({
  kind: "outcome",
  tenant,
  executionId: id,
  run,
  outcome: outcome(change),
})

export const paused = (change: Partial<ExecutionOutcome> = {}): ExecutionOutcome =>
  outcome({ status: "paused", endedAt: null, result: null, pauseCount: 1, expiresAt: later(7 * 24 * 3600), ...change })
