// The table of the changes of imported tools.
import type { ToolChangeKind } from "../../core/registry/tool-version.ts"

export type ToolChangeTables = { tool_changes: ToolChangesTable }

export type ToolChangesTable = {
  tenant_id: string
  user_id: string
  integration: string
  name: string
  tool: string
  version: number
  at: string
  change: ToolChangeKind
  diff: string | null
}
