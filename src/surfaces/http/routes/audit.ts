// The audit log over HTTP.
import { z } from "zod"
import { addressBytesMax } from "../../../core/address.ts"
import type { Limits } from "../../../core/limits.ts"
import { executionIdExample } from "./execution-example.ts"
import { caller } from "./execution-schema.ts"
import { pageFields, pageOf, timestamp } from "./shared-schema.ts"
import type { Route } from "./route.ts"
import { defineRoute, defineTextRoute } from "./route.ts"

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
    position: z
      .number()
      .nullable()
      .meta({ description: "Its place in the chain; null for a moment, and for what earlier versions wrote." }),
    previousHash: z.string().nullable().meta({ description: "The hash of the entry before it in the chain." }),
    hash: z.string().nullable().meta({ description: "SHA-256 of the entry together with `previousHash`." }),
  })
  .meta({ id: "AuditLine" })

const link = { position: z.number().nullable(), previousHash: z.string().nullable(), hash: z.string().nullable() }
const exportLine = z
  .object({
    tenant: z.string(),
    id: z.string(),
    at: timestamp,
    user: z.string(),
    kind: z.string(),
    tokenId: z.string().nullable(),
    action: z.string(),
    subject: z.string(),
    executionId: z.string().nullable(),
    decision: z.string().nullable(),
    rule: z.string().nullable(),
    outcome: z.string(),
    details: z.unknown(),
    ...link,
  })
  .meta({ id: "AuditExportLine" })

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
  position: 2,
  previousHash: "3f1c7e09a6b2d84f51e0c9a7b36d20485f9e1a7c4d03b6825e1f0a9c7d3b5e26",
  hash: "b7d40e5a19c3f2868d0a7b4e6c51f39d20e8a4c7b165f39d08e2c7a4b1d6f053",
} as const

const { principal: exampleCaller, ...exampleFields } = auditExample
const exportExample = {
  tenant: "default",
  user: exampleCaller.user,
  kind: exampleCaller.kind,
  tokenId: exampleCaller.tokenId,
  ...exampleFields,
}
const csvExample = 'position,id,at,user,kind,tokenId,action,…\r\n"2","aud_0mh2k3v9x41c","2026-11-16T09:31:12.000Z","local","agent",…\r\n'
const mediaTypes = { ndjson: "application/x-ndjson", csv: "text/csv" } as const

export const auditRoutes = (limits: Limits): Route[] => {
  const only = (description: string) => z.string().min(1).max(limits.nameCharsMax).exactOptional().meta({ description })
  const time = (description: string) => z.string().min(10).max(40).exactOptional().meta({ description })
  const filterFields = {
    id: z.string().min(1).max(limits.cursorCharsMax).exactOptional().meta({ description: "Only the entry with this id." }),
    executionId: only("Only entries of this execution."),
    action: only("Only this exact action: `call`, or a change such as `policy.create`."),
    rule: only("Only calls decided by the policy with this id."),
    outcome: only("Only entries with this outcome: `ok`, or an error code."),
    user: only("Only what this user and their agents did."),
    subject: z
      .string()
      .min(1)
      .max(addressBytesMax + "tools.".length)
      .exactOptional()
      .meta({ description: "Only entries about exactly this: a tool's address, also without `tools.`, or the name of what was changed." }),
    from: time("Only entries from this moment on: a day (UTC) such as `2026-11-01`, or `2026-11-01T09:30:00Z`."),
    to: time("Only entries before this moment."),
  }
  return [
    defineRoute({
      id: "audit.list",
      tag: "audit",
      method: "get",
      path: "/audit",
      summary: "Read the audit log",
      description:
        "Every call and every administrative change, newest first, with the decision and the rule behind it. The right `auditor` reads all of it; other people, what they and their agents did.",
      errors: ["forbidden"],
      query: z.strictObject({
        ...filterFields,
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
    defineTextRoute({
      id: "audit.export",
      tag: "audit",
      method: "get",
      path: "/audit/export",
      summary: "Export the audit log",
      description:
        "All entries in the order of their chain, as JSON lines or CSV, written while they are read. The first JSON line, `{ export }`, says which places of the chain must follow; `{ omitted }` is the place of an entry that the filters leave out. `executor audit verify --file` checks the JSON lines. Needs the right `auditor`.",
      errors: ["forbidden"],
      query: z.strictObject({
        format: z.enum(["ndjson", "csv"]).default("ndjson").meta({ description: "JSON lines, or CSV with the same fields." }),
        ...filterFields,
      }),
      texts: { [mediaTypes.ndjson]: `${JSON.stringify(exportExample)}\n`, [mediaTypes.csv]: csvExample },
      answer: { description: "The entries, oldest first.", schema: exportLine, example: exportExample },
      open: (query, api, signal) => ({
        headers: {
          "content-type": `${mediaTypes[query.format]}; charset=utf-8`,
          "content-disposition": `attachment; filename="audit.${query.format}"`,
        },
        pieces: api.audit.export(query, { signal }),
      }),
    }),
  ]
}
