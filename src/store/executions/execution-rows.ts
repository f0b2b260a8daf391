// Executions as one object: every noun's queries over one database.
import type { ExecutionStore } from "../execution-store.ts"
import { createBuilder } from "../statement.ts"
import { approvalQueries } from "./approval-queries.ts"
import { auditQueries } from "./audit-queries.ts"
import type { ExecutionBackend } from "./backend.ts"
import { executionQueries } from "./execution-queries.ts"
import { journalQueries } from "./journal-queries.ts"
import { valueQueries } from "./value-queries.ts"

export function createExecutionStore(backend: ExecutionBackend): ExecutionStore {
  const builder = createBuilder(backend.dialect)
  return {
    executions: executionQueries(builder, backend),
    journal: journalQueries(builder, backend),
    approvals: approvalQueries(builder, backend),
    values: valueQueries(builder, backend),
    audit: auditQueries(builder, backend),
    news: backend.news,
    close: () => backend.close(),
  }
}
