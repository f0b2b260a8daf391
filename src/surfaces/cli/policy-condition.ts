// The limits of a rule as people write and read them: `amount gte 100`.
import { conditionOps, conditionText } from "../../core/policy.ts"
import type { PolicyConditionCreate, PolicyRule } from "../../core/policy.ts"
import { UsageError } from "./usage-error.ts"

/** `arg op value`, or the JSON of a condition. */
export function parseCondition(text: string): PolicyConditionCreate {
  if (text.trimStart().startsWith("{")) return parseJson(text, text) as PolicyConditionCreate // the API checks it
  const [, arg, op, value] = /^(\S+)\s+(\S+)(?:\s+([\s\S]+))?$/.exec(text.trim()) ?? []
  const known = conditionOps.find((one) => one === op)
  if (arg === undefined || known === undefined)
    throw new UsageError(`--when takes a condition such as 'amount gte 100', with one of ${conditionOps.join(", ")}; not '${text}'`)
  return { arg, op: known, ...(value === undefined ? {} : { value: parseJson(value, value) }) }
}

const limitsOf = ({ when, role, by }: Pick<PolicyRule, "when" | "role" | "by">): string[] => [
  ...(when.length === 0 ? [] : [when.map(conditionText).join(" and ")]),
  ...(role === undefined ? [] : [`for role ${role}`]),
  ...(by === undefined ? [] : [`approved by ${by.role ?? "others"}${by.notRequester === true ? ", not the requester" : ""}`]),
]

export function limitsText(rule: Pick<PolicyRule, "when" | "role" | "by">): string {
  const limits = limitsOf(rule).join("; ")
  return limits === "" ? "" : rule.when.length === 0 ? ` ${limits}` : ` when ${limits}`
}

/** What is no JSON is a text, so that nobody must quote twice. */
function parseJson(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return otherwise
  }
}
