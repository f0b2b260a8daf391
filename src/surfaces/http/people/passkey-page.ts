// The page at `/passkeys`, where people manage their passkeys.
import { html } from "hono/html"
import type { PasskeyOffer, PasskeyView } from "../../../core/people/passkey.ts"
import { safeText } from "../../../core/text/safe.ts"
import { executorCommandOnPages } from "../../../io/executor-command.ts"
import type { Html } from "../pages/frame.ts"
import { pageScript } from "../pages/response.ts"
import { shellCode } from "../pages/shell-script.ts"
import { signInSteps } from "../pages/shell.ts"
import type { PageContent, Shell } from "../pages/shell.ts"
import { passkeyCode } from "./passkey-script.ts"

const script = pageScript(`${shellCode}${passkeyCode}
const change = async (method, path, body) => { const reply = await ask(method, path, body); if (!reply.isOk) throw refusal(reply); return reply.answer }
const send = (path, body) => change("POST", path, body)
const load = async () => {
  await askToShow("GET")
  const add = content.querySelector("[data-add]")
  if (add !== null) add.onclick = () => act("Follow your browser…", () => usePasskey("create", "/passkeys", {}, { name: thisDevice() }))
  for (const row of content.querySelectorAll("[data-passkey]")) {
    const path = "/api/passkeys/" + encodeURIComponent(row.dataset.passkey)
    const field = row.querySelector("input")
    row.querySelector("[data-rename]").onclick = () => act("Renaming…", () => change("PATCH", path, { name: field.value }))
    row.querySelector("[data-remove]").onclick = () => act("Removing…", () => change("DELETE", path))
  }
}
begin()
`)

export const passkeyShell: Shell = {
  script,
  signedOut: html`<h1>Sign in first</h1>
    <p>Passkeys belong to an account. Sign in to yours to add one.</p>
    ${signInSteps}`,
  withoutScript: html`<p>Allow scripts for this address and load the page again.</p>`,
}

/** `providers`: the names of those at which its owner can sign in instead. */
export const passkeyContent = (passkeys: readonly PasskeyView[], place: PasskeyOffer, providers: readonly string[]): PageContent => ({
  status: 200,
  title: "Passkeys",
  content: html`<h1>Passkeys</h1>
    <p>With a passkey you sign in by your fingerprint, your face or a security key, without a password.</p>
    ${passkeys.length === 0 ? html`<p class="soft">You have none yet.</p>` : passkeyList(passkeys, lossOf(passkeys, providers))}
    ${passkeyOr(place, "/passkeys", addButton)}
    ${place.kind === "off" ? html`<p class="caution">Signing in with passkeys is turned off here.</p>` : ""}
    ${passkeys.length === 1 && place.kind !== "off" ? html`<p class="soft">Add a second one, on another device, in case you lose the first.</p>` : ""}`,
})

const addButton = html`<div class="actions"><button class="primary" data-add>Add a passkey</button></div>`

/** Nothing where they are turned off. `path`: of the same page. */
export function passkeyOr(place: PasskeyOffer, path: string, button: Html): Html {
  switch (place.kind) {
    case "works":
      return button
    case "elsewhere":
      return elsewhere(place.url, path)
    case "off":
      return html``
  }
}

/** Where passkeys do not work here. */
const elsewhere = (url: string | null, path: string): Html =>
  url === null
    ? html`<p class="caution">
        Passkeys need an address that begins with https://. Whoever runs this server sets it with <code>EXECUTOR_PUBLIC_URL</code>.
      </p>`
    : html`<p class="caution">Passkeys do not work at this address. Open <a href="${url}${path}">${url}${path}</a> instead.</p>`

/** What its owner should know before one is removed. */
function lossOf({ length }: readonly PasskeyView[], providers: readonly string[]): Html {
  if (length > 1) return html`It will not sign you in any more. Your other passkeys still do.`
  if (providers.length > 0)
    return html`This is your only passkey. Without it you sign in with ${safeText(providers.join(" or "))}, if you have an account there.`
  return html`This is your only passkey, and there is no other way to sign in but <code>${executorCommandOnPages} web</code> on the machine
    where Executor runs, or a new invitation from an admin. Add another passkey first.`
}

const passkeyList = (passkeys: readonly PasskeyView[], loss: Html): Html =>
  html`<ul class="inbox">
    ${passkeys.map(
      (passkey) =>
        html`<li data-passkey="${passkey.id}">
          <div class="field">
            <label for="${passkey.id}">Name</label>
            <input id="${passkey.id}" value="${safeText(passkey.name)}" maxlength="200" />
          </div>
          <p class="soft">
            Added ${time(passkey.createdAt)} · ${passkey.lastUsedAt === null ? "never used" : html`last used ${time(passkey.lastUsedAt)}`} ·
            ${passkey.isSynced ? "on all your devices" : "on one device"}
          </p>
          <div class="actions"><button class="quiet" data-rename>Rename</button></div>
          <details>
            <summary>Remove…</summary>
            <p class="caution">${loss}</p>
            <div class="actions"><button class="quiet" data-remove>Remove this passkey</button></div>
          </details>
        </li>`,
    )}
  </ul>`

const time = (iso: string): Html => html`<time datetime="${iso}">${iso}</time>`
