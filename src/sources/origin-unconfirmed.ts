// The refusal to call an origin that nobody confirmed for the connection.
import type { ToolFailure } from "../core/result.ts"
import { fail } from "../core/result.ts"

export const unconfirmedOrigin = (origin: string): ToolFailure =>
  fail(
    "auth_required",
    `The tool is at ${origin}, which was not confirmed when the connection was created; nothing was sent. Review and refresh the connection`,
    { details: { origin } },
  )
