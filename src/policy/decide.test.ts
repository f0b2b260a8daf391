// Decisions and their explanations, by example and by property.
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { owners } from "../core/address.ts"
import type { Owner } from "../core/address.ts"
import { policyActions } from "../core/policy.ts"
import type { PolicyAction, PolicyCondition, PolicyRule, PolicyTool } from "../core/policy.ts"
import { decide, rulesFor } from "./decide.ts"
import { explain } from "./explain.ts"

const tool: PolicyTool = { subject: "github.org.main.repos.delete", requiresApproval: true }
const small: PolicyCondition = { arg: "amount", op: "lt", value: 100 }

let made = 0
const rule = (owner: Owner, pattern: string, action: PolicyAction, position: number, when: PolicyCondition[] = []): PolicyRule => ({
  id: `${owner}-${pattern}-${made++}`,
  owner,
  pattern,
  action,
  when,
  position,
})

describe("decide", () => {
  test("without a rule the source's annotation counts", () => {
    expect(decide(tool, [], {})).toEqual({ action: "require_approval", rule: null, conditional: false })
    expect(decide({ ...tool, requiresApproval: false }, [], {})).toEqual({ action: "allow", rule: null, conditional: false })
  })

  test("a rule overrides the annotation in either direction", () => {
    const allow = rule("user", "github.**", "allow", 1)
    expect(decide(tool, [allow], {})).toEqual({ action: "allow", rule: allow, conditional: false })
    const ask = rule("org", "github.**", "require_approval", 1)
    expect(decide({ ...tool, requiresApproval: false }, [ask], {})).toEqual({ action: "require_approval", rule: ask, conditional: false })
  })

  test("of one owner the first that matches counts, however the list is sorted", () => {
    const [first, second] = [rule("org", "github.**", "allow", 1), rule("org", "github.**", "block", 2)]
    expect(decide(tool, [second, first], {}).rule).toBe(first)
  })

  test("across owners the most restrictive wins, of equal ones the org's", () => {
    const [org, user] = [rule("org", "*", "allow", 1), rule("user", "*", "block", 9)]
    expect(decide(tool, [org, user], {}).rule).toBe(user)
    const orgBlock = rule("org", "*", "block", 1)
    expect(decide(tool, [user, orgBlock], {}).rule).toBe(orgBlock)
  })

  test("a condition that is not met passes the rule by", () => {
    const rules = [rule("org", "*", "allow", 1, [small]), rule("org", "*", "block", 2)]
    expect(decide(tool, rules, { amount: 50 }).action).toBe("allow")
    expect(decide(tool, rules, { amount: 500 }).action).toBe("block")
    expect(decide(tool, rules, {}).action).toBe("block")
    expect(decide(tool, rules, { amount: "50" }).action).toBe("block")
  })

  test("without arguments a condition counts unless it allows, and the verdict says so", () => {
    const block = rule("org", "*", "block", 1, [small])
    expect(decide(tool, [block], null)).toEqual({ action: "block", rule: block, conditional: true })
    const allow = rule("user", "*", "allow", 1, [small])
    expect(decide(tool, [allow], null)).toEqual({ action: "require_approval", rule: null, conditional: true })
    const first = rule("org", "*", "allow", 0)
    expect(decide(tool, [first, block], null)).toEqual({ action: "allow", rule: first, conditional: false })
    expect(decide(tool, [block], { amount: 1 }).conditional).toBe(false)
  })
})

describe("explain", () => {
  test("names the rule that decided and why each other one did not", () => {
    const unmet = rule("org", "github.**", "allow", 1, [small])
    const chosen = rule("org", "github.org.**", "require_approval", 2)
    const later = rule("org", "*", "block", 3)
    const weaker = rule("user", "github.**", "allow", 1)
    const other = rule("org", "linear.**", "block", 0)
    const explanation = explain(tool, [later, weaker, chosen, other, unmet], { amount: 500 })
    expect(explanation).toMatchObject({ verdict: "require_approval", rule: chosen, conditional: false })
    expect(explanation.message).toBe(`The org rule github.org.** (${chosen.id}) says require_approval.`)
    expect(explanation.beaten).toEqual([
      { rule: unmet, reason: "condition_not_met", message: "Its condition amount lt 100 is not met: the argument is 500." },
      { rule: later, reason: "later_position", message: `The org rule github.org.** (${chosen.id}) is above it and matches first.` },
      {
        rule: weaker,
        reason: "not_stricter",
        message: `The org rule github.org.** (${chosen.id}) says require_approval, and across owners the most restrictive rule wins.`,
      },
    ])
  })

  test("says what an argument that tells nothing did", () => {
    const allow = rule("org", "*", "allow", 1, [small])
    const beaten = (args: Record<string, unknown> | null): string | undefined => explain(tool, [allow], args).beaten[0]?.message
    expect(beaten({})).toBe("Its condition amount lt 100 is not met: the argument is missing.")
    expect(beaten({ amount: "50" })).toBe(
      `Its condition amount lt 100 is not met: the argument is "50", which cannot be compared, so the rule does not allow.`,
    )
    expect(beaten(null)).toBe("Its conditions need arguments, and a rule does not allow a call without them.")
    expect(explain(tool, [allow], null).message).toBe(
      "No rule matches, so the effect of the call decides: it may change data and requires approval. Rules with conditions match this tool, so the arguments can change the decision.",
    )
  })
})

