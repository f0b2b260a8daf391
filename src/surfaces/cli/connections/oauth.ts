// Connects by OAuth: a link for the human who consents, and what happens when they have.
import { executorCommand } from "../../../io/executor-command.ts"
import type { ConnectionKey } from "../../../core/executor-api.ts"
import { ExecutorError } from "../../../core/errors.ts"
import type { OauthStarted } from "../../../core/oauth.ts"
import { hasDesktop, openBrowser } from "../../../io/open-browser.ts"
import type { ExecutorDesk } from "../command-action.ts"
import { connectedText, connectionPath } from "./key.ts"
import { exitCodes } from "../exit-code.ts"
import type { ExitCode } from "../exit-code.ts"
import { given } from "../omit-undefined.ts"
import { withProgress } from "../print/progress.ts"
import { askText } from "../prompt/prompt.ts"
import { safeLine } from "../../../core/text/safe.ts"

export type OauthOptions = { readonly scopes?: readonly string[]; readonly client?: string }

type Consent = Extract<OauthStarted, { status: "consent_required" }>

/** A consent that is not given yet is a pause: somebody must do something. */
export async function connectByOauth(key: ConnectionKey, options: OauthOptions, desk: ExecutorDesk): Promise<ExitCode> {
  const { scopes, client } = options
  const started = await withProgress(`Connecting ${connectionPath(key)}`, desk.screen, () =>
    desk.api.oauth.start({ ...key, ...given({ scopes, client }) }),
  )
  if (started.status === "connected") {
    desk.print(started, () => connectedText(started.connection))
    return started.connection.status === "ready" ? exitCodes.done : exitCodes.failed
  }
  if (desk.place.kind === "process" && desk.screen.canPrompt && !desk.printsJson) return finishHere(started, desk)
  const signInUrl = await signInLink(started, desk)
  const url = signInUrl ?? started.authorizationUrl
  const isOpened = desk.screen.canPrompt && hasDesktop(process.env) && (await openBrowser(url))
  desk.print({ ...started, ...(signInUrl === null ? {} : { signInUrl }) }, () => safeLine(url))
  if (!desk.printsJson)
    desk.screen.note(
      `${isOpened ? "Opened in your browser." : "Open the link in a browser."} Then check ${executorCommand} connections list`,
    )
  return exitCodes.paused
}

/** Signs the browser in, once, and leads on to the consent. Null where whoever asks may not sign in, or nothing listens. */
async function signInLink({ authorizationUrl, flowId }: Consent, desk: ExecutorDesk): Promise<string | null> {
  const url = new URL(authorizationUrl)
  if (desk.place.kind !== "server" || !url.pathname.endsWith(`/${flowId}`)) return null
  try {
    const { code } = await desk.api.sessions.create()
    return `${url.origin}/signin?code=${code}&next=${encodeURIComponent(url.pathname)}`
  } catch (error) {
    if (error instanceof ExecutorError && error.code === "forbidden") return null
    throw error
  }
}

/** Nothing listens here that the provider could send the browser to, so the human brings its answer. */
async function finishHere(consent: Consent, desk: ExecutorDesk): Promise<ExitCode> {
  desk.screen.note(`Open this link in a browser:\n  ${safeLine(consent.providerUrl ?? consent.authorizationUrl)}`)
  const question = {
    message: "The address of the last page in the browser?",
    flag: `it to a running server: ${executorCommand} serve`,
  }
  const callbackUrl = await askText(question, desk.screen)
  const connection = await desk.api.oauth.complete({ callbackUrl })
  desk.print(connection, () => connectedText(connection))
  return connection.status === "ready" ? exitCodes.done : exitCodes.failed
}
