// The details of a change in the audit log, so that the entry is readable even after the changed object is gone.
import type { IntegrationView } from "../../core/integration.ts"
import type { PolicyRule } from "../../core/policy.ts"
import type { TokenCreate, TokenCreated } from "../../core/token.ts"
import type { AuditDetails } from "./audit.ts"

export const policyAuditDetails = (rule: PolicyRule): AuditDetails => ({ subject: rule.pattern, details: ruleOf(rule) })

export const policyChangeAuditDetails = ({ before, after }: { readonly before: PolicyRule; readonly after: PolicyRule }): AuditDetails => ({
  details: { before: ruleOf(before), after: ruleOf(after) },
})

export const policyRemovalAuditDetails = (rule: PolicyRule): AuditDetails => ({ details: ruleOf(rule) })

/** Never the token itself. */
export const tokenAuditDetails =
  ({ kind }: TokenCreate) =>
  ({ id }: TokenCreated): AuditDetails => ({ details: { id, kind } })

/** Never its config, whose secrets stay in the vault. */
export const integrationAuditDetails = ({ kind, name }: IntegrationView): AuditDetails => ({ details: { kind, name } })

const ruleOf = ({ id, owner, pattern, action, when, position }: PolicyRule): PolicyRule => ({ id, owner, pattern, action, when, position })
