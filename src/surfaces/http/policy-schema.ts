// The schemas of policies as they travel over HTTP, with the examples that the reference shows.
import { z } from "zod"
import { addressBytesMax, owners } from "../../core/address.ts"
import type { Limits } from "../../core/limits.ts"
import { conditionOps, policyActions } from "../../core/policy.ts"
import { timestamp } from "./shared-schema.ts"

const owner = z.enum(owners).meta({ description: "`org`: for everybody in the tenant. `user`: for the acting user." })
const action = z.enum(policyActions)
const op = z.enum(conditionOps)
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const policyCondition = z
  .object({ arg: z.string(), op, value: z.union([scalar, z.array(scalar)]) })
  .meta({ id: "PolicyCondition", description: "One demand on an argument; all of them must hold." })

const ruleFields = {
  id: z.string(),
  owner,
  pattern: z.string(),
  action,
  when: z.array(policyCondition),
  position: z.number().meta({ description: "Of each owner's rules the first that matches counts, by position." }),
}
const rule = z.object(ruleFields).meta({ id: "PolicyRule" })
export const policyView = z
  .object({
    ...ruleFields,
    createdAt: timestamp,
    warning: z.string().exactOptional().meta({
      description: "Where it was made or changed: that no tool fits it today, or that its pattern was read as the name of a connection.",
    }),
  })
  .meta({ id: "Policy" })

export const explanation = z
  .object({
    verdict: action,
    conditional: z.boolean().meta({ description: "No arguments were given, and a condition could make it another verdict." }),
    rule: rule
      .nullable()
      .meta({ description: "Null: no rule matched, and what the call does decides: one that only reads is allowed, any other asks." }),
    message: z.string(),
    beaten: z
      .array(z.object({ rule, reason: z.enum(["condition_not_met", "later_position", "not_stricter"]), message: z.string() }))
      .meta({ description: "Rules whose pattern fits as well, and why they did not decide." }),
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
          .meta({ description: "`exists` needs none." }),
      }),
    )
    .max(limits.policyConditionsMax)

export function policyInput(limits: Limits) {
  const pattern = text(addressBytesMax + "tools.".length).meta({
    description:
      "`*` is one segment or part of one, `**` any number of them; a trailing `.*` means the subtree. A short one (`github.issues.create`) is for every owner and connection; the name of a connection (`github.org.main`) is for all of its tools.",
    examples: ["github.org.*.issues.delete*"],
  })
  const changes = {
    pattern,
    action,
    when: conditionsInput(limits).exactOptional(),
    position: z.number().exactOptional().meta({ description: "Without it, a rule goes below those that are more specific." }),
  }
  return {
    create: z.strictObject({ owner, ...changes }).meta({ id: "PolicyCreate" }),
    update: z.strictObject({ ...changes, pattern: pattern.exactOptional(), action: action.exactOptional() }).meta({ id: "PolicyUpdate" }),
    explain: z
      .strictObject({
        address: text(addressBytesMax + "tools.".length),
        args: z.record(z.string(), z.unknown()).exactOptional().meta({ description: "Without them, what a list of tools shows." }),
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
