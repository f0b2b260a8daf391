// Checks what a human filled into a form against the schema that asked for it.
import { ExecutorError } from "../core/errors.ts"
import type { JsonSchema } from "../core/tool.ts"
import { prepareArgsCheck } from "../catalog/check-args.ts"
import type { ApprovalRow } from "../store/execution-store.ts"

export function checkContent(approval: ApprovalRow, content: unknown): void {
  if (approval.kind !== "form" || approval.requestedSchema === null) return
  const schema = JSON.parse(approval.requestedSchema) as JsonSchema // stored from the tool's request
  const verdict = prepareArgsCheck(schema, () => undefined).check(content ?? {})
  if (!verdict.ok) throw new ExecutorError("invalid_request", `content: ${verdict.message}`, { issues: verdict.issues })
}
