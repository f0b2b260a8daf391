// Pages for signed-in humans: a shell that is the same for everybody, and content that it requests with the session's key.
//
// A browser that opens a page sends its cookie alone, and every server of the host is sent that, whatever its port. So
// the cookie shows nothing. The shell's script asks for the same path again with the session's key, which only pages of
// this origin can read, and puts the content in its place.
import { executorCommandOnPages } from "../../../io/executor-command.ts"
import type { Context } from "hono"
import { html } from "hono/html"
import type { Principal } from "../../../core/principal.ts"
import type { RequestFacts } from "../../../core/request-facts.ts"
import { safeText } from "../../../core/text/safe.ts"
import { approveStyle } from "./approval-style.ts"
import type { Html } from "./frame.ts"
import { pageBar, pageFrame } from "./frame.ts"
import { jsonResponse } from "../response.ts"
import { requireSession, sessionKeyHeader } from "../request/session-auth.ts"
import type { SessionAuthenticator } from "../request/session-auth.ts"
import { actingPageResponse } from "./response.ts"
import type { PageAsset } from "./response.ts"

/** What handlers find in `c.env`. */
export type PageEnv = {
  Bindings: {
    readonly requestId: string
    readonly facts: RequestFacts
    /** Where browsers on this machine go; null where that name is not the server's alone. */
    readonly localhostUrl: string | null
  }
}

export type PageContent = { readonly status: number; readonly title: string; readonly content: Html }

export type Shell = {
  /** What the page does: `shellCode` first. */
  readonly script: PageAsset
  /** For whoever is not signed in. */
  readonly signedOut: Html
  /** For whoever allows no scripts. */
  readonly withoutScript: Html
}

/** Shows the shell to browsers, and the content to the shell. */
export async function servePage(
  c: Context<PageEnv>,
  shell: Shell,
  show: (who: Principal) => Promise<PageContent>,
  parts: SessionAuthenticator,
): Promise<Response> {
  if (!c.req.raw.headers.has(sessionKeyHeader)) return shellResponse(shell, c.env.requestId)
  const who = await requireSession(c.req.raw, c.env.facts, parts)
  return contentResponse(await show(who), who, c.env.requestId)
}

export async function contentResponse({ status, title, content }: PageContent, who: Principal, requestId: string): Promise<Response> {
  return jsonResponse(status, { title: `${title} · Executor`, user: safeText(who.user), html: String(await content) }, requestId)
}

export async function shellResponse({ script, signedOut, withoutScript }: Shell, requestId: string): Promise<Response> {
  const page = pageFrame(
    "Executor",
    html`${approveStyle.tag}
      ${pageBar(html`<span class="soft" id="who" hidden>Signed in as <span></span> · <a href="/passkeys">Passkeys</a> <button class="quiet">Sign out</button></span>`)}
      <main class="approve">
        <div id="status" role="status" aria-live="polite" tabindex="-1"></div>
        <div id="content">
          <noscript>
            <h1>This page needs JavaScript</h1>
            <p>A script proves to the server that the request comes from one of its own pages.</p>
            ${withoutScript}
          </noscript>
        </div>
        <template id="signed-out"><div data-signed-out>${signedOut}</div></template>
      </main>
      ${script.tag}`,
  )
  return actingPageResponse(String(await page), { status: 200, script, style: approveStyle }, requestId)
}

const signInCommand = html`<p>Or run this on the machine where Executor runs. It opens a browser with a link that signs you in:</p>
  <pre tabindex="0"><code>${executorCommandOnPages} web</code></pre>`

/** What to do to be signed in, on a page that notices when it is done. The page's script adds where the link leads back to. */
export const signInSteps = html`<p><a class="button" data-sign-in href="/signin">Sign in</a></p>
  ${signInCommand}
  <p class="soft">Once you are signed in, this page continues automatically.</p>`
