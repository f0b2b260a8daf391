// Signing in with a browser.
//
// A link is only a page: opening it changes nothing, so that whoever previews links uses up no code. The page sends
// the code back as JSON, with its origin, and is given the cookie, and a key that it keeps for the pages of this origin.
import { html } from "hono/html"
import { ExecutorError } from "../../core/errors.ts"
import type { Html } from "./page-frame.ts"
import { pageFrame } from "./page-frame.ts"
import { approveStyle } from "./approve-style.ts"
import { actingPageResponse, pageScript } from "./session-response.ts"

const signInScript = pageScript(`
const status = document.getElementById("status")
const query = new URLSearchParams(location.search)
const next = /^\\/(approve(\\/[\\w-]+)?|api\\/oauth\\/(go|connect)\\/[\\w-]+)$/.test(query.get("next") ?? "") ? query.get("next") : "/approve"
const signIn = async () => {
  const response = await fetch("/signin", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ code: query.get("code") ?? "" }) })
  const { key, error } = await response.json()
  if (response.ok) {
    localStorage.setItem("executor-session-key", key)
    return location.replace(next)
  }
  status.textContent = error.message
}
signIn().catch(() => { status.textContent = "The server does not answer." })
`)

export const signInPage = async (requestId: string): Promise<Response> =>
  respond(
    "Sign in · Executor",
    html`<h1>Signing in…</h1>
      <p id="status" role="status" aria-live="polite" class="soft">One moment.</p>
      <noscript><p>This page needs JavaScript to sign you in.</p></noscript>
      ${signInScript.tag}`,
    requestId,
  )

async function respond(title: string, content: Html, requestId: string): Promise<Response> {
  const page = pageFrame(
    title,
    html`${approveStyle.tag}
      <main class="approve">${content}</main>`,
  )
  return actingPageResponse(String(await page), { status: 200, script: signInScript, style: approveStyle }, requestId)
}

export function readCode(body: unknown): string {
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : null
  if (typeof code !== "string") throw new ExecutorError("invalid_request", "The field 'code' is wrong: it is required (string)")
  return code
}
