// Executions as one object: every noun's queries over one database.
import type { ExecutionStore } from "../execution-store.ts"
import { createBuilder } from "../statement.ts"
import { createSealer } from "./sealer.ts"
import { approvalQueries } from "./queries/approvals.ts"
import { auditQueries } from "./queries/audit.ts"
import type { ExecutionBackend } from "./backend.ts"
import { executionQueries } from "./queries/executions.ts"
import { journalQueries } from "./queries/journal.ts"
import { leaseQueries } from "./queries/leases.ts"
import { placeQueries } from "./queries/places.ts"
import { valueQueries } from "./queries/values.ts"

export function createExecutionStore(backend: ExecutionBackend): ExecutionStore {
  const builder = createBuilder(backend.dialect)
  const sealer = createSealer(backend)
  return {
    executions: executionQueries(builder, backend, sealer),
    leases: leaseQueries(builder, backend),
    journal: journalQueries(builder, backend, sealer),
    approvals: approvalQueries(builder, backend),
    places: placeQueries(builder, backend),
    values: valueQueries(builder, backend),
    audit: auditQueries(builder, backend, sealer),
    signals: backend.signals,
    broadcasts: backend.broadcasts,
    async close() {
      await sealer.close()
      await backend.close()
    },
  }
}
