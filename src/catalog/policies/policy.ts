// Reads a policy's row: the rule for decisions, and its view for users.
import type { ApprovalBy, PolicyCondition, PolicyRule, PolicyView } from "../../core/policy.ts"
import type { PolicyRow } from "../../store/store.ts"

export const readRule = (row: PolicyRow): PolicyRule => ({
  id: row.id,
  owner: row.owner,
  pattern: row.pattern,
  action: row.action,
  when: JSON.parse(row.when) as PolicyCondition[], // checked by `parseConditions` before it was written
  position: row.position,
  ...(row.role === null ? {} : { role: row.role }),
  ...(row.by === null ? {} : { by: JSON.parse(row.by) as ApprovalBy }), // checked before it was written
})

export const viewPolicy = (row: PolicyRow): PolicyView => ({ ...readRule(row), createdAt: row.createdAt })
