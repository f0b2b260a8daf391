// What rules say about tools: patterns, conditions on arguments, and the verdicts that follow.
import type { Owner } from "./address.ts"

/** From least to most restrictive. */
export const policyActions = ["allow", "require_approval", "block"] as const
export type PolicyAction = (typeof policyActions)[number]

export const conditionOps = ["eq", "ne", "in", "lt", "lte", "gt", "gte", "like", "exists"] as const
export type ConditionOp = (typeof conditionOps)[number]

export type PolicyScalar = string | number | boolean | null

/** One demand on an argument; `arg` is a dotted path, in which `\.` is a dot that belongs to a name. */
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

/** Of each owner's rules the first that matches counts, by position. */
export type PolicyRule = {
  readonly id: string
  readonly owner: Owner
  readonly pattern: string
  readonly action: PolicyAction
  /** All of them must hold. */
  readonly when: readonly PolicyCondition[]
  readonly position: number
}

export type PolicyView = PolicyRule & {
  readonly createdAt: string
  /** Where it was made or changed: that no tool fits it today, or that its pattern was read as the name of a connection. */
  readonly warning?: string
}

/** Without a position it goes below the rules that are more specific. */
export type PolicyCreate = {
  readonly owner: Owner
  /** One that leaves out owner and connection, such as `github.issues.*`, is for all of them; `github.org.main` is for all tools of that connection. */
  readonly pattern: string
  readonly action: PolicyAction
  readonly when?: readonly PolicyConditionCreate[]
  readonly position?: number
}

export type PolicyUpdate = Partial<Omit<PolicyCreate, "owner">>

/** What a decision is about: its subject is `<integration>.<owner>.<connection>.<tool>`, or an fqid. */
export type PolicyTool = { readonly subject: string; readonly requiresApproval: boolean }

export type Verdict = {
  readonly action: PolicyAction
  /** Null: no rule matched, and what the call does decides: one that only reads is allowed, any other asks. */
  readonly rule: PolicyRule | null
  /** No arguments were known, and a condition could make it another verdict. */
  readonly conditional: boolean
}

export type PolicyExplanation = {
  readonly verdict: PolicyAction
  readonly conditional: boolean
  readonly rule: PolicyRule | null
  readonly message: string
  /** Rules whose pattern fits as well, in the order in which they were asked. */
  readonly beaten: readonly BeatenRule[]
}

export type BeatenRule = {
  readonly rule: PolicyRule
  readonly reason: "condition_not_met" | "later_position" | "not_stricter"
  readonly message: string
}
