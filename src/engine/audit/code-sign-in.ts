// Signs in with a one-time code, and records it, as well as every code that did not work.
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
      // After the look, so that nobody can keep others from using a code that is good; before the record, which it limits.
      requireAttempt(sessions.attempts.byAddress, facts.addressPrefix)
      const message = `The sign-in link has been used or has expired; run '${executorCommandOnPages} web' for a new one`
      const error = new ExecutorError("unauthorized", message)
      // A code that nobody knows belongs to no tenant; the operator's is where such attempts are looked for.
      await audit.refused(localTenant, { subject: "unknown", error, details: { userAgent: facts.userAgent } }, facts)
      throw error
    }
    await audit.signedIn(session.owner, session.owner.user, {}, facts)
    return session
  }
}
