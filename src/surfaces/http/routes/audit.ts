// The audit log over HTTP.
import { z } from "zod"
import type { Limits } from "../../../core/limits.ts"
import { executionIdExample } from "./execution-example.ts"
import { caller } from "./execution-schema.ts"
import { pageFields, pageOf, timestamp } from "./shared-schema.ts"
import type { Route } from "./route.ts"
import { defineRoute } from "./route.ts"

const auditLine = z
  .object({
    id: z.string(),
    at: timestamp,
    principal: caller,
    action: z.string().meta({ description: "`call`, or an administrative change such as `policy.create`." }),
    subject: z.string().meta({ description: "The tool's address, or the name of the object that was changed." }),
    executionId: z.string().nullable(),
    decision: z.string().nullable().meta({ description: "For a call: the decision of the policies." }),
    rule: z.string().nullable().meta({ description: "The policy that decided." }),
    outcome: z.string().meta({ description: "`ok`, or an error code." }),
    details: z.unknown(),
  })
  .meta({ id: "AuditLine" })

const auditExample = {
  id: "aud_0mh2k3v9x41c",
  at: "2026-11-16T09:31:12.000Z",
  principal: { user: "local", kind: "agent", tokenId: "tok_0mh2k3v9x41c", tokenName: "claude" },
  action: "call",
  subject: "tools.github.org.main.issues.create",
  executionId: executionIdExample,
  decision: "require_approval",
  rule: "pol_0mh2k3v9x41c",
  outcome: "ok",
  details: { ms: 412.5 },
} as const

export const auditRoutes = (limits: Limits): Route[] => {
  const only = (description: string) => z.string().min(1).max(limits.nameCharsMax).exactOptional().meta({ description })
  return [
    defineRoute({
      id: "audit.list",
      tag: "audit",
      method: "get",
      path: "/audit",
      summary: "Read the audit log",
      description: "Every call and every administrative change, newest first, with the decision and the rule behind it. For human admins.",
      errors: ["forbidden"],
      query: z.strictObject({
        executionId: only("Only entries of this execution."),
        action: only("Only this exact action: `call`, or a change such as `policy.create`."),
        rule: only("Only calls decided by the policy with this id."),
        outcome: only("Only entries with this outcome: `ok`, or an error code."),
        ...pageFields(limits),
      }),
      answer: {
        status: 200,
        description: "One page of the audit log.",
        schema: pageOf("AuditPage", auditLine),
        example: { items: [auditExample], nextCursor: null },
      },
      handle: ({ query }, api) => api.audit.list(query),
    }),
  ]
}
