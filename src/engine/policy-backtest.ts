// Asks what given rules would have decided about the latest calls of the journal: recorded arguments, pure functions, no call is made.
import type { RuledPrincipal } from "../catalog/policies/evaluator.ts"
import { readPattern } from "../catalog/policies/pattern.ts"
import type { PatternParts } from "../catalog/policies/pattern.ts"
import { withoutRoot } from "../core/address.ts"
import type { Backtest, BacktestRequest, BacktestRow, BacktestRule } from "../core/console/backtest.ts"
import { decodeCursor, pageSize, toPage } from "../core/cursor.ts"
import { ExecutorError } from "../core/errors.ts"
import { policyActions } from "../core/policy.ts"
import type { PolicyAction, PolicyRule } from "../core/policy.ts"
import { requireRight } from "../core/principal.ts"
import type { Principal } from "../core/principal.ts"
import { createTimeSlices } from "../io/time-slices.ts"
import { parseConditions } from "../policy/condition-parse.ts"
import { decide, rulesFor } from "../policy/decide.ts"
import type { Asker, CallHead } from "../store/execution-store.ts"
import { viewCaller } from "./audit/token-names.ts"
import type { EngineParts } from "./engine-parts.ts"
import { visibilityOf } from "./execution-access.ts"

/** What a person can judge, and a moment's work. */
const callsMax = 1000
/** Arguments that are held at once: of as many calls as surely fit, and no more than this. */
const batchBytesMax = 16 * 1024 * 1024
const batchCallsMax = 50

const words: Readonly<Record<PolicyAction, string>> = { allow: "allow", require_approval: "ask", block: "block" }

export async function backtestPolicies(
  principal: Principal,
  request: BacktestRequest,
  parts: EngineParts & PatternParts,
  signal?: AbortSignal,
): Promise<Backtest> {
  requireRight(principal, "policies.edit", "test policies on the journal")
  const rules = await readRules(principal, request.rules, parts)
  const calls = await parts.executions.journal.latest(visibilityOf(principal), callsMax)
  const judge = createJudge(principal, rules, parts)
  const judged: Judged[] = []
  const slices = createTimeSlices(signal)
  const size = Math.max(1, Math.min(batchCallsMax, Math.floor(batchBytesMax / parts.limits.argsBytesMax)))
  for (let at = 0; at < calls.length; at += size) {
    signal?.throwIfAborted()
    const batch = calls.slice(at, at + size)
    const texts = await parts.executions.journal.argumentsOf(principal.tenant, batch)
    for (const [place, call] of batch.entries()) {
      if (slices.isOver()) await slices.next()
      const argsJson = texts[place] ?? null
      // Null: housekeeping removed the call meanwhile.
      if (argsJson !== null) judged.push({ call, ...(await judge(call, argsJson)) })
    }
  }
  const page = await pageOf(principal, judged, request, parts)
  const count = (action: PolicyAction): number => judged.filter(({ would }) => would === action).length
  return {
    calls: judged.length,
    allowed: count("allow"),
    asked: count("require_approval"),
    blocked: count("block"),
    changed: changesOf(judged),
    ...page,
  }
}

type DecidedCall = Omit<CallHead, "argsJson"> & Asker
type Judged = { readonly call: DecidedCall; readonly was: PolicyAction; readonly would: PolicyAction; readonly rule: string | null }

async function readRules(principal: Principal, given: readonly BacktestRule[], parts: PatternParts): Promise<readonly PolicyRule[]> {
  const rules: PolicyRule[] = []
  for (const [index, rule] of given.entries()) {
    const { pattern } = await readPattern(principal, rule.pattern, parts)
    rules.push({
      id: rule.id ?? `rules[${index}]`,
      owner: rule.owner,
      pattern,
      action: rule.action,
      when: parseConditions(rule.when ?? []),
      // In the order in which they are given, unless they say another one.
      position: rule.position ?? index,
      ...(rule.role === undefined ? {} : { role: rule.role }),
    })
  }
  return rules
}

/** Own rules are those of whoever tests; other people's calls are judged by theirs, and by the roles that they hold now. */
function createJudge(
  tester: Principal,
  rules: readonly PolicyRule[],
  parts: EngineParts,
): (call: DecidedCall, argsJson: string) => Promise<Omit<Judged, "call">> {
  const known = new Map<string, readonly PolicyRule[]>()
  const rulesOf = async ({ tenant, user }: DecidedCall): Promise<readonly PolicyRule[]> => {
    const kept = known.get(user)
    if (kept !== undefined) return kept
    const access = await parts.access.of({ tenant, user, tokenId: null })
    const roles = access?.principal.roles ?? []
    const counting = rulesFor(user === tester.user ? rules : [...rules.filter(isShared), ...(await theirs({ tenant, user, roles }))], roles)
    known.set(user, counting)
    return counting
  }
  const theirs = async (who: RuledPrincipal): Promise<PolicyRule[]> =>
    (await parts.policyEvaluator.all(who)).filter((rule) => !isShared(rule))
  return async (call, argsJson) => {
    const subject = withoutRoot(call.address)
    const was = policyActions.find((action) => action === call.decision) ?? "allow"
    // Only what the effect decided says whether the tool itself asks.
    const requiresApproval = call.rule === null ? was === "require_approval" : call.effect !== "read"
    const args = JSON.parse(argsJson === "" ? "{}" : argsJson) as Record<string, unknown> | null // written by the gate
    const { action, rule } = decide({ subject, requiresApproval }, await rulesOf(call), args ?? {})
    return { was, would: action, rule: rule !== null && rules.includes(rule) ? rule.id : null }
  }
}

const isShared = ({ owner }: PolicyRule): boolean => owner === "org"

function changesOf(judged: readonly Judged[]): Record<string, number> {
  const changed: Record<string, number> = {}
  for (const { was, would } of judged) {
    if (was === would) continue
    const name = `${words[was]}→${words[would]}`
    changed[name] = (changed[name] ?? 0) + 1
  }
  return changed
}

async function pageOf(
  { tenant }: Principal,
  judged: readonly Judged[],
  request: BacktestRequest,
  parts: EngineParts,
): Promise<Pick<Backtest, "rows" | "nextCursor">> {
  const shown = request.changedOnly === true ? judged.filter(({ was, would }) => was !== would) : judged
  const size = pageSize(request, parts.limits)
  const after = decodeCursor(request.cursor, 2)
  const last = after === null ? -1 : shown.findIndex(({ call }) => call.executionId === after[0] && call.key === after[1])
  if (after !== null && last === -1)
    throw new ExecutorError("invalid_request", "The call that the cursor names is no longer among the latest; start again without it")
  const names = await parts.tokenNames.of(
    tenant,
    shown.map(({ call }) => call.tokenId),
  )
  const page = toPage(
    shown.slice(last + 1, last + size + 2),
    size,
    ({ call }) => [call.executionId, call.key],
    ({ call, was, would, rule }): BacktestRow => ({
      executionId: call.executionId,
      callKey: call.key,
      path: withoutRoot(call.address),
      time: call.startedAt ?? "",
      principal: viewCaller(call, names),
      was,
      would,
      rule,
    }),
  )
  return { rows: page.items, nextCursor: page.nextCursor }
}
