// The details of a change in the audit log, so that the entry is readable even after the changed object is gone.
import type { IntegrationView } from "../../core/integration.ts"
import type { PolicyRule } from "../../core/policy.ts"
import type { TokenCreate, TokenCreated } from "../../core/token.ts"
import type { Told } from "./audit.ts"

export const tellPolicy = (rule: PolicyRule): Told => ({ subject: rule.pattern, details: ruleOf(rule) })

export const tellPolicyChange = ({ before, after }: { readonly before: PolicyRule; readonly after: PolicyRule }): Told => ({
  details: { before: ruleOf(before), after: ruleOf(after) },
})

export const tellPolicyRemoval = (rule: PolicyRule): Told => ({ details: ruleOf(rule) })

/** Never the token itself. */
export const tellToken =
  ({ kind }: TokenCreate) =>
  ({ id }: TokenCreated): Told => ({ details: { id, kind } })

/** Never its config, whose secrets stay in the vault. */
export const tellIntegration = ({ kind, name }: IntegrationView): Told => ({ details: { kind, name } })

const ruleOf = ({ id, owner, pattern, action, when, position }: PolicyRule): PolicyRule => ({ id, owner, pattern, action, when, position })
