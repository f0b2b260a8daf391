// Policies over HTTP: the rules, and what they decide about a call.
import { z } from "zod"
import { decodeCursor, pageSize, toPage } from "../../../core/cursor.ts"
import { ExecutorError } from "../../../core/errors.ts"
import type { Limits } from "../../../core/limits.ts"
import type { Page, PageRequest } from "../../../core/page.ts"
import type { PolicyView } from "../../../core/policy.ts"
import { explanation, explanationExample, policyExample, policyInput, policyView } from "./policy-schema.ts"
import { pageFields, pageOf } from "./shared-schema.ts"
import type { Route } from "./route.ts"
import { defineRoute, noAnswer } from "./route.ts"

export function policyRoutes(limits: Limits): Route[] {
  const input = policyInput(limits)
  const bytesMax = limits.requestSmallBodyBytesMax
  const id = z
    .string()
    .min(1)
    .max(limits.nameCharsMax)
    .meta({ examples: [policyExample.id] })
  const one = { tag: "policies", path: "/policies/{id}", params: z.strictObject({ id }) } as const
  const shown = (status: 200 | 201, description: string) => ({ status, description, schema: policyView, example: policyExample })

  return [
    defineRoute({
      id: "policies.list",
      tag: "policies",
      method: "get",
      path: "/policies",
      summary: "List policies",
      description:
        "The rules of the tenant and the acting user's own, in the order in which they are evaluated. Without `limit`, all of them. For humans; without the right `policies.edit`, of the tenant's rules only those for their roles that match a tool they can see.",
      errors: ["forbidden"],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "Rules by owner and position.",
        schema: pageOf("PolicyPage", policyView),
        example: { items: [policyExample], nextCursor: null },
      },
      handle: async ({ query }, api) => cutPage(await api.policies.list(), query, limits),
    }),
    defineRoute({
      id: "policies.create",
      tag: "policies",
      method: "post",
      path: "/policies",
      summary: "Create a policy",
      description: "Adds a rule. Without a position, it goes below the rules that are more specific. It applies from the next call on.",
      errors: ["forbidden", "payload_too_large"],
      body: {
        schema: input.create,
        bytesMax,
        examples: {
          fourEyes: { owner: "org", pattern: "stripe.**", action: "require_approval", by: { role: "admin", notRequester: true } },
          block: { owner: "org", pattern: "github.**.delete*", action: "block" },
          small: {
            owner: "org",
            pattern: policyExample.pattern,
            action: "allow",
            when: [{ arg: "amount", op: "lt", value: 100 }],
          },
        },
      },
      answer: shown(201, "The policy."),
      handle: ({ body }, api) => api.policies.create(body),
    }),
    defineRoute({
      ...one,
      id: "policies.update",
      method: "patch",
      summary: "Change a policy",
      description: "Changes only the given fields. The owner of a rule cannot be changed.",
      errors: ["forbidden", "not_found", "payload_too_large"],
      body: { schema: input.update, bytesMax, examples: { ask: { action: "require_approval" } } },
      answer: shown(200, "The policy as it is now."),
      handle: ({ params, body }, api) => api.policies.update(params.id, body),
    }),
    defineRoute({
      ...one,
      id: "policies.remove",
      method: "delete",
      summary: "Remove a policy",
      description: "The rule no longer applies from the next call on.",
      errors: ["forbidden", "not_found"],
      answer: noAnswer("It is gone."),
      handle: async ({ params }, api) => api.policies.remove(params.id).then(() => undefined),
    }),
    defineRoute({
      id: "policies.explain",
      tag: "policies",
      method: "post",
      path: "/policies/explain",
      summary: "Explain a decision",
      description:
        "Shows what the rules decide about a call, without making it: the verdict, the rule that decided, and the rules it overrode.",
      errors: ["tool_ambiguous", "tool_blocked", "tool_not_found", "payload_too_large"],
      body: {
        schema: input.explain,
        bytesMax: limits.argsBytesMax + limits.requestSmallBodyBytesMax,
        examples: { refund: { address: "tools.stripe.org.main.refunds.create", args: { amount: 50 } } },
      },
      answer: { status: 200, description: "The verdict and its reasons.", schema: explanation, example: explanationExample },
      handle: ({ body }, api) => api.policies.explain(body),
    }),
  ]
}

/** All rules are read at once, because every call needs them all; only the answer is cut. */
function cutPage(rules: readonly PolicyView[], request: PageRequest, limits: Limits): Page<PolicyView> {
  if (request.limit === undefined && request.cursor === undefined) return { items: rules, nextCursor: null }
  const size = pageSize(request, limits)
  const after = decodeCursor(request.cursor, 1)?.[0]
  const last = after === undefined ? -1 : rules.findIndex((rule) => rule.id === after)
  if (after !== undefined && last === -1)
    throw new ExecutorError("invalid_request", "The rule the cursor points to was removed; start again without the cursor")
  return toPage(
    rules.slice(last + 1, last + size + 2),
    size,
    (rule) => [rule.id],
    (rule) => rule,
  )
}
