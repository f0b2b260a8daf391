// Creates, changes and removes rules, and explains their effect on a call.
import { executorCommandOnPages } from "../../io/executor-command.ts"
import { isOwner } from "../../core/address.ts"
import type { Owner } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import { conditionText, policyActions } from "../../core/policy.ts"
import type { ApprovalBy, ApprovalByCreate, PolicyAction, PolicyCreate, PolicyRule, PolicyUpdate, PolicyView } from "../../core/policy.ts"
import { hasRight, requireRight } from "../../core/principal.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import { parseConditions } from "../../policy/condition-parse.ts"
import { laxerAbove } from "../../policy/laxer-above.ts"
import { placeRule } from "../../policy/specificity.ts"
import { newId } from "../../io/ids.ts"
import type { PolicyRow, Store } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { requireManager } from "../connections/connection.ts"
import { patternWarning, readPattern, thoseThatFit } from "./pattern.ts"
import type { PatternParts, PatternReading } from "./pattern.ts"
import { currentAccess, readRoles } from "../../identity/access.ts"
import type { Actor } from "../../identity/access.ts"
import { readRule, viewPolicy } from "./policy.ts"

export type PolicyEditParts = CatalogParts & PatternParts

export type PolicyChange = { readonly before: PolicyView; readonly after: PolicyView }

/**
 * Not for agents: the rules would tell them how to go around what a human wants to be asked about.
 * Whoever does not edit them reads those that can decide about a call of theirs.
 */
export async function listPolicies(principal: Principal, parts: PolicyEditParts): Promise<PolicyView[]> {
  if (principal.kind === "agent")
    throw new ExecutorError(
      "forbidden",
      `Agents cannot list policies; to see the decision for one call, use POST /policies/explain or ${executorCommandOnPages} policies explain`,
    )
  const { principal: current, choose } = await currentAccess(principal, parts)
  const all = (await parts.store.policies.list(principal)).map(viewPolicy)
  if (hasRight(current, "policies.edit")) return all
  const bindable = all.filter(({ owner, role }) => owner === "user" || role === undefined || current.roles.includes(role))
  if (choose === null) return bindable
  const patterns = bindable.flatMap(({ owner, pattern }) => (owner === "org" ? [pattern] : []))
  const fitting = await thoseThatFit(principal, patterns, parts)
  return bindable.filter(({ owner, pattern }) => owner === "user" || fitting.has(pattern))
}

export async function createPolicy(principal: Principal, input: PolicyCreate, parts: PolicyEditParts): Promise<PolicyView> {
  if (!isOwner(input.owner)) throw new ExecutorError("invalid_request", "owner must be 'org' or 'user'")
  requireManager(principal, input.owner, "create a policy", "policies.edit")
  const reading = await readPattern(principal, input.pattern, parts)
  const made = await parts.store.transaction(async (store) => {
    requireNaming(principal, input.owner, input.by)
    const limits = await readLimits(principal, input, { role: null, by: null }, store)
    const draft: PolicyRow = {
      id: newId("pol", parts.clock.now()),
      owner: input.owner,
      pattern: reading.pattern,
      action: checkAction(input.action),
      when: JSON.stringify(parseConditions(input.when ?? [])),
      position: 0,
      ...limits,
      createdAt: parts.clock.now().toISOString(),
    }
    const row = { ...draft, position: input.position === undefined ? await place(principal, draft, store) : checkPosition(input.position) }
    requireAsking(row)
    await store.policies.put(principal, row)
    return viewPolicy(row)
  })
  return withWarning(principal, made, reading, parts)
}

export async function updatePolicy(principal: Principal, id: string, change: PolicyUpdate, parts: PolicyEditParts): Promise<PolicyChange> {
  const reading = change.pattern === undefined ? null : await readPattern(principal, change.pattern, parts)
  const changed = await parts.store.transaction(async (store) => {
    const before = await getManaged(principal, id, "change a policy", store)
    requireNaming(principal, before.owner, change.by)
    const limits = await readLimits(principal, change, {}, store)
    const row: PolicyRow = {
      ...before,
      ...limits,
      pattern: reading?.pattern ?? before.pattern,
      action: change.action === undefined ? before.action : checkAction(change.action),
      when: change.when === undefined ? before.when : JSON.stringify(parseConditions(change.when)),
      position: change.position === undefined ? before.position : checkPosition(change.position),
    }
    requireAsking(row)
    await store.policies.put(principal, row)
    return { before: viewPolicy(before), after: viewPolicy(row) }
  })
  return { ...changed, after: await withWarning(principal, changed.after, reading, parts) }
}

