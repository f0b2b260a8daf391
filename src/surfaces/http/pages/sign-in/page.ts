// The pages of signing in: the methods of a tenant, and what a provider returns to.
import { html } from "hono/html"
import { localTenant } from "../../../../core/principal.ts"
import type { SignInOffer, SignInTested } from "../../../../core/people/sign-in.ts"
import type { PasskeyOffer } from "../../../../core/people/passkey.ts"
import { safeJson, safeLine } from "../../../../core/text/safe.ts"
import { executorCommandOnPages } from "../../../../io/executor-command.ts"
import { passkeyOr } from "../../people/passkey-page.ts"
import { approveStyle } from "../approval-style.ts"
import type { Html } from "../frame.ts"
import { pageBar, pageFrame } from "../frame.ts"
import { actingPageResponse } from "../response.ts"
import { callbackScript, methodsScript } from "./script.ts"

export type SignInPageFacts = {
  readonly tenant: string
  readonly offers: readonly SignInOffer[]
  readonly passkeys: PasskeyOffer
  /** The provider whose test this page leads to. */
  readonly tested: string | null
}

export async function methodsPage(facts: SignInPageFacts, requestId: string): Promise<Response> {
  const page = pageFrame(
    "Sign in · Executor",
    html`${approveStyle.tag} ${pageBar()}
      <main class="approve">
        <div id="status" role="status" aria-live="polite" tabindex="-1"></div>
        ${facts.tested === null ? methods(facts) : test(facts, facts.tested)}
      </main>
      ${methodsScript.tag}`,
  )
  return actingPageResponse(String(await page), { status: 200, script: methodsScript, style: approveStyle }, requestId)
}

const methods = ({ tenant, offers, passkeys }: SignInPageFacts): Html =>
  html`<h1>Sign in${tenant === localTenant ? "" : html` to ${safeLine(tenant)}`}</h1>
    <noscript><p>This page needs JavaScript to sign you in.</p></noscript>
    <div id="methods" class="methods" data-tenant="${tenant}">
      ${offers.map(({ id, name }) => html`<button class="primary" data-oidc="${id}">Continue with ${safeLine(name)}</button>`)}
      ${passkeyOr(passkeys, "/signin", html`<button class="primary" data-passkey>Sign in with a passkey</button>`)}
    </div>
    ${
      offers.length === 0
        ? machine
        : html`<details>
            <summary>On the machine where Executor runs</summary>
            ${machine}
          </details>`
    }
    <p>Already signed in? <a href="/inbox">Go to your inbox</a>.</p>`

const machine = html`<p>Run this on the machine where Executor runs. It opens a browser with a link that signs you in:</p>
  <pre tabindex="0"><code>${executorCommandOnPages} web</code></pre>`

const test = ({ tenant, offers }: SignInPageFacts, tested: string): Html => {
  const offer = offers.find(({ id }) => id === tested)
  return html`<h1>Test a sign-in provider</h1>
    <p>
      You sign in at the provider and then see what it says about you, and which roles that would give you here. Nothing is saved, and you
      are not signed in here.
    </p>
    <div id="methods" class="methods" data-tenant="${tenant}">
      ${offer === undefined ? html`<p>This provider does not exist any more.</p>` : html`<button class="primary" data-oidc="${offer.id}">Test ${safeLine(offer.name)}</button>`}
    </div>`
}

/** The same for everybody: what came with the address is handed over by the script. */
export async function callbackPage(requestId: string): Promise<Response> {
  const page = pageFrame(
    "Sign in · Executor",
    html`${approveStyle.tag} ${pageBar()}
      <main class="approve">
        <div id="status" role="status" aria-live="polite" tabindex="-1"></div>
        <div id="content">
          <h1>Signing in…</h1>
          <noscript><p>This page needs JavaScript to sign you in. Allow scripts for this address and start again.</p></noscript>
        </div>
        <template id="refused">
          <h1 tabindex="-1">You are not signed in</h1>
          <p data-reason></p>
          <p><a id="again" href="/signin">Try again</a></p>
        </template>
      </main>
      ${callbackScript.tag}`,
  )
  return actingPageResponse(String(await page), { status: 200, script: callbackScript, style: approveStyle }, requestId)
}

export const testedContent = (provider: string, { claims, values, roles, refusal }: SignInTested): Html =>
  html`<h1>${safeLine(provider)} works</h1>
    <p>
      ${refusal === null ? "This person would be signed in." : html`<strong>This person would not be signed in.</strong> ${refusal}.`}
      Nothing was saved.
    </p>
    <dl class="facts">
      <dt>Roles</dt>
      <dd>${roles.length === 0 ? "None" : roles.join(", ")}</dd>
      <dt>Values of the claim</dt>
      <dd>
        ${
          values.length === 0
            ? "None"
            : html`<ul>
                ${values.slice(0, shownMax).map((value) => html`<li><code>${safeLine(value)}</code></li>`)}
              </ul>`
        }
        ${values.length > shownMax ? `and ${values.length - shownMax} more` : ""}
      </dd>
    </dl>
    <h2>Claims</h2>
    <pre tabindex="0"><code>${safeJson(claims, 2).slice(0, claimsCharsMax)}</code></pre>
    <p class="soft">You can close this window.</p>`

const shownMax = 100
const claimsCharsMax = 50_000
