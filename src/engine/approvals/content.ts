// Validates a human's form input against the schema of the form.
import { ExecutorError } from "../../core/errors.ts"
import type { JsonSchema } from "../../core/tool.ts"
import { prepareArgsCheck } from "../../arguments/arguments.ts"
import type { ApprovalRow } from "../../store/execution-store.ts"

/** `answeredTogether`: of how many the answer is, since one content can hardly fit two forms. */
export function checkContent(approval: ApprovalRow, content: unknown, answeredTogether: number): void {
  if (approval.kind !== "form" || approval.requestedSchema === null) return
  const schema = JSON.parse(approval.requestedSchema) as JsonSchema // stored from the tool's request
  const verdict = prepareArgsCheck(schema, () => undefined).check(content ?? {})
  if (verdict.ok) return
  const which = answeredTogether === 1 ? "" : ` of '${approval.id}', which is answered alone with approvalId`
  throw new ExecutorError("invalid_request", `content${which}: ${verdict.message}`, { approvalId: approval.id, issues: verdict.issues })
}
