// The rows of executions column by column: queries read them by these lists, and the journal writes them by the same.
import type { AuditRow } from "../audit-store.ts"
import { cancelledAloneRun } from "../execution-store.ts"
import type { ApprovalRow, CallRow, EventRow, ExecutionOutcome, ExecutionRow, ShownRow } from "../execution-store.ts"
import type { ExecutionTables } from "./tables.ts"

/** A column and the field of the port that it holds, in the words of a `select`. */
export const executionColumns = [
  "tenant_id as tenant",
  "execution_id as id",
  "user_id as user",
  "principal_kind as principalKind",
  "token_id as tokenId",
  "roles as roles",
  "code as code",
  "results as results",
  "approval as approval",
  "auto_approve as autoApprove",
  "wall_ms as wallMs",
  "seed as seed",
  "started_at_ms as startedAtMs",
  "status as status",
  "run as run",
  "lease_owner as leaseOwner",
  "lease_until as leaseUntil",
  "wall_used_ms as wallUsedMs",
  "pause_count as pauseCount",
  "expires_at as expiresAt",
  "created_at as createdAt",
  "ended_at as endedAt",
  "result as result",
  "error as error",
  "logs as logs",
  "emitted as emitted",
  "outputs_seen as outputsSeen",
  "session as session",
  "mode as mode",
  "program as program",
  "workspace as workspace",
  "replay_of as replayOf",
  "direct_call as directCall",
  "parent_id as parentId",
  "root_id as rootId",
  "root_key as rootKey",
] as const

const outcomeColumns = [
  "status as status",
  "wall_used_ms as wallUsedMs",
  "pause_count as pauseCount",
  "expires_at as expiresAt",
  "ended_at as endedAt",
  "result as result",
  "error as error",
  "logs as logs",
  "emitted as emitted",
  "outputs_seen as outputsSeen",
] as const

export const callColumns = [
  "tenant_id as tenant",
  "execution_id as executionId",
  "call_key as key",
  "seq as seq",
  "path as path",
  "address as address",
  "args as argsJson",
  "effect as effect",
  "state as state",
  "decision as decision",
  "rule as rule",
  "approval_id as approvalId",
  "answer_form as answerForm",
  "answer as answerJson",
  "error_code as errorCode",
  "error_message as errorMessage",
  "started_at as startedAt",
  "ms as ms",
  "run as run",
  "line as line",
] as const

export const eventColumns = [
  "tenant_id as tenant",
  "execution_id as executionId",
  "position as position",
  "type as type",
  "call_key as key",
  "at_ms as atMs",
  "run as run",
] as const

export const approvalColumns = [
  "tenant_id as tenant",
  "approval_id as id",
  "execution_id as executionId",
  "call_key as callKey",
  "user_id as user",
  "principal_kind as principalKind",
  "token_id as tokenId",
  "kind as kind",
  "message as message",
  "address as address",
  "args as argsJson",
  "args_hash as argsHash",
  "tool_hash as toolHash",
  "effect as effect",
  "context as context",
  "answerable_by as by",
  "requested_schema as requestedSchema",
  "url as url",
  "tool_state as state",
  "pause as pause",
  "status as status",
  "content as content",
  "remember as remember",
  "answered_by as answeredBy",
  "answered_at as answeredAt",
  "used_at as usedAt",
  "created_at as createdAt",
  "expires_at as expiresAt",
] as const

export const auditColumns = [
  "tenant_id as tenant",
  "audit_id as id",
  "at as at",
  "user_id as user",
  "principal_kind as principalKind",
  "token_id as tokenId",
  "action as action",
  "subject as subject",
  "execution_id as executionId",
  "decision as decision",
  "rule as rule",
  "outcome as outcome",
  "details as details",
] as const

export const shownColumns = [
  "tenant_id as tenant",
  "execution_id as executionId",
  "viewer as viewer",
  "pause as pause",
  "questions as questions",
] as const

export type Column = { readonly name: string; readonly field: string; readonly type: ColumnType }
export type ColumnType = "text" | "packed" | "integer" | "double precision" | "boolean"

/** Fields that are no plain text. */
type Types<Row> = { readonly [Field in keyof Row]?: Exclude<ColumnType, "text"> }

const columnsOf = <Row>(selection: readonly string[], types: Types<Row>): Column[] =>
  selection.map((text) => {
    const [name = "", field = ""] = text.split(" as ")
    return { name, field, type: types[field as keyof Row] ?? "text" } // the fields of a selection are those of its row
  })

