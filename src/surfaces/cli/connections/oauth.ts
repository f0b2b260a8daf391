// Connects by OAuth: a link for the human who consents, and what happens when they have.
import { executorCommand } from "../../../io/executor-command.ts"
import type { ConnectionKey } from "../../../core/executor-api.ts"
import { ExecutorError } from "../../../core/errors.ts"
import type { OauthStarted } from "../../../core/oauth.ts"
import { hasDesktop, openBrowser } from "../../../io/open-browser.ts"
import type { ExecutorCommandContext } from "../command-action.ts"
import { connectedText, connectionPath } from "./key.ts"
import { exitCodes } from "../exit-code.ts"
import type { ExitCode } from "../exit-code.ts"
import { omitUndefined } from "../omit-undefined.ts"
import { withProgress } from "../print/progress.ts"
import { askText } from "../prompt/prompt.ts"
import { safeLine } from "../../../core/text/safe.ts"

export type OauthOptions = { readonly scopes?: readonly string[]; readonly client?: string }

type Consent = Extract<OauthStarted, { status: "consent_required" }>

/** A consent that is not given yet is a pause: somebody must do something. */
export async function connectByOauth(key: ConnectionKey, options: OauthOptions, context: ExecutorCommandContext): Promise<ExitCode> {
  const { scopes, client } = options
  const started = await withProgress(`Connecting ${connectionPath(key)}`, context.screen, () =>
    context.api.oauth.start({ ...key, ...omitUndefined({ scopes, client }) }),
  )
  if (started.status === "connected") {
    context.print(started, () => connectedText(started.connection))
    return started.connection.status === "ready" ? exitCodes.done : exitCodes.failed
  }
  if (context.place.kind === "process" && context.screen.canPrompt && !context.printsJson) return finishHere(started, context)
  const signInUrl = await signInLink(started, context)
  const url = signInUrl ?? started.authorizationUrl
  const isOpened = context.screen.canPrompt && hasDesktop(process.env) && (await openBrowser(url))
  context.print({ ...started, ...(signInUrl === null ? {} : { signInUrl }) }, () => safeLine(url))
  if (!context.printsJson)
    context.screen.note(
      `${isOpened ? "Opened in your browser." : "Open the link in a browser."} Then check ${executorCommand} connections list`,
    )
  return exitCodes.paused
}

/** Signs the browser in, once, and leads on to the consent. Null where whoever asks may not sign in, or nothing listens. */
async function signInLink({ authorizationUrl, flowId }: Consent, context: ExecutorCommandContext): Promise<string | null> {
  const url = new URL(authorizationUrl)
  if (context.place.kind !== "server" || !url.pathname.endsWith(`/${flowId}`)) return null
  try {
    const { code } = await context.api.sessions.create()
    return `${url.origin}/signin?code=${code}&next=${encodeURIComponent(url.pathname)}`
  } catch (error) {
    if (error instanceof ExecutorError && error.code === "forbidden") return null
    throw error
  }
}

/** Nothing listens here that the provider could send the browser to, so the human brings its answer. */
async function finishHere(consent: Consent, context: ExecutorCommandContext): Promise<ExitCode> {
  context.screen.note(`Open this link in a browser:\n  ${safeLine(consent.providerUrl ?? consent.authorizationUrl)}`)
  const question = {
    message: "The address of the last page in the browser?",
    flag: `it to a running server: ${executorCommand} serve`,
  }
  const callbackUrl = await askText(question, context.screen)
  const connection = await context.api.oauth.complete({ callbackUrl })
  context.print(connection, () => connectedText(connection))
  return connection.status === "ready" ? exitCodes.done : exitCodes.failed
}
