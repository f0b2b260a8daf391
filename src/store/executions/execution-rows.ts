// Executions as one object: every noun's queries over one database.
import type { ExecutionStore } from "../execution-store.ts"
import { createBuilder } from "../statement.ts"
import { approvalQueries } from "./queries/approvals.ts"
import { auditQueries } from "./queries/audit.ts"
import type { ExecutionBackend } from "./backend.ts"
import { executionQueries } from "./queries/executions.ts"
import { journalQueries } from "./queries/journal.ts"
import { leaseQueries } from "./queries/leases.ts"
import { valueQueries } from "./queries/values.ts"

export function createExecutionStore(backend: ExecutionBackend): ExecutionStore {
  const builder = createBuilder(backend.dialect)
  return {
    executions: executionQueries(builder, backend),
    leases: leaseQueries(builder, backend),
    journal: journalQueries(builder, backend),
    approvals: approvalQueries(builder, backend),
    values: valueQueries(builder, backend),
    audit: auditQueries(builder, backend),
    signals: backend.signals,
    close: () => backend.close(),
  }
}