const outcomeTypes: Types<ExecutionOutcome> = {
  wallUsedMs: "double precision",
  pauseCount: "integer",
  result: "packed",
  logs: "packed",
  emitted: "packed",
  outputsSeen: "integer",
}
const executionTypes: Types<ExecutionRow> = {
  ...outcomeTypes,
  code: "packed",
  autoApprove: "boolean",
  wallMs: "double precision",
  startedAtMs: "double precision",
  run: "integer",
}

/** How the records of one kind are written. */
export type Upsert = {
  readonly table: keyof ExecutionTables
  readonly columns: readonly Column[]
  readonly keyLength: number
  /** Set in every new row. */
  readonly constant?: { readonly name: string; readonly value: number }
  /** On an existing row: null leaves it as it is, otherwise it is replaced while this is true. */
  readonly replacesWhile: string | null
}

export type UpsertKind = "execution" | "call" | "event" | "approval" | "audit" | "shown"

export const upserts: Readonly<Record<UpsertKind, Upsert>> = {
  // A claim raises the run: a node that was too slow to store its first record must not undo it. Whoever cancels one of the
  // runs below a root may be too slow as well: what has ended by then stays as it ended.
  execution: {
    table: "executions",
    columns: columnsOf<ExecutionRow>(executionColumns, executionTypes),
    keyLength: 2,
    replacesWhile: `executions.run <= excluded.run and (excluded.run < ${cancelledAloneRun} or executions.ended_at is null)`,
  },
  // Within a run, an answer that was recorded is the one that was delivered. A later run knows what it found when it
  // began; whatever an earlier one still writes after that, it has written in vain.
  call: {
    table: "calls",
    columns: columnsOf<CallRow>(callColumns, {
      seq: "integer",
      argsJson: "packed",
      answerJson: "packed",
      ms: "double precision",
      run: "integer",
      line: "integer",
    }),
    keyLength: 3,
    replacesWhile: "calls.run < excluded.run or (calls.run = excluded.run and calls.state <> 'done')",
  },
  event: {
    table: "events",
    columns: columnsOf<EventRow>(eventColumns, { position: "integer", atMs: "double precision", run: "integer" }),
    keyLength: 3,
    replacesWhile: "events.run < excluded.run",
  },
  // What a human answered stays.
  approval: {
    table: "approvals",
    columns: columnsOf<ApprovalRow>(approvalColumns, { argsJson: "packed", pause: "integer" }),
    keyLength: 2,
    replacesWhile: "approvals.status = 'pending'",
  },
  audit: {
    table: "audit",
    columns: columnsOf<AuditRow>(auditColumns, {}),
    keyLength: 2,
    constant: { name: "position", value: 0 },
    replacesWhile: null,
  },
  // A reply that was slow must not make a later one unseen.
  shown: {
    table: "pauses_shown",
    columns: columnsOf<ShownRow>(shownColumns, { pause: "integer", questions: "integer" }),
    keyLength: 3,
    replacesWhile:
      "pauses_shown.pause < excluded.pause or (pauses_shown.pause = excluded.pause and pauses_shown.questions is not null and (excluded.questions is null or pauses_shown.questions < excluded.questions))",
  },
}

/** An outcome changes these columns of the row that these fields name. */
export const outcomeUpdate: { readonly columns: readonly Column[]; readonly key: readonly Column[] } = {
  columns: columnsOf<ExecutionOutcome>(outcomeColumns, outcomeTypes),
  key: columnsOf<{ tenant: string; executionId: string; run: number }>(
    ["tenant_id as tenant", "execution_id as executionId", "run as run"],
    { run: "integer" },
  ),
}

/** The names of an insert's columns, and its values when these are those of the rows. */
export const insertNames = ({ columns, constant }: Upsert): string =>
  [...columns.map(({ name }) => name), ...(constant === undefined ? [] : [constant.name])].join(", ")
export const insertValues = ({ columns, constant }: Upsert, valueText: (column: Column) => string): string =>
  [...columns.map(valueText), ...(constant === undefined ? [] : [constant.value])].join(", ")

/** The conflict clause of an insert, the same in both databases. */
export function conflictClause({ columns, keyLength, replacesWhile }: Upsert): string {
  const key = columns.slice(0, keyLength).map(({ name }) => name)
  if (replacesWhile === null) return `on conflict (${key.join(", ")}) do nothing`
  const changes = columns.slice(keyLength).map(({ name }) => `${name} = excluded.${name}`)
  return `on conflict (${key.join(", ")}) do update set ${changes.join(", ")} where ${replacesWhile}`
}
