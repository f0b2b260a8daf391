// What rules would have decided about calls that were made, and what patterns match, over HTTP.
import { z } from "zod"
import { addressBytesMax, owners } from "../../../../core/address.ts"
import type { Limits } from "../../../../core/limits.ts"
import { policyActions } from "../../../../core/policy.ts"
import { caller } from "../execution-schema.ts"
import { conditionsInput } from "../policy-schema.ts"
import { pageFields, timestamp } from "../shared-schema.ts"
import type { Route } from "../route.ts"
import { defineRoute } from "../route.ts"

/** Each is tried with every tool. */
const patternsMax = 100

const action = z.enum(policyActions)

const backtest = z
  .object({
    calls: z.int().meta({ description: "How many were looked at: the latest calls that the acting principal may read." }),
    allowed: z.int(),
    asked: z.int(),
    blocked: z.int(),
    changed: z
      .record(z.string(), z.int())
      .meta({ description: "By what was and would be decided, such as `ask→allow`. What stays as it was is not in it." }),
    rows: z.array(
      z.object({
        executionId: z.string(),
        callKey: z.string(),
        path: z.string(),
        time: timestamp,
        principal: caller,
        was: action,
        would: action,
        rule: z.string().nullable().meta({ description: "The rule that would decide: its id, or `rules[n]`. Null: none of the given." }),
      }),
    ),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "PolicyBacktest" })

const patternCount = z
  .object({
    pattern: z.string(),
    readAs: z.string().meta({ description: "As a rule keeps it." }),
    count: z.int(),
    tools: z.array(z.string()).meta({ description: "The first of them." }),
  })
  .meta({ id: "PatternCount" })

export function backtestRoutes(limits: Limits): Route[] {
  const text = (max: number) => z.string().min(1).max(max)
  const pattern = text(addressBytesMax + "tools.".length)
  const rule = z.strictObject({
    id: text(limits.nameCharsMax).exactOptional().meta({ description: "How rows name the rule." }),
    owner: z.enum(owners),
    pattern,
    action,
    when: conditionsInput(limits).exactOptional(),
    position: z.number().exactOptional().meta({ description: "Without it, rules count in the order in which they are given." }),
    role: text(limits.nameCharsMax).exactOptional(),
  })
  const bytesMax = limits.requestSmallBodyBytesMax * 4
  return [
    defineRoute({
      id: "policies.backtest",
      tag: "policies",
      method: "post",
      path: "/policies/backtest",
      summary: "Test rules on past calls",
      description:
        "What the given rules, instead of the stored ones, would have decided about the latest 1,000 calls that you may read, from their recorded arguments. Nothing is called or changed. For humans with the right `policies.edit`.",
      errors: ["forbidden", "payload_too_large"],
      body: {
        schema: z
          .strictObject({
            rules: z.array(rule).max(limits.policyValuesMax),
            changedOnly: z
              .boolean()
              .exactOptional()
              .meta({ description: "Only rows about which something else would be decided. The counts are of all calls." }),
            ...pageFields(limits),
          })
          .meta({ id: "PolicyBacktestRequest" }),
        bytesMax,
        examples: { reads: { rules: [{ owner: "org", pattern: "github.**.list*", action: "allow" }], changedOnly: true } },
      },
      answer: {
        status: 200,
        description: "Counts, and one page of rows, newest first.",
        schema: backtest,
        example: {
          calls: 412,
          allowed: 375,
          asked: 37,
          blocked: 0,
          changed: { "ask→allow": 1 },
          rows: [
            {
              executionId: "exe_0mh2k3v9x41c",
              callKey: "5b1f0c7e:0",
              path: "github.org.main.issues.list",
              time: "2026-11-16T09:31:11.000Z",
              principal: { user: "anna", kind: "agent", tokenId: "tok_0mh2k3v9x41c", tokenName: "claude" },
              was: "require_approval",
              would: "allow",
              rule: "rules[0]",
            },
          ],
          nextCursor: null,
        },
      },
      handle: ({ body }, api, signal) => api.policies.backtest(body, { signal }),
    }),
    defineRoute({
      id: "policies.matches",
      tag: "policies",
      method: "post",
      path: "/policies/matches",
      summary: "Count what patterns match",
      description: "How many of the tools that you see each pattern of a rule matches now, and the first of them. For humans.",
      errors: ["forbidden", "payload_too_large"],
      body: {
        schema: z.strictObject({ patterns: z.array(pattern).max(patternsMax) }),
        bytesMax,
        examples: { two: { patterns: ["github.issues.*", "stripe.**"] } },
      },
      answer: {
        status: 200,
        description: "One for each pattern, in the same order.",
        schema: z.object({ items: z.array(patternCount) }),
        example: {
          items: [
            {
              pattern: "github.issues.*",
              readAs: "github.*.*.issues.*",
              count: 2,
              tools: ["github.org.main.issues.create", "github.org.main.issues.list"],
            },
          ],
        },
      },
      handle: async ({ body }, api, signal) => ({ items: await api.policies.matches(body.patterns, { signal }) }),
    }),
  ]
}
