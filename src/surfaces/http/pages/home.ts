// The page at `/`: that the server is running, and where to go. To whoever is signed in it says who they are; counts are for admins.
import { executorCommandOnPages } from "../../../io/executor-command.ts"
import type { Context } from "hono"
import { html } from "hono/html"
import { hasRight, localTenant } from "../../../core/principal.ts"
import type { Me } from "../../../core/people/user.ts"
import { safeLine } from "../../../core/text/safe.ts"
import { requireSession, sessionKeyHeader } from "../request/session-auth.ts"
import { addressed } from "../request/guard.ts"
import { jsonResponse } from "../response.ts"
import type { ServerParts, ServerStatus } from "../server-parts.ts"
import type { Html } from "./frame.ts"
import { approveStyle } from "./approval-style.ts"
import { pageBar, pageFrame } from "./frame.ts"
import { actingPageResponse, pageScript } from "./response.ts"
import type { PageEnv } from "./shell.ts"
import { sessionCode } from "./shell-script.ts"

const storeNames: Record<ServerStatus["store"], string> = { sqlite: "embedded SQLite", postgresql: "PostgreSQL" }

/** Who is signed in is known by the session's key alone, which only the script has. */
const script = pageScript(`${sessionCode}
const [who, signIn, content] = ["who", "sign-in", "content"].map((id) => document.getElementById(id))
const [name, button] = [who.querySelector("bdi"), who.querySelector("button")]
const start = async () => {
  const reply = readKey() === "" ? null : await ask("GET", "/").catch(() => null)
  signIn.hidden = reply?.isOk === true
  if (!reply?.isOk) return
  name.textContent = reply.answer.user
  who.hidden = false
  content.innerHTML = reply.answer.html
}
button.addEventListener("click", async () => {
  button.disabled = true
  await signOut().then(() => location.reload(), (error) => { name.textContent = error.message })
  button.disabled = false
})
addEventListener("storage", ({ key }) => { if (key === keyName) location.reload() })
start()
`)

const beside = html`<span class="soft" id="who" hidden>
    Signed in as <bdi></bdi> · <a href="/passkeys">Passkeys</a> <button class="quiet">Sign out</button>
  </span>
  <a id="sign-in" href="/signin?return=%2F" hidden>Sign in</a>`

export type HomeFacts = {
  readonly status: ServerStatus
  /** For programs. */
  readonly baseUrl: string
  readonly areCountsShown: boolean
  /** Whether the reader works on the machine where Executor runs, as far as that is known. */
  readonly isOnMachine: boolean
}

/** Like every page: the same for everybody, until its script asks again with the session's key. */
export async function serveHome(
  c: Context<PageEnv>,
  status: ServerStatus,
  publicUrl: string | undefined,
  parts: ServerParts,
): Promise<Response> {
  const { requestId, facts, localhostUrl } = c.env
  const own = `${facts.isSecure ? "https" : "http"}://${c.req.header("host")}`
  const baseUrl = publicUrl ?? (own === localhostUrl ? addressed(own) : own)
  if (!c.req.raw.headers.has(sessionKeyHeader)) {
    const page = await homePage({ status, baseUrl, areCountsShown: false, isOnMachine: publicUrl === undefined })
    return actingPageResponse(page, { status: 200, script, style: approveStyle }, requestId)
  }
  const who = await requireSession(c.req.raw, facts, parts)
  const isAdmin = hasRight(who, "admin") && who.tenant === localTenant
  const content = homeContent({ status, baseUrl, areCountsShown: isAdmin, isOnMachine: isAdmin })
  return jsonResponse(200, { user: nameOf(await parts.api(who).me()), html: String(await content) }, requestId)
}

const nameOf = ({ name, roles }: Me): string =>
  `${safeLine(name)} (${roles.length === 0 ? "no role" : roles.map(({ role }) => safeLine(role)).join(", ")})`

export async function homePage(facts: HomeFacts): Promise<string> {
  const page = pageFrame(
    "Executor",
    html`${approveStyle.tag} ${pageBar(beside)}
      <main class="home" id="content">${homeContent(facts)}</main>
      ${script.tag}`,
  )
  return String(await page)
}

const homeContent = ({ status, baseUrl, areCountsShown, isOnMachine }: HomeFacts): Html =>
  html`<h1>Executor</h1>
    <p class="soft">The tool plane for AI agents: every API as typed, searchable and governed functions in one catalog.</p>
    <p><span class="state">Running</span> <span class="soft">· version ${status.version} · ${storeNames[status.store]}</span></p>
    ${areCountsShown ? counts(status) : ""} ${isOnMachine ? steps(baseUrl, status.integrations === 0) : connect(baseUrl)}
    <h2>Links</h2>
    <ul class="links">
      <li><a href="/approve">Approvals</a></li>
      <li><a href="/api/docs">API reference</a></li>
      <li><a href="/api/openapi.json">OpenAPI document</a></li>
      <li><a href="/api/health">Health</a></li>
    </ul>`

const counts = ({ integrations, connections, tools }: ServerStatus): Html =>
  html`<dl class="counts">
    ${Object.entries({ Integrations: integrations, Connections: connections, Tools: tools }).map(
      ([name, count]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${count.toLocaleString("en")}</dd>
        </div> `,
    )}
  </dl>`

const connect = (baseUrl: string): Html =>
  html`<h2>Connect an agent</h2>
    <p>
      Give your MCP client the address <code>${baseUrl}/mcp</code>. It opens a page here on which you sign in and choose what it may use.
    </p>`

function steps(baseUrl: string, isEmpty: boolean): Html {
  const first = isEmpty
    ? html`<p>Take the one-minute tour. It needs no account and touches none of your data:</p>
        <pre tabindex="0"><code>${executorCommandOnPages} demo</code></pre>
        <p>Add your first API: OpenAPI, GraphQL or MCP, from a URL or a file. The demo comes with a small one:</p>
        <pre tabindex="0"><code>${executorCommandOnPages} demo --api        # in another terminal
${executorCommandOnPages} integrations add http://127.0.0.1:4790/openapi.json</code></pre>
        <p>Find a tool and call it:</p>
        <pre tabindex="0"><code>${executorCommandOnPages} tools search "which products run low"
${executorCommandOnPages} call shop.products.list stockMax=5</code></pre>`
    : html`<p>Find a tool and call it:</p>
        <pre tabindex="0"><code>${executorCommandOnPages} tools sources
${executorCommandOnPages} tools search "what you want to do"
${executorCommandOnPages} call --help &lt;path&gt;</code></pre>`
  return html`<h2>${isEmpty ? "Start here" : "Use it"}</h2>
    <p class="soft">Run these where Executor is installed; <code>${executorCommandOnPages} --help</code> lists the rest.</p>
    ${first} ${connect(baseUrl)}
    <p>A client that cannot do that needs a token of its own, which can call tools but never approve:</p>
    <pre tabindex="0"><code>${executorCommandOnPages} tokens create --agent --name my-agent</code></pre>
    <p>Or let it start Executor as a program: <code>${executorCommandOnPages} mcp --help</code> shows how.</p>
    <h2>From a program</h2>
    <pre tabindex="0"><code>curl "${baseUrl}/api/tools?limit=5" \\
  -H "authorization: Bearer $(cat \\
    "\${EXECUTOR_DATA_DIR:-$HOME/.local/share/executor}/token")"</code></pre>
    <p class="soft">The server prints where its token is when it starts; this is the usual place on Linux.</p>`
}
