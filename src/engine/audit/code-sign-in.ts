// Signs people in with a one-time code; every attempt is audited.
import { ExecutorError } from "../../core/errors.ts"
import { localTenant } from "../../core/principal.ts"
import type { RequestFacts } from "../../core/request-facts.ts"
import { requireAttempt } from "../../identity/attempt-limit.ts"
import type { BrowserSessions, OpenedSession } from "../../identity/session-open.ts"
import { executorCommandOnPages } from "../../io/executor-command.ts"
import type { EngineParts } from "../engine-parts.ts"
import { signInAudit } from "./sign-in.ts"

export type CodeSignIn = (code: string, facts: RequestFacts) => Promise<OpenedSession>

export function createCodeSignIn(sessions: BrowserSessions, parts: Pick<EngineParts, "executions" | "clock">): CodeSignIn {
  const audit = signInAudit("signin.code", parts)
  return async (code, facts) => {
    const session = await sessions.open(code, facts)
    if (session === null) {
      // Counted after the lookup, so that nobody can keep others from using a valid code, and before the audit entry, which it limits.
      requireAttempt(sessions.attempts.byAddress, facts.addressPrefix)
      const message = `The sign-in link has been used or has expired; run '${executorCommandOnPages} web' for a new one`
      const error = new ExecutorError("unauthorized", message)
      // An unknown code belongs to no tenant, so the attempt is recorded in the operator's.
      await audit.refused(localTenant, { subject: "unknown", error, details: { userAgent: facts.userAgent } }, facts)
      throw error
    }
    await audit.signedIn(session.owner, session.owner.user, {}, facts)
    return session
  }
}
