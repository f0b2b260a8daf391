// The page on which a human lets an MCP client act for them: who asks, where the answer goes, and what to grant.
import { html } from "hono/html"
import type { ConsentOffer, ConsentProblem, RedirectTarget } from "../../../core/authorization-server.ts"
import type { Html } from "../pages/frame.ts"
import type { PageContent, Shell } from "../pages/shell.ts"
import { executorCommandOnPages } from "../../../io/executor-command.ts"
import { signInSteps } from "../pages/shell.ts"
import { consentScript } from "./script.ts"

type Shown = Omit<PageContent, "status">

/** `integrations`: of the human, for examples. */
export function offerContent(offer: ConsentOffer, integrations: readonly string[]): Shown {
  const { clientName, clientHost, redirect, integration } = offer
  return {
    title: "Connect a client",
    content: html`<h1>Let <span class="theirs">${clientName}</span> use your tools?</h1>
      <dl class="facts">
        <dt>It calls itself</dt>
        <dd><span class="theirs">${clientName}</span> (not verified)</dd>
        <dt>The answer goes to</dt>
        <dd><strong data-redirect-host>${redirect.host}</strong>, ${placeOf(redirect)}</dd>
        <dt>Described by</dt>
        <dd>${clientHost === null ? "itself. Any program can register under any name" : html`the site <strong>${clientHost}</strong>`}</dd>
        <dt>It asks for</dt>
        <dd>${integration === null ? "the tools of this server" : html`the tools of <code>${integration}</code>`}</dd>
      </dl>
      <p class="caution">
        Continue only if you have just started this connection in that client yourself. It acts as an agent of yours until you revoke its
        token. It can never approve or administer anything, and your rules still ask you about its calls.
      </p>
      ${reachFields(offer, integrations)} ${modeFields}
      <div class="actions">
        <button class="primary" data-action="allow" data-shown="${offer.shown}">Allow</button>
        <button data-action="deny" data-shown="${offer.shown}">Deny</button>
      </div>
      ${decided}`,
  }
}

const placeOf = ({ kind }: RedirectTarget): string => (kind === "site" ? "a web site" : "a program on the computer of this browser")

function reachFields({ roles, integration }: ConsentOffer, integrations: readonly string[]): Html {
  const [example = "github"] = integration === null ? integrations : [integration]
  const own = integration === null ? "" : `${integration}.**`
  const narrower = roles.filter(({ patterns }) => patterns.length > 0 && !patterns.includes("*") && !patterns.includes("**"))
  return html`<fieldset>
    <legend>What may it use?</legend>
    <label class="choice">
      <input type="radio" name="reach" value="all" ${integration === null ? "checked" : ""} />
      <span>Everything that I can use, now and later</span>
    </label>
    ${narrower.map(
      ({ id, name, patterns }) =>
        html`<label class="choice">
          <input type="radio" name="reach" value="role" data-patterns="${patterns.join(" ")}" />
          <span
            >Only what my role ${name}${name === id ? "" : html` <span class="soft">(${id})</span>`} allows now:
            <code>${patterns.join(" ")}</code></span
          >
        </label>`,
    )}
    <label class="choice">
      <input type="radio" name="reach" value="custom" ${integration === null ? "" : "checked"} />
      <span>Only tools that match these patterns:</span>
    </label>
    <div class="field" data-custom>
      <textarea rows="3" aria-label="Patterns" placeholder="${example}.**" spellcheck="false">${own}</textarea>
      <p class="hint">
        One a line: <code>${example}.**</code> is everything of ${example}, <code>${example}.*</code> only what is one level below.
      </p>
    </div>
  </fieldset>`
}

const modeFields = html`<fieldset>
  <legend>How may it ask you for approvals?</legend>
  <label class="choice">
    <input type="checkbox" name="mode" value="browser" checked disabled />
    <span>On the approval page of this server</span>
  </label>
  <label class="choice">
    <input type="checkbox" name="mode" value="native" />
    <span>In its own dialogs. <span class="soft">You then trust this program to pass on what you answered.</span></span>
  </label>
  <label class="choice">
    <input type="checkbox" name="mode" value="model" />
    <span>By its model, in the conversation. <span class="soft">You then trust the model as well.</span></span>
  </label>
</fieldset>`

const decided = html`<template id="decided">
  <h1>Done</h1>
  <p>The client has your answer. You can close this window.</p>
  <p class="soft">
    Revoke it at any time: <code>${executorCommandOnPages} tokens list</code>, then
    <code>${executorCommandOnPages} tokens revoke &lt;id&gt;</code>.
  </p>
</template>`

/** The client's mistake: it is the human who decides whether to go back to it. */
export const problemContent = ({ message, redirect, redirectTo }: ConsentProblem): Shown => ({
  title: "Not connected",
  content: html`<h1>This client cannot be connected</h1>
    <p>It sent a request that this server does not accept: ${message}.</p>
    <p><a href="${redirectTo}" rel="noreferrer">Back to the client at ${redirect.host}</a></p>`,
})

/** Nobody but the human is told: the address that the answer should go to may be anybody's. */
export const stoppedContent = (message: string): Shown => ({
  title: "Not connected",
  content: html`<h1>This client cannot be connected</h1>
    <p>${message}.</p>
    <p class="soft">Nothing was granted.</p>`,
})

export const consentShell: Shell = {
  script: consentScript,
  signedOut: html`<h1>Sign in to connect a client</h1>
    <p>A client wants to use your tools. Sign in first; then you see which one, and decide.</p>
    ${signInSteps}`,
  withoutScript: html`<p>Allow scripts for this address and open the link again; nothing was granted.</p>`,
}
