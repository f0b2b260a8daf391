// Connects by OAuth: a link for the human who consents, and what happens when they have.
import type { ConnectionKey } from "../../core/executor-api.ts"
import type { OauthStarted } from "../../core/oauth.ts"
import { hasDesktop, openBrowser } from "../../io/open-browser.ts"
import type { ExecutorDesk } from "./command-action.ts"
import { connectedText, connectionPath } from "./connection-key.ts"
import { exitCodes } from "./exit-code.ts"
import type { ExitCode } from "./exit-code.ts"
import { given } from "./given.ts"
import { withProgress } from "./progress.ts"
import { askText } from "./prompt.ts"
import { safeLine } from "./text-safe.ts"

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
  const isOpened = desk.screen.canPrompt && hasDesktop(process.env) && (await openBrowser(started.authorizationUrl))
  desk.print(started, () => safeLine(started.authorizationUrl))
  if (!desk.printsJson)
    desk.screen.note(`${isOpened ? "Opened in your browser." : "Open it in a browser."} Then see npx executor connections list`)
  return exitCodes.paused
}

/** Nothing listens here that the provider could send the browser to, so the human brings its answer. */
async function finishHere(consent: Consent, desk: ExecutorDesk): Promise<ExitCode> {
  desk.screen.note(`Open this in a browser:\n  ${safeLine(consent.providerUrl ?? consent.authorizationUrl)}`)
  const question = { message: "The address that the browser was sent to in the end?", flag: "it to a running server: npx executor serve" }
  const callbackUrl = await askText(question, desk.screen)
  const connection = await desk.api.oauth.complete({ callbackUrl })
  desk.print(connection, () => connectedText(connection))
  return connection.status === "ready" ? exitCodes.done : exitCodes.failed
}
