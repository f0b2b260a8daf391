// The pages of a consent: what is asked, and how it ended.
import { html } from "hono/html"
import type { ConnectionView } from "../../../core/connection.ts"
import type { OauthOffer } from "../../../core/oauth.ts"
import { callbackScript, offerScript } from "./oauth-script.ts"
import type { PageContent, Shell } from "./shell.ts"
import { signInSteps } from "./shell.ts"

type Shown = Omit<PageContent, "status">

/** Whoever follows a link sees who asks for what; the button, not the link, goes on. */
export const offerContent = (offer: OauthOffer): Shown => ({
  title: "Connect",
  content: html`<h1>Connect ${offer.connection}?</h1>
    <p>
      ${offer.askedBy === "agent" ? "An agent of the user" : "The user"} <strong>${offer.user}</strong> wants access to your account at
      <strong>${offer.provider}</strong>.
    </p>
    ${
      offer.replaces === null
        ? ""
        : html`<p>
            <strong>This replaces the current credential of ${offer.connection}</strong> (${offer.replaces}). Everyone who uses that
            connection will act as your account.
          </p>`
    }
    <dl class="facts">
      <dt>Permissions</dt>
      <dd>${offer.scopes.length === 0 ? "The provider's defaults" : offer.scopes.join(", ")}</dd>
      <dt>The token is sent to</dt>
      <dd>${offer.origins.length === 0 ? "Nowhere yet" : offer.origins.join(", ")}</dd>
      ${
        offer.resource === null
          ? ""
          : html`<dt>The token is for</dt>
              <dd>${offer.resource}</dd>`
      }
      <dt>OAuth client</dt>
      <dd>${offer.client ?? "Removed; start again"}</dd>
    </dl>
    <p>Continue only if you expected this. Whoever sent you the link will be able to use your account through this server.</p>
    <div class="actions"><button class="primary" data-leave>Continue to ${offer.provider}</button></div>`,
})

export const doneContent = (connection: ConnectionView): Shown => ({
  title: "Connected",
  content: html`<h1>Connected</h1>
    <p><code>${connection.integration}.${connection.owner}.${connection.name}</code> ${stateOf(connection)}</p>
    <p class="soft">You can close this window.</p>`,
})

const stateOf = ({ status, error, toolCount }: ConnectionView): string =>
  status === "ready" ? `is ready, with ${toolCount} tools.` : `is connected, but: ${error ?? status}.`

export const problemContent = (message: string): Shown => ({
  title: "Not connected",
  content: html`<h1>Not connected</h1>
    <p>${message}.</p>`,
})

const signedOut = html`<h1>Sign in first</h1>
  <p>Only a signed-in person can connect an account.</p>
  ${signInSteps}`

export const offerShell: Shell = {
  script: offerScript,
  signedOut,
  withoutScript: html`<p>Allow scripts for this address and open the link again; nothing was changed.</p>`,
}

export const callbackShell: Shell = {
  script: callbackScript,
  signedOut,
  withoutScript: html`<p>Allow scripts for this address and load this page again within ten minutes; the connection is not made yet.</p>`,
}
