// The pages of a consent: what is asked, off to the provider, and how it ended.
import { html } from "hono/html"
import type { ConnectionView } from "../../core/connection.ts"
import type { OauthOffer } from "../../core/oauth.ts"
import { pageFrame } from "./page-frame.ts"
import type { Html } from "./page-frame.ts"

const page = async (title: string, content: Html): Promise<string> =>
  String(await pageFrame(`${title} · Executor`, html`<main class="home">${content}</main>`))

/** Whoever follows a link sees who asks for what; the button, not the link, goes on. */
export const offerPage = (offer: OauthOffer): Promise<string> =>
  page(
    "Connect",
    html`<h1>Connect ${offer.connection}?</h1>
      <p>
        ${offer.askedBy === "agent" ? `An agent of ${offer.user}` : offer.user} asks for access to your account at
        <strong>${offer.provider}</strong>.
      </p>
      ${
        offer.replaces === null
          ? ""
          : html`<p>
              <strong>This replaces the credential that ${offer.connection} has now</strong> (${offer.replaces}). Everybody who uses it will
              act with your account.
            </p>`
      }
      <dl>
        <dt>What is asked for</dt>
        <dd>${offer.scopes.length === 0 ? "What the provider gives by default" : offer.scopes.join(", ")}</dd>
        <dt>Where the token will be sent</dt>
        <dd>${offer.origins.length === 0 ? "Nowhere yet" : offer.origins.join(", ")}</dd>
        ${
          offer.resource === null
            ? ""
            : html`<dt>What the token is for</dt>
                <dd>${offer.resource}</dd>`
        }
        <dt>As which client</dt>
        <dd>${offer.client ?? "One that was removed: start again"}</dd>
      </dl>
      <p>Go on only if you expected this. Whoever sent you the link will use your account through this server.</p>
      <form method="post"><button type="submit">Continue to ${offer.provider}</button></form>`,
  )

/** A browser keeps its session to itself when another site leads it here, so that the link back is all that some need. */
export const signInFirstPage = (path: string): Promise<string> =>
  page(
    "Sign in",
    html`<h1>Sign in first</h1>
      <p>Only a signed-in human can connect an account. On the machine where Executor runs, open a terminal and run:</p>
      <pre tabindex="0"><code>npx executor web</code></pre>
      <p>It signs this browser in. Then <a href="${path}">go on to connect</a>; if you are signed in already, go on now.</p>`,
  )

export const leavingPage = (providerUrl: string): Promise<string> =>
  page(
    "Connect",
    html`<h1>One moment</h1>
      <p>You are being sent to <a href="${providerUrl}">${new URL(providerUrl).host}</a>.</p>`,
  )

export const donePage = (connection: ConnectionView): Promise<string> =>
  page(
    "Connected",
    html`<h1>Connected</h1>
      <p><code>${connection.integration}.${connection.owner}.${connection.name}</code> ${stateOf(connection)}</p>
      <p class="soft">You can close this window.</p>`,
  )

const stateOf = ({ status, error, toolCount }: ConnectionView): string =>
  status === "ready" ? `is ready, with ${toolCount} tools.` : `has its access, but: ${error ?? status}.`

export const problemPage = (message: string): Promise<string> =>
  page(
    "Not connected",
    html`<h1>Not connected</h1>
      <p>${message}.</p>`,
  )
