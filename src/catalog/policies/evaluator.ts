// The rules that currently apply to a principal, and their verdict on a tool.
import type { PolicyAction, PolicyRule } from "../../core/policy.ts"
import type { Scope } from "../../core/principal.ts"
import { decide } from "../../policy/decide.ts"
import { createRevisionCache } from "../../store/revision-cache.ts"
import type { Store } from "../../store/store.ts"
import { readRule } from "./policy.ts"

export type PolicyVerdict = {
  readonly action: PolicyAction
  /** Null: no rule matched. */
  readonly rule: PolicyRule | null
  /** Arguments that are not known yet could make it another. */
  readonly conditional: boolean
}

export type PolicySubject = { readonly subject: string; readonly requiresApproval: boolean; readonly alwaysAsks: boolean }

export type PolicyEvaluator = {
  /** `args` null: what a list shows. */
  decide(scope: Scope, tool: PolicySubject, args: Record<string, unknown> | null): Promise<PolicyVerdict>
  rules(scope: Scope): Promise<readonly PolicyRule[]>
}

const cachedScopesMax = 1000

/** Rules are kept while the store's revision stands, so that one made anywhere binds at the next call. */
export function createPolicyEvaluator(store: Store): PolicyEvaluator {
  const cache = createRevisionCache<readonly PolicyRule[]>(store, cachedScopesMax)
  const rules = (scope: Scope): Promise<readonly PolicyRule[]> =>
    cache(`${scope.tenant}\0${scope.user}`, async () => (await store.policies.list(scope)).map(readRule))
  return {
    rules,
    decide: async (scope, tool, args) => verdictOn(tool, await rules(scope), args),
  }
}

/** What is blocked for some arguments only can be called, so it is shown. */
export function isShown(subject: string, rules: readonly PolicyRule[]): boolean {
  const verdict = decide({ subject, requiresApproval: false }, rules, null)
  return verdict.action !== "block" || verdict.conditional
}

export function verdictOn(tool: PolicySubject, rules: readonly PolicyRule[], args: Record<string, unknown> | null): PolicyVerdict {
  const verdict = decide(tool, rules, args)
  const action = tool.alwaysAsks && verdict.action === "allow" ? "require_approval" : verdict.action
  return { action, rule: verdict.rule, conditional: verdict.conditional }
}
