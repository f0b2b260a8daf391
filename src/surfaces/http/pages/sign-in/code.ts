// Signing in from a browser with a one-time code.
//
// A link is only a page: opening it changes nothing, so that whoever previews links uses up no code. The page sends
// the code back as JSON, with its origin, and is given the cookie, and a key that it keeps for the pages of this origin.
// Where a page of another origin led here, a human clicks first: the code may be somebody else's, who wants them to work
// in that name.
import { html } from "hono/html"
import { ExecutorError } from "../../../../core/errors.ts"
import { executorCommandOnPages } from "../../../../io/executor-command.ts"
import { approveStyle } from "../approval-style.ts"
import { pageBar, pageFrame } from "../frame.ts"
import { signInSteps } from "../shell.ts"
import { actingPageResponse, pageScript } from "../response.ts"
import { returnCode } from "./script.ts"

/** A link that was used already leads whoever is signed in by it to where it led them before. */
const signInScript = pageScript(`${returnCode}
const keyName = "executor-session-key"
const query = new URLSearchParams(location.search)
const next = pathOf(query.get("return") ?? query.get("next")) ?? "/inbox"
const fail = (text) => {
  document.title = "Sign in · Executor"
  const refused = document.getElementById("refused").content.cloneNode(true)
  if (text !== null) refused.querySelector("[data-reason]").textContent = text
  document.getElementById("content").replaceChildren(refused)
}
const isSignedIn = async () => {
  const key = localStorage.getItem(keyName) ?? ""
  return key !== "" && (await fetch("/api/me", { headers: { "x-executor-session-key": key } })).ok
}
const signIn = async () => {
  const response = await fetch("/signin", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ code: query.get("code") }) })
  const answer = await response.json()
  if (response.ok) localStorage.setItem(keyName, answer.key)
  if (response.ok || (await isSignedIn())) return location.replace(next)
  fail(response.status === 401 ? null : answer.error.message + ".")
}
addEventListener("storage", (event) => { if (event.key === keyName && event.newValue !== null) location.replace(next) })
const start = () => signIn().catch(() => fail("Executor is not responding. Start it, then open the link again."))
const confirm = document.querySelector("[data-confirm]")
if (confirm === null) start()
else confirm.addEventListener("click", () => { confirm.disabled = true; start() })
`)

const refused = html`<template id="refused">
  <h1>This sign-in link does not work</h1>
  <p data-reason>A link works once and expires after a few minutes. This one has been used or has expired.</p>
  ${signInSteps}
</template>`

const signingIn = html`<h1>Signing in…</h1>
  <noscript><p>This page needs JavaScript to sign you in.</p></noscript>`

const asking = html`<h1>Sign in with this link?</h1>
  <p>
    Another page led you here. Go on only if you made this link yourself, with <code>${executorCommandOnPages} web</code>: whoever made it
    decides in whose name you are signed in.
  </p>
  <p><button class="primary" data-confirm>Sign in</button></p>`

/** By what browsers say of a navigation; other programs on this machine are other origins, on the same site. */
const isLedByOthers = (headers: Headers): boolean => ["cross-site", "same-site"].includes(headers.get("sec-fetch-site") ?? "")

export async function codePage(headers: Headers, requestId: string): Promise<Response> {
  const page = pageFrame(
    "Sign in · Executor",
    html`${approveStyle.tag} ${pageBar()}
      <main class="approve">
        <div id="content" role="status" aria-live="polite">${isLedByOthers(headers) ? asking : signingIn}</div>
        ${refused} ${signInScript.tag}
      </main>`,
  )
  return actingPageResponse(String(await page), { status: 200, script: signInScript, style: approveStyle }, requestId)
}

export function readCode(body: unknown): string {
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : null
  if (typeof code !== "string") throw new ExecutorError("invalid_request", "The field 'code' is wrong: it is required (string)")
  return code
}
