// Records accepted and refused sign-ins in the audit log.
import { ExecutorError } from "../../core/errors.ts"
import { isRecord } from "../../core/json/record.ts"
import type { SignInAudit } from "../../identity/sign-in/sign-in-parts.ts"
import type { EngineParts } from "../engine-parts.ts"
import { auditAnonymous } from "./anonymous.ts"
import { newAuditRow } from "./row.ts"

/** `action`: e.g. `signin.oidc`. */
export const signInAudit = (action: string, parts: Pick<EngineParts, "executions" | "clock">): SignInAudit => ({
  signedIn(who, subject, details, facts) {
    const told = { ...details, address: facts.addressPrefix, userAgent: facts.userAgent }
    const row = newAuditRow(
      { ...who, kind: "human", tokenId: null },
      { action, subject, outcome: "ok", details: JSON.stringify(told) },
      parts.clock,
    )
    return parts.executions.journal.append([{ kind: "audit", row }], "now")
  },
  refused(tenant, { subject, error, user, details = {} }, facts) {
    const outcome = error instanceof ExecutorError ? error.code : "internal"
    const reason = error instanceof ExecutorError && isRecord(error.details) ? error.details["reason"] : undefined
    return auditAnonymous(
      tenant,
      { action, subject, outcome, ...(user === undefined ? {} : { user }), address: facts.address, details: { ...details, reason } },
      parts,
    )
  },
})
