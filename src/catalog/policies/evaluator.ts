// The rules that currently apply to a principal, and their verdict on a tool.
import type { ApprovalBy, PolicyAction, PolicyRule } from "../../core/policy.ts"
import type { Principal } from "../../core/principal.ts"
import { decide, rulesFor } from "../../policy/decide.ts"
import { createRevisionCache } from "../../store/revision-cache.ts"
import type { Store } from "../../store/store.ts"
import { readRule } from "./policy.ts"

export type PolicyVerdict = {
  readonly action: PolicyAction
  /** Null: no rule matched. */
  readonly rule: PolicyRule | null
  /** Arguments that are not known yet could make it another. */
  readonly conditional: boolean
  /** Whom the rules that ask name; absent where they name nobody. */
  readonly by?: readonly ApprovalBy[]
}

export type PolicySubject = { readonly subject: string; readonly requiresApproval: boolean; readonly alwaysAsks: boolean }

/** Whose rules these are; an agent has the roles of its human. */
export type RuledPrincipal = Pick<Principal, "tenant" | "user" | "roles">

export type PolicyEvaluator = {
  /** `args` null: what a list shows. */
  decide(principal: RuledPrincipal, tool: PolicySubject, args: Record<string, unknown> | null): Promise<PolicyVerdict>
  /** Also those that are limited to other roles. */
  all(principal: RuledPrincipal): Promise<readonly PolicyRule[]>
  /** Those that count for its roles. */
  rules(principal: RuledPrincipal): Promise<readonly PolicyRule[]>
}

const cachedScopesMax = 1000

/** Rules are kept while the store's revision stands, so that one made anywhere binds at the next call. */
export function createPolicyEvaluator(store: Store): PolicyEvaluator {
  const read = createRevisionCache<readonly PolicyRule[]>(store, cachedScopesMax)
  const counting = createRevisionCache<readonly PolicyRule[]>(store, cachedScopesMax)
  const all = ({ tenant, user }: RuledPrincipal): Promise<readonly PolicyRule[]> =>
    read(JSON.stringify([tenant, user]), async () => (await store.policies.list({ tenant, user })).map(readRule))
  // The list must stay the same one, so that its patterns are read once.
  const rules = (principal: RuledPrincipal): Promise<readonly PolicyRule[]> =>
    counting(JSON.stringify([principal.tenant, principal.user, principal.roles]), async () =>
      rulesFor(await all(principal), principal.roles),
    )
  return {
    all,
    rules,
    decide: async (principal, tool, args) => verdictOn(tool, await rules(principal), args),
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
  return { ...verdict, action }
}