describe("whatever the rules are", () => {
  const conditions = fc.array(
    fc.oneof(
      fc.record({
        arg: fc.constantFrom("a", "b"),
        op: fc.constantFrom("eq" as const, "ne" as const),
        value: fc.constantFrom(1, 2, "x", null),
      }),
      fc.record({ arg: fc.constantFrom("a", "b"), op: fc.constantFrom("lt" as const, "gte" as const), value: fc.constantFrom(1, 2, "x") }),
      fc.record({ arg: fc.constantFrom("a", "b"), op: fc.constant("exists" as const), value: fc.boolean() }),
    ),
    { maxLength: 2 },
  )
  const rules = fc
    .array(
      fc.record({
        owner: fc.constantFrom(...owners),
        pattern: fc.constantFrom("*", "github.**", "github.org.main.repos.*", "**.delete", "linear.**", "github.org.main.repos.delete"),
        action: fc.constantFrom(...policyActions),
        when: conditions,
        position: fc.integer({ min: 0, max: 5 }),
      }),
      { maxLength: 6 },
    )
    .map((drafts) => drafts.map((draft, index): PolicyRule => ({ ...draft, id: `r${index}` })))
  const args = fc.option(fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom<unknown>(1, 2, "x", null)))
  const tools = fc.record({ subject: fc.constant(tool.subject), requiresApproval: fc.boolean() })
  const rank = (action: PolicyAction): number => policyActions.indexOf(action)

  test("a block that stands first blocks, at any owner", () => {
    fc.assert(
      fc.property(tools, rules, args, fc.constantFrom(...owners), (one, given, sent, owner) => {
        const block = rule(owner, "github.**", "block", -1)
        expect(decide(one, [...given, block], sent).action).toBe("block")
      }),
    )
  })

  test("what one owner adds never loosens what the other's rules say", () => {
    fc.assert(
      fc.property(tools, rules, args, (one, given, sent) => {
        const verdict = decide(one, given, sent)
        const alone = owners
          .map((owner) =>
            decide(
              one,
              given.filter((some) => some.owner === owner),
              sent,
            ),
          )
          .filter((some) => some.rule !== null)
        const strictest = Math.max(...alone.map((some) => rank(some.action)))
        expect(rank(verdict.action)).toBe(alone.length === 0 ? rank(one.requiresApproval ? "require_approval" : "allow") : strictest)
      }),
    )
  })

  test("the order of the list and rules for other tools change nothing", () => {
    fc.assert(
      fc.property(tools, rules, args, (one, given, sent) => {
        const noise = rule("org", "linear.**", "block", -1)
        expect(decide(one, [noise, ...given.toReversed()], sent)).toEqual(decide(one, given, sent))
      }),
    )
  })

  test("unknown arguments never make a single rule looser than known ones", () => {
    fc.assert(
      fc.property(tools, rules, args, (one, given, sent) => {
        for (const single of given)
          expect(rank(decide(one, [single], null).action)).toBeGreaterThanOrEqual(rank(decide(one, [single], sent).action))
      }),
    )
  })

  test("the explanation tells the same as the decision, and forgets no rule that fits", () => {
    fc.assert(
      fc.property(tools, rules, args, (one, given, sent) => {
        const verdict = decide(one, given, sent)
        const explanation = explain(one, given, sent)
        expect({ action: explanation.verdict, rule: explanation.rule, conditional: explanation.conditional }).toEqual(verdict)
        const told = [...explanation.beaten.map((beaten) => beaten.rule), ...(verdict.rule === null ? [] : [verdict.rule])]
        const fitting = given.filter((some) => some.pattern !== "linear.**")
        expect(new Set(told)).toEqual(new Set(fitting))
      }),
    )
  })
})

describe("rules that name who may approve", () => {
  const by = (one: PolicyRule, named: NonNullable<PolicyRule["by"]>): PolicyRule => ({ ...one, by: named })
  const org = by(rule("org", "github.**", "require_approval", 1), { role: "finance", notRequester: true })

  test("each of them must hold", () => {
    const own = by(rule("user", "github.**", "require_approval", 1), { role: "legal" })
    expect(decide(tool, [org, own], {}).by).toEqual([org.by, own.by])
    const above = by(rule("org", "github.org.main.**", "require_approval", 0), { role: "member" })
    expect(decide(tool, [org, above], {}).by).toEqual([above.by, org.by])
    expect(decide(tool, [above, rule("org", "github.**", "allow", 0.5), org], {}).by).toEqual([above.by])
    expect(explain(tool, [org], {})).toMatchObject({
      by: [org.by],
      message: expect.stringContaining("Only somebody with the role 'finance', other than the requester may approve"),
    })
  })

  test("a rule of the user's own that allows removes nobody, and a block names nobody", () => {
    expect(decide(tool, [org, rule("user", "*", "allow", 1)], {})).toMatchObject({ action: "require_approval", by: [org.by] })
    expect(decide(tool, [org, rule("user", "*", "block", 1)], {})).not.toHaveProperty("by")
    expect(decide(tool, [rule("org", "*", "allow", 0), org], {})).not.toHaveProperty("by")
  })
})

describe("rules for one role", () => {
  const limited: PolicyRule = { ...rule("org", "github.**", "block", 1), role: "intern" }
  const all = [limited, rule("org", "*", "allow", 2)]

  test("count for its holders only", () => {
    expect(rulesFor(all, ["intern", "member"])).toEqual(all)
    expect(rulesFor(all, ["member"])).toEqual(all.slice(1))
    const unlimited = all.slice(1)
    expect(rulesFor(unlimited, [])).toBe(unlimited)
  })

  test("are explained to everybody else", () => {
    const { verdict, beaten } = explain(tool, rulesFor(all, []), {}, [limited])
    expect(verdict).toBe("allow")
    expect(beaten).toEqual([{ rule: limited, reason: "other_role", message: "It counts only for the role 'intern'." }])
  })
})
