// The journal of one execution, read back.
import type { JournalRows } from "../../execution-store.ts"
import type { Builder } from "../../statement.ts"
import { compile, prepare } from "../../statement.ts"
import type { ExecutionBackend } from "../backend.ts"
import { unpack } from "../packing.ts"
import { callColumns, eventColumns } from "../shapes.ts"

type CallColumn = (typeof callColumns)[number]
type HeadColumn = Exclude<CallColumn, "answer as answerJson">

const headColumns: readonly HeadColumn[] = callColumns.filter((column) => column !== "answer as answerJson")

export function journalQueries({ kysely }: Builder, backend: ExecutionBackend): JournalRows {
  const events = prepare(["tenant", "id"], ({ tenant, id }) =>
    kysely.selectFrom("events").select(eventColumns).where("tenant_id", "=", tenant).where("execution_id", "=", id).orderBy("position"),
  )
  const calls = prepare(["tenant", "id"], ({ tenant, id }) =>
    kysely
      .selectFrom("calls")
      .select(callColumns)
      .where("tenant_id", "=", tenant)
      .where("execution_id", "=", id)
      .orderBy("seq")
      .orderBy("call_key"),
  )

  const heads = (tenant: string, id: string, seqMin: number) =>
    kysely
      .selectFrom("calls")
      .select(headColumns)
      .where("tenant_id", "=", tenant)
      .where("execution_id", "=", id)
      .where("seq", ">=", seqMin)
      .orderBy("seq")
      .orderBy("call_key")

  return {
    append: (records, urgency) => backend.append(records, urgency),
    async read({ tenant }, id) {
      // Events first: an answer is recorded before the event that delivers it, so that it is there when the calls are read.
      const settled = await backend.all(events({ tenant, id }), { executionId: id })
      const asked = await unpack(await backend.all(calls({ tenant, id }), { executionId: id }), ["argsJson", "answerJson"])
      return { calls: asked.map((row) => ({ ...row })), events: withoutStale(settled).map((row) => ({ ...row })) }
    },
    async calls({ tenant }, id, seqMin) {
      const rows = await unpack(await backend.all(compile(heads(tenant, id, seqMin)), { executionId: id }), ["argsJson"])
      return rows.map((row) => ({ ...row }))
    },
  }
}

/** What a run that lost its lease wrote behind the last event of its successor was never delivered there. */
function withoutStale<Row extends { readonly run: number }>(events: readonly Row[]): readonly Row[] {
  let newest = 0
  return events.filter(({ run }) => {
    newest = Math.max(newest, run)
    return run === newest
  })
}
