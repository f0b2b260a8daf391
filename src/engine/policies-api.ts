// What one principal can do with policies, each change with its audit, and what the rules say about a call.
import { createPolicy, listPolicies, removePolicy, updatePolicy } from "../catalog/policies/edit.ts"
import { countMatches } from "../catalog/policies/pattern-count.ts"
import type { CatalogParts } from "../catalog/catalog-parts.ts"
import type { ExecutorApi } from "../core/executor-api.ts"
import type { Principal } from "../core/principal.ts"
import { explainAccess } from "./access-explain.ts"
import { withAudit } from "./audit/audit.ts"
import { policyAuditDetails, policyChangeAuditDetails, policyRemovalAuditDetails } from "./audit/details.ts"
import type { EngineParts } from "./engine-parts.ts"
import { backtestPolicies } from "./policy-backtest.ts"
import { explainPolicy } from "./policy-explain.ts"

export function policiesApi(principal: Principal, parts: EngineParts & CatalogParts): Pick<ExecutorApi, "policies" | "access"> {
  const audit = withAudit(principal, parts)
  return {
    policies: {
      list: () => listPolicies(principal, parts),
      create: (input) => audit("policy.create", input.pattern, () => createPolicy(principal, input, parts), policyAuditDetails),
      update: async (id, change) =>
        (await audit("policy.update", id, () => updatePolicy(principal, id, change, parts), policyChangeAuditDetails)).after,
      remove: async (id) => void (await audit("policy.remove", id, () => removePolicy(principal, id, parts), policyRemovalAuditDetails)),
      explain: (input) => explainPolicy(principal, input, parts),
      backtest: (request, options) => backtestPolicies(principal, request, parts, options?.signal),
      matches: (patterns, options) => countMatches(principal, patterns, parts, options?.signal),
    },
    access: { explain: (input) => explainAccess(principal, input, parts) },
  }
}
