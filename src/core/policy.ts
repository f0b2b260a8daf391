// What rules say about tools: patterns, conditions on arguments, and the verdicts that follow.
import type { Owner } from "./address.ts"

/** From least to most restrictive. */
export const policyActions = ["allow", "require_approval", "block"] as const
export type PolicyAction = (typeof policyActions)[number]

export const conditionOps = ["eq", "ne", "in", "lt", "lte", "gt", "gte", "like", "exists"] as const
export type ConditionOp = (typeof conditionOps)[number]

export type PolicyScalar = string | number | boolean | null

/** A condition on an argument; `arg` is a dotted path, in which `\.` is a dot that belongs to a name. */
export type PolicyCondition =
  | { readonly arg: string; readonly op: "eq" | "ne"; readonly value: PolicyScalar }
  | { readonly arg: string; readonly op: "in"; readonly value: readonly PolicyScalar[] }
  | { readonly arg: string; readonly op: "lt" | "lte" | "gt" | "gte"; readonly value: number | string }
  /** `*` is any text, `?` one character. */
  | { readonly arg: string; readonly op: "like"; readonly value: string }
  | { readonly arg: string; readonly op: "exists"; readonly value: boolean }

/** As people read it: `amount gte 100`. */
export const conditionText = ({ arg, op, value }: PolicyCondition): string => `${arg} ${op} ${JSON.stringify(value)}`

/** As somebody writes it; `exists` needs no value. */
export type PolicyConditionCreate = { readonly arg: string; readonly op: ConditionOp; readonly value?: unknown }

/** Who alone may answer (four eyes): holders of a role, or anybody who may answer except the requester. At least one of both is given. */
export type ApprovalBy = { readonly role?: string; readonly notRequester?: true }

/** Of each owner's rules, the first that matches decides, by position. */
export type PolicyRule = {
  readonly id: string
  readonly owner: Owner
  readonly pattern: string
  readonly action: PolicyAction
  /** All of them must hold. */
  readonly when: readonly PolicyCondition[]
  readonly position: number
  /** The rule counts only for principals that hold this role. */
  readonly role?: string
  /** With `require_approval` only. */
  readonly by?: ApprovalBy
}

export type PolicyView = PolicyRule & {
  readonly createdAt: string
  /** When the rule was created or changed: that no tool matches it today, or that its pattern was read as the name of a connection. */
  readonly warning?: string
}

/** Without a position, the rule goes below those that are more specific. */
export type PolicyCreate = {
  readonly owner: Owner
  /** A short pattern, such as `github.issues.*`, applies to every owner and connection; `github.org.main` applies to all tools of that connection. */
  readonly pattern: string
  readonly action: PolicyAction
  readonly when?: readonly PolicyConditionCreate[]
  readonly position?: number
  readonly role?: string
  readonly by?: ApprovalByCreate
}

/** As somebody writes it. */
export type ApprovalByCreate = { readonly role?: string; readonly notRequester?: boolean }

/** `null` removes a limit. */
export type PolicyUpdate = Partial<Omit<PolicyCreate, "owner" | "role" | "by">> & {
  readonly role?: string | null
  readonly by?: ApprovalByCreate | null
}

/** What a decision is about: its subject is `<integration>.<owner>.<connection>.<tool>`, or an fqid. */
export type PolicyTool = { readonly subject: string; readonly requiresApproval: boolean }

export type Verdict = {
  readonly action: PolicyAction
  /** Null if no rule matched. Then the effect of the call decides: reads are allowed, everything else requires approval. */
  readonly rule: PolicyRule | null
  /** No arguments were given, and a condition could change the verdict. */
  readonly conditional: boolean
  /** Whom the rules that ask name: each of them must hold. Absent: nobody in particular. */
  readonly by?: readonly ApprovalBy[]
}

export type PolicyExplanation = {
  readonly verdict: PolicyAction
  readonly conditional: boolean
  readonly rule: PolicyRule | null
  /** Who alone may approve; each of them must hold. */
  readonly by?: readonly ApprovalBy[]
  readonly message: string
  /** Other rules whose pattern matches, in the order in which they were evaluated. */
  readonly beaten: readonly BeatenRule[]
}

export type BeatenRule = {
  readonly rule: PolicyRule
  readonly reason: "condition_not_met" | "later_position" | "not_stricter" | "other_role"
  readonly message: string
}
