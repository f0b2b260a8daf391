// The audit holds every call of a year: what is asked of one execution, action or rule must not read all of it.
import type { Migration } from "../migration.ts"

export const auditFilters: Migration = {
  version: 10,
  name: "audit filters",
  statements: () => [
    "create index audit_by_execution on audit (tenant_id, execution_id, at, audit_id) where execution_id is not null",
    "create index audit_by_action on audit (tenant_id, action, at, audit_id)",
    "create index audit_by_rule on audit (tenant_id, rule, at, audit_id) where rule is not null",
  ],
}
