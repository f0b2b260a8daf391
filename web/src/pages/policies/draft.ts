// A rule as it is being written, and what it becomes.
import type { BacktestRule, PolicyAction, PolicyCreate, PolicyUpdate, PolicyView } from "toolplane/client"
import type { ConditionOp, PolicyCondition, PolicyConditionCreate } from "../../../../src/core/policy.ts"
import { placeRule } from "../../../../src/policy/specificity.ts"
import { toBacktestRule } from "./queries.ts"

export type DraftCondition = { readonly arg: string; readonly op: ConditionOp; readonly text: string }

export type Draft = {
  readonly owner: "org" | "user"
  readonly pattern: string
  readonly action: PolicyAction
  readonly when: readonly DraftCondition[]
  /** Empty: for every role. */
  readonly role: string
  /** Empty: anybody who may answer. */
  readonly byRole: string
  readonly notRequester: boolean
}

export const emptyDraft = (owner: Draft["owner"]): Draft => ({
  owner,
  pattern: "",
  action: "require_approval",
  when: [],
  role: "",
  byRole: "",
  notRequester: false,
})

export const draftOf = ({ owner, pattern, action, when, role, by }: PolicyView): Draft => ({
  owner,
  pattern,
  action,
  when: when.map(({ arg, op, value }) => ({ arg, op, text: valueText(value) })),
  role: role ?? "",
  byRole: by?.role ?? "",
  notRequester: by?.notRequester === true,
})

/** Text stands without quotes, unless it would be read as something else. */
const valueText = (value: PolicyCondition["value"]): string =>
  typeof value === "string" && readValue(value) === value ? value : JSON.stringify(value)

/** As on the command line: JSON where it is JSON, else the text itself. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const readCondition = ({ arg, op, text }: DraftCondition): PolicyConditionCreate => ({
  arg: arg.trim(),
  op,
  ...(text.trim() === "" && op === "exists" ? {} : { value: readValue(text.trim()) }),
})

/** What is still missing, as a sentence. */
export function problemOf({ pattern, when }: Draft): string | null {
  if (pattern.trim() === "") return "Write a pattern first"
  return when.some(({ arg }) => arg.trim() === "") ? "Name the argument of each condition" : null
}

export function toCreate(draft: Draft): PolicyCreate {
  const by = byOf(draft)
  return {
    owner: draft.owner,
    pattern: draft.pattern.trim(),
    action: draft.action,
    when: draft.when.map(readCondition),
    ...(draft.role === "" ? {} : { role: draft.role }),
    ...(by === null ? {} : { by }),
  }
}

export const toUpdate = (draft: Draft): PolicyUpdate => ({
  pattern: draft.pattern.trim(),
  action: draft.action,
  when: draft.when.map(readCondition),
  role: draft.role === "" ? null : draft.role,
  by: byOf(draft),
})

const byOf = ({ action, byRole, notRequester }: Draft): { role?: string; notRequester?: true } | null =>
  action !== "require_approval" || (byRole === "" && !notRequester)
    ? null
    : { ...(byRole === "" ? {} : { role: byRole }), ...(notRequester ? { notRequester } : {}) }

/** All rules as they would be. `readAs`: the draft's pattern as it would be kept, by which a new rule finds its place. */
export function rulesWith(draft: Draft, edited: PolicyView | null, rules: readonly PolicyView[], readAs: string): readonly BacktestRule[] {
  const { by: _by, ...written } = toCreate(draft)
  if (edited !== null)
    return rules.map((rule) =>
      rule.id === edited.id ? { ...written, id: rule.id, owner: rule.owner, position: rule.position } : toBacktestRule(rule),
    )
  const limits = { pattern: readAs, when: draft.when.map(() => anyCondition), ...(draft.role === "" ? {} : { role: draft.role }) }
  const { position, moved } = placeRule(
    limits,
    rules.filter(({ owner }) => owner === draft.owner),
  )
  const positions = new Map(moved.map((move) => [move.id, move.position]))
  return [
    ...rules.map((rule) => ({ ...toBacktestRule(rule), position: positions.get(rule.id) ?? rule.position })),
    { ...written, position },
  ]
}

/** A rule's place depends on whether it has conditions, not on what they say. */
const anyCondition: PolicyCondition = { arg: "any", op: "exists", value: true }
