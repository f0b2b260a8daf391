// Reads a policy's row: the rule for decisions, and its view for users.
import type { PolicyCondition, PolicyRule, PolicyView } from "../../core/policy.ts"
import type { PolicyRow } from "../../store/store.ts"

export const readRule = (row: PolicyRow): PolicyRule => ({
  id: row.id,
  owner: row.owner,
  pattern: row.pattern,
  action: row.action,
  when: JSON.parse(row.when) as PolicyCondition[], // checked by `parseConditions` before it was written
  position: row.position,
})

export const viewPolicy = (row: PolicyRow): PolicyView => ({ ...readRule(row), createdAt: row.createdAt })
