// `EXECUTOR_SSO_ONLY`: people sign in at a provider and in no other way, except for the human of the machine itself.
import { ExecutorError } from "../core/errors.ts"
import type { PasskeyPages } from "../core/people/passkey.ts"
import { localTenant, localUser } from "../core/principal.ts"
import type { Scope } from "../core/principal.ts"
import { executorCommandOnPages } from "../io/executor-command.ts"

/** What was made with passkeys stays, and works again when the setting is gone. */
export function withoutPasskeys(pages: PasskeyPages): PasskeyPages {
  const refuse = async (): Promise<never> => {
    throw refusal("Passkeys are")
  }
  return {
    isOff: true,
    openInvitation: pages.openInvitation,
    beginSignIn: refuse,
    signIn: refuse,
    beginRegistration: refuse,
    register: refuse,
    beginInvitation: refuse,
    acceptInvitation: refuse,
  }
}

/** Whoever has the token file of this machine always gets in. */
export function requireCodeAllowed({ tenant, user }: Scope, { isSsoOnly }: { readonly isSsoOnly: boolean }): void {
  if (isSsoOnly && !(tenant === localTenant && user === localUser)) throw refusal("One-time codes are")
}

const refusal = (what: string): ExecutorError =>
  new ExecutorError(
    "forbidden",
    `${what} turned off here (EXECUTOR_SSO_ONLY); sign in with your provider at /signin, or with '${executorCommandOnPages} web' on the machine where Executor runs`,
  )
