// Which executions have records on their way, so that whoever reads one waits for its records and not for everybody's.
import type { JournalRecord } from "../execution-store.ts"
import type { Sees } from "./backend.ts"

export interface Pending {
  /** The records are on their way until `work` ends. */
  during(records: readonly JournalRecord[], work: () => Promise<unknown>): Promise<void>
  matters(sees: Sees): boolean
}

export function createPending(): Pending {
  const counts = new Map<string, number>()
  const count = (subject: string, change: number): void => {
    const now = (counts.get(subject) ?? 0) + change
    if (now === 0) counts.delete(subject)
    else counts.set(subject, now)
  }
  return {
    async during(records, work) {
      for (const record of records) count(subjectOf(record), 1)
      try {
        await work()
      } finally {
        for (const record of records) count(subjectOf(record), -1)
      }
    },
    matters: (sees) => sees === "all" || (sees !== "none" && counts.has(sees.executionId)),
  }
}

/** What a record is about, and keeps its order in: its execution, or itself where it has none. */
export function subjectOf(record: JournalRecord): string {
  switch (record.kind) {
    case "execution":
      return record.row.id
    case "outcome":
      return record.executionId
    case "call":
    case "event":
    case "shown":
      return record.row.executionId
    case "approval":
    case "audit":
      return record.row.executionId ?? record.row.id
  }
}
