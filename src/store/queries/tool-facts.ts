// The facts of a tool as columns and back.
import type { ToolName } from "../../core/address.ts"
import type { ToolFacts } from "../../core/tool.ts"
import type { ToolsTable } from "../schema.ts"

export const factColumns = [
  "t.name",
  "t.title",
  "t.summary",
  "t.description",
  "t.effect",
  "t.requires_approval",
  "t.approval_description",
  "t.may_elicit",
  "t.deprecated",
  "t.tags",
] as const

export const readFacts = (row: Pick<ToolsTable, FactColumn>): ToolFacts => ({
  name: row.name as ToolName, // written from a checked one only
  title: row.title,
  summary: row.summary,
  description: row.description,
  effect: row.effect,
  requiresApproval: row.requires_approval === 1,
  approvalDescription: row.approval_description,
  mayElicit: row.may_elicit === 1,
  deprecated: row.deprecated === 1,
  tags: JSON.parse(row.tags) as string[], // written by `toolSets.put` only
})

type FactColumn = (typeof factColumns)[number] extends `t.${infer Column}` ? Column : never