async function withWarning(actor: Actor, view: PolicyView, reading: PatternReading | null, parts: PolicyEditParts): Promise<PolicyView> {
  const rules = (await parts.store.policies.list(actor)).map(readRule)
  const shadow = shadowWarning(view, laxerAbove(view, rules))
  const warnings = [reading?.notice ?? null, await patternWarning(actor, view.pattern, parts), shadow].filter((one) => one !== null)
  return warnings.length === 0 ? view : { ...view, warning: warnings.join(". ") }
}

/** The first match decides, so that a rule may not bind the very calls it was made for. */
function shadowWarning({ id }: PolicyView, above: readonly PolicyRule[]): string | null {
  const [first] = above
  if (first === undefined) return null
  const what = `${first.action} ${first.pattern}${first.when.length === 0 ? "" : ` when ${first.when.map(conditionText).join(" and ")}`}`
  const others = above.length === 1 ? "" : `, and ${above.length - 1} more do the same`
  return `The rule ${first.id} (${what}) is above it and decides the calls that both match${others}. To put the new rule above, remove it (${executorCommandOnPages} policies remove ${id}) and add it with --position ${Math.ceil(first.position) - 1}`
}

export async function removePolicy(principal: Principal, id: string, parts: CatalogParts): Promise<PolicyView> {
  return parts.store.transaction(async (store) => {
    const row = await getManaged(principal, id, "remove a policy", store)
    await store.policies.remove(principal, id)
    return viewPolicy(row)
  })
}

async function getManaged(principal: Principal, id: string, action: string, store: Store): Promise<PolicyRow> {
  const row = await store.policies.get(principal, id)
  if (row === null) throw new ExecutorError("not_found", `There is no policy '${id.slice(0, 80)}'`)
  requireManager(principal, row.owner, action, "policies.edit")
  return row
}

/** Below the rules that are more specific; the others of the same owner make room. */
async function place(scope: Scope, draft: PolicyRow, store: Store): Promise<number> {
  const rows = (await store.policies.list(scope)).filter((row) => row.owner === draft.owner)
  const { position, moved } = placeRule(readRule(draft), rows.map(readRule))
  for (const move of moved) {
    const row = rows.find((one) => one.id === move.id)
    if (row !== undefined) await store.policies.put(scope, { ...row, position: move.position })
  }
  return position
}

function checkAction(action: string): PolicyAction {
  const known = policyActions.find((one) => one === action)
  if (known === undefined) throw new ExecutorError("invalid_request", `action must be one of ${policyActions.join(", ")}`)
  return known
}

/** Whoever holds a role that a rule names may answer: in a rule of their own, people would choose who answers for the organization. */
function requireNaming(principal: Principal, owner: Owner, by: PolicyUpdate["by"]): void {
  if (owner === "user" && by?.role !== undefined) requireRight(principal, "policies.edit", "name a role that approves")
}

type RuleLimits = Pick<PolicyRow, "role" | "by">

/** `absent`: for what is not given. A role that does not exist would make a rule that binds nobody, or that nobody can answer. */
async function readLimits<Absent extends Partial<RuleLimits>>(
  { tenant }: Scope,
  { role, by }: Pick<PolicyUpdate, "role" | "by">,
  absent: Absent,
  store: Store,
): Promise<Absent & Partial<RuleLimits>> {
  const roles = await readRoles(tenant, store)
  for (const id of [role, by?.role])
    if (typeof id === "string" && !roles.has(id))
      throw new ExecutorError(
        "invalid_request",
        `There is no role '${id.slice(0, 80)}'; ${executorCommandOnPages} roles list shows those that you can name`,
      )
  return {
    ...absent,
    ...(role === undefined ? {} : { role }),
    ...(by === undefined ? {} : { by: by === null ? null : JSON.stringify(checkBy(by)) }),
  }
}

function checkBy({ role, notRequester }: ApprovalByCreate): ApprovalBy {
  if (role === undefined && notRequester !== true)
    throw new ExecutorError("invalid_request", "by must name a role, or say notRequester: true; leave it out if anybody may approve")
  return { ...(role === undefined ? {} : { role }), ...(notRequester === true ? { notRequester } : {}) }
}

function requireAsking({ action, by }: PolicyRow): void {
  if (by === null || action === "require_approval") return
  throw new ExecutorError("invalid_request", "by needs the action require_approval; to change the action, remove it with by: null")
}

function checkPosition(position: number): number {
  if (!Number.isFinite(position)) throw new ExecutorError("invalid_request", "position must be a number")
  return position
}
