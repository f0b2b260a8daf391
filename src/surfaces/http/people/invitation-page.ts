// The page at `/invite`, where somebody accepts an invitation.
//
// The link's token stands behind `#`, so that no log and no other site has it; the page's script hands it over.
import { html } from "hono/html"
import type { InvitationOffer, PasskeyOffer } from "../../../core/people/passkey.ts"
import type { SignInOffer } from "../../../core/people/sign-in.ts"
import { localTenant } from "../../../core/principal.ts"
import { safeLine } from "../../../core/text/safe.ts"
import { approveStyle } from "../pages/approval-style.ts"
import type { Html } from "../pages/frame.ts"
import { pageBar, pageFrame } from "../pages/frame.ts"
import { actingPageResponse, pageScript } from "../pages/response.ts"
import { sendCode } from "../pages/sign-in/script.ts"
import { passkeyOr } from "./passkey-page.ts"
import { passkeyCode } from "./passkey-script.ts"

const script = pageScript(`${sendCode}const content = document.getElementById("content")
${passkeyCode}
const token = location.hash.slice(1)
const setBusy = (isBusy) => { for (const button of document.querySelectorAll("button")) button.disabled = isBusy }
const run = (text, work) => async () => {
  setBusy(true)
  say(text, false)
  await work().catch((error) => { setBusy(false); say(error.message, true) })
}
const typedName = () => {
  const field = content.querySelector("#name")
  field.removeAttribute("aria-invalid")
  if (field.value.trim() === "") { field.setAttribute("aria-invalid", "true"); throw new Error("Type your name first.") }
  return field.value.trim()
}
const accept = async () => {
  const given = { token, name: typedName() }
  const { key } = await usePasskey("create", "/invite", given, { ...given, passkeyName: thisDevice() })
  localStorage.setItem("executor-session-key", key)
  location.replace("/inbox")
}
const leave = async ({ oidc, tenant }) => {
  const { url, key } = await send("/api/signin/oidc/" + encodeURIComponent(oidc), { tenant, invitation: token })
  if (!/^https?:/.test(url)) throw new Error("The provider's address cannot be opened.")
  sessionStorage.setItem("executor-signin-key", key)
  location.assign(url)
}
const show = async () => {
  const { title, html } = await send("/invite/open", { token })
  document.title = title
  content.innerHTML = html
  for (const time of content.querySelectorAll("time")) time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })
  for (const link of content.querySelectorAll("a[href$='/invite']")) link.hash = location.hash
  content.querySelector("[data-passkey]")?.addEventListener("click", run("Follow your browser…", accept))
  for (const button of content.querySelectorAll("[data-oidc]")) button.addEventListener("click", run("On to the provider…", () => leave(button.dataset)))
}
const fail = (error) => {
  document.title = "Invitation · Executor"
  content.replaceChildren(document.getElementById("refused").content.cloneNode(true))
  content.querySelector("[data-reason]").textContent = error.message
}
addEventListener("hashchange", () => location.reload())
show().catch(fail)
`)

export async function invitationPage(requestId: string): Promise<Response> {
  const page = pageFrame(
    "Invitation · Executor",
    html`${approveStyle.tag} ${pageBar()}
      <main class="approve">
        <div id="status" role="status" aria-live="polite" tabindex="-1"></div>
        <div id="content">
          <h1>Opening your invitation…</h1>
          <noscript><p>This page needs JavaScript. Allow scripts for this address and open the link again.</p></noscript>
        </div>
        <template id="refused">
          <h1>This invitation does not work</h1>
          <p data-reason></p>
          <p>Already have an account? <a href="/signin">Sign in</a>.</p>
        </template>
      </main>
      ${script.tag}`,
  )
  return actingPageResponse(String(await page), { status: 200, script, style: approveStyle }, requestId)
}

export const invitationContent = (offer: InvitationOffer, providers: readonly SignInOffer[], given: PasskeyOffer): Html => {
  const place: PasskeyOffer = offer.vouchedBy === null ? given : { kind: "off" }
  return html`<h1>You are invited${offer.tenant === localTenant ? "" : html` to ${safeLine(offer.tenant)}`}</h1>
    <p><strong>${safeLine(offer.invitedBy)}</strong> invites you to Executor, where you see what agents do and approve their calls.</p>
    <dl class="facts">
      <dt>Your roles</dt>
      <dd>${offer.roles.length === 0 ? "None yet" : offer.roles.map(safeLine).join(", ")}</dd>
      ${
        offer.email === null
          ? ""
          : html`<dt>For</dt>
              <dd>${safeLine(offer.email)}</dd>`
      }
      <dt>Works until</dt>
      <dd><time datetime="${offer.expiresAt}">${offer.expiresAt}</time></dd>
    </dl>
    <div class="field">
      <label for="name">Your name</label>
      <input id="name" value="${offer.name === "Invited" ? "" : safeLine(offer.name)}" maxlength="200" autocomplete="name" />
    </div>
    <div class="methods">
      ${passkeyOr(place, "/invite", html`<button class="primary" data-passkey>Accept with a passkey</button>`)}
      ${providers.map(
        ({ id, name }) =>
          html`<button ${place.kind === "works" ? "" : html`class="primary"`} data-oidc="${id}" data-tenant="${offer.tenant}">
            Accept with ${safeLine(name)}
          </button>`,
      )}
    </div>
    ${
      offer.vouchedBy === null
        ? ""
        : html`<p>Sign in at ${safeLine(offer.vouchedBy)} as ${safeLine(offer.email ?? "")}, which shows that the address is yours.</p>`
    }
    ${place.kind === "off" ? "" : html`<p class="soft">A passkey is your fingerprint, your face or a security key. There is no password. Once you are in, add a second one on another device, under <em>Passkeys</em>, in case you lose this one.</p>`}
    ${place.kind === "off" && providers.length === 0 ? html`<p class="caution">Nobody can sign in here yet: an admin has to add a sign-in provider first.</p>` : ""}`
}
