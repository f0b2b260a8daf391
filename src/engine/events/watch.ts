// Notices what happens in the rows of executions, and in the audit, so that no place that changes something must say so.
import { LruMap } from "../../core/lru-map.ts"
import type { ExecutionStatus } from "../../core/execution.ts"
import type { ApprovalRow, ExecutionStore, JournalRecord } from "../../store/execution-store.ts"
import { ofTenant } from "../execution-access.ts"
import type { Owned } from "./feed.ts"
import type { Change } from "./publisher.ts"
import { topicOf } from "./topics.ts"

/** Whose an execution is; one that is not known here is looked up. */
const ownersKept = 10_000

export function watchEvents(store: ExecutionStore, publish: (change: Change) => void): ExecutionStore {
  const owners = new LruMap<string, Owned>(ownersKept)
  const own = (id: string, { user, tokenId }: Owned): Owned => owners.set(id, { user, tokenId })

  async function ownerOf(tenant: string, id: string): Promise<Owned | null> {
    const known = owners.get(id)
    if (known !== undefined) return known
    const row = await store.executions.get(ofTenant({ tenant }), id)
    return row === null ? null : own(id, row)
  }

  /** It is told late or not at all where the owner cannot be read: whoever looks finds it. */
  const publishFor = (tenant: string, executionId: string, status: ExecutionStatus | null): void =>
    void ownerOf(tenant, executionId)
      .then((owner) => {
        if (owner === null) return
        const type = status !== null && hasEnded(status) ? "execution.ended" : "execution.changed"
        publish({ tenant, type, executionId, ...(status === null ? {} : { status }), ...owner })
      })
      .catch(() => {})

  function noticeRecord(record: JournalRecord): void {
    switch (record.kind) {
      case "execution": {
        const { tenant, id, status } = record.row
        const isNew = owners.get(id) === undefined
        const owner = own(id, record.row)
        const type = hasEnded(status) ? "execution.ended" : isNew ? "execution.started" : "execution.changed"
        return publish({ tenant, type, executionId: id, status, ...owner })
      }
      case "call":
        return publishFor(record.row.tenant, record.row.executionId, null)
      case "outcome":
        return publishFor(record.tenant, record.executionId, record.outcome.status)
      case "approval":
        return publish(approvalChange(record.row))
      case "audit": {
        const { tenant, action, subject, user, outcome } = record.row
        const topic = outcome === "ok" ? topicOf(action) : null
        return topic === null ? undefined : publish({ tenant, type: topic.type, action, subject, user })
      }
      case "event":
      case "shown":
        return
    }
  }

  return {
    ...store,
    journal: {
      ...store.journal,
      async append(records, urgency) {
        await store.journal.append(records, urgency)
        records.forEach(noticeRecord)
      },
    },
    executions: {
      ...store.executions,
      async claim(row, lease) {
        const isTaken = await store.executions.claim(row, lease)
        own(row.id, row)
        if (isTaken) publishFor(row.tenant, row.id, "running")
        return isTaken
      },
    },
    approvals: {
      ...store.approvals,
      async answer(tenant, ids, answer) {
        const rows = await store.approvals.answer(tenant, ids, answer)
        rows.forEach((row) => publish(approvalChange(row)))
        return rows
      },
    },
  }
}

const hasEnded = (status: ExecutionStatus): boolean => status !== "running" && status !== "paused"

const approvalChange = ({ tenant, id, executionId, status, user, tokenId }: ApprovalRow): Change => ({
  tenant,
  type: status === "pending" ? "approval.opened" : "approval.answered",
  approvalId: id,
  executionId,
  user,
  tokenId,
})
