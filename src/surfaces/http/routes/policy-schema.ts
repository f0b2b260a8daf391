// The schemas of policies as they travel over HTTP, with the examples that the reference shows.
import { z } from "zod"
import { addressBytesMax, owners } from "../../../core/address.ts"
import type { Limits } from "../../../core/limits.ts"
import { conditionOps, policyActions } from "../../../core/policy.ts"
import { timestamp } from "./shared-schema.ts"

const owner = z.enum(owners).meta({ description: "`org`: applies to everybody in the tenant. `user`: applies to the acting user." })
const action = z.enum(policyActions)
const op = z.enum(conditionOps)
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const policyCondition = z
  .object({ arg: z.string(), op, value: z.union([scalar, z.array(scalar)]) })
  .meta({ id: "PolicyCondition", description: "A condition on an argument. All conditions of a rule must hold." })

const roleMeta = { description: "The rule counts only for principals that hold this role; an agent has the roles of its human." }
export const approvalBy = z.object({ role: z.string().exactOptional(), notRequester: z.literal(true).exactOptional() }).meta({
  id: "ApprovalBy",
  description:
    "Who alone may approve: holders of the role; with `notRequester`, neither the acting user nor whoever made its token. If several rules ask, each must hold.",
})

const ruleFields = {
  id: z.string(),
  owner,
  pattern: z.string(),
  action,
  when: z.array(policyCondition),
  position: z.number().meta({ description: "The rank of the rule. Of each owner's rules, the first that matches decides." }),
  role: z.string().exactOptional().meta(roleMeta),
  by: approvalBy.exactOptional(),
}
const rule = z.object(ruleFields).meta({ id: "PolicyRule" })
export const policyView = z
  .object({
    ...ruleFields,
    createdAt: timestamp,
    warning: z.string().exactOptional().meta({
      description:
        "When the rule was created or changed: that no tool matches it today, or that its pattern was read as the name of a connection.",
    }),
  })
  .meta({ id: "Policy" })

export const explanation = z
  .object({
    verdict: action,
    conditional: z.boolean().meta({ description: "No arguments were given, and a condition could change the verdict." }),
    rule: rule.nullable().meta({
      description: "Null if no rule matched. Then the effect of the call decides: reads are allowed, everything else requires approval.",
    }),
    by: z.array(approvalBy).exactOptional().meta({ description: "Who alone may approve. Each must hold." }),
    message: z.string(),
    beaten: z
      .array(z.object({ rule, reason: z.enum(["condition_not_met", "later_position", "not_stricter", "other_role"]), message: z.string() }))
      .meta({ description: "Other rules whose pattern matches, and why they did not decide." }),
  })
  .meta({ id: "PolicyExplanation" })

const text = (max: number) => z.string().min(1).max(max)

export const conditionsInput = (limits: Limits) =>
  z
    .array(
      z.strictObject({
        arg: text(limits.policyTextCharsMax).meta({ description: "The name of an argument, or a dotted path." }),
        op,
        value: z
          .union([scalar, z.array(scalar).max(limits.policyValuesMax)])
          .exactOptional()
          .meta({ description: "Not needed for `exists`." }),
      }),
    )
    .max(limits.policyConditionsMax)

export function policyInput(limits: Limits) {
  const pattern = text(addressBytesMax + "tools.".length).meta({
    description:
      "`*` matches one segment or part of one, `**` any number of segments, and a trailing `.*` the whole subtree. A short pattern (`github.issues.create`) applies to every owner and connection; the name of a connection (`github.org.main`) applies to all of its tools.",
    examples: ["github.org.*.issues.delete*"],
  })
  const role = text(limits.nameCharsMax)
  const by = z
    .strictObject({ role: role.exactOptional(), notRequester: z.boolean().exactOptional() })
    .meta({ description: "With `require_approval` only: who alone may approve." })
  const changes = {
    pattern,
    action,
    when: conditionsInput(limits).exactOptional(),
    position: z.number().exactOptional().meta({ description: "Without it, the rule goes below those that are more specific." }),
  }
  return {
    create: z
      .strictObject({ owner, ...changes, role: role.exactOptional().meta(roleMeta), by: by.exactOptional() })
      .meta({ id: "PolicyCreate" }),
    update: z
      .strictObject({
        ...changes,
        pattern: pattern.exactOptional(),
        action: action.exactOptional(),
        role: role.nullable().exactOptional().meta({ description: "Null: the rule counts for every role." }),
        by: by.nullable().exactOptional().meta({ description: "Null: anybody who may answer may approve." }),
      })
      .meta({ id: "PolicyUpdate" }),
    explain: z
      .strictObject({
        address: text(addressBytesMax + "tools.".length),
        args: z
          .record(z.string(), z.unknown())
          .exactOptional()
          .meta({ description: "Without arguments, the verdict is the one shown in a list of tools." }),
      })
      .meta({ id: "PolicyExplain" }),
  }
}

const ruleExample = {
  id: "pol_0mh2k3v9x41c",
  owner: "org",
  pattern: "stripe.org.*.refunds.create",
  action: "allow",
  when: [{ arg: "amount", op: "lt", value: 100 }],
  position: 1,
} as const

export const policyExample = { ...ruleExample, createdAt: "2026-11-16T09:30:00.000Z" } as const

export const explanationExample = {
  verdict: "allow",
  conditional: false,
  rule: ruleExample,
  message: "The org rule stripe.org.*.refunds.create (pol_0mh2k3v9x41c) says allow.",
  beaten: [],
} as const
