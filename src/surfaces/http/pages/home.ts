// The page at `/`: that the server is running, what it holds, and where to go. It is public, so it shows counts only.
import { executorCommandOnPages } from "../../../io/executor-command.ts"
import { html } from "hono/html"
import type { ServerStatus } from "../server-parts.ts"
import type { Html } from "./frame.ts"
import { pageBar, pageFrame } from "./frame.ts"

const storeNames: Record<ServerStatus["store"], string> = { sqlite: "embedded SQLite", postgresql: "PostgreSQL" }

export async function homePage(status: ServerStatus, baseUrl: string): Promise<string> {
  const counts = { Integrations: status.integrations, Connections: status.connections, Tools: status.tools }
  const page = pageFrame(
    "Executor",
    html`${pageBar()}
      <main class="home">
        <h1>Executor</h1>
        <p class="soft">The tool plane for AI agents: every API as typed, searchable and governed functions in one catalog.</p>
        <p><span class="state">Running</span> <span class="soft">· version ${status.version} · ${storeNames[status.store]}</span></p>
        <dl class="counts">
          ${Object.entries(counts).map(
            ([name, count]) =>
              html`<div>
                <dt>${name}</dt>
                <dd>${count.toLocaleString("en")}</dd>
              </div> `,
          )}
        </dl>
        ${steps(baseUrl, status.integrations === 0)}
        <h2>Links</h2>
        <ul class="links">
          <li><a href="/approve">Approvals</a></li>
          <li><a href="/api/docs">API reference</a></li>
          <li><a href="/api/openapi.json">OpenAPI document</a></li>
          <li><a href="/api/health">Health</a></li>
        </ul>
      </main>`,
  )
  return String(await page)
}

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
    ${first}
    <h2>Connect an agent</h2>
    <p>Give it the address <code>${baseUrl}/mcp</code> and a token of its own, which can call tools but never approve:</p>
    <pre tabindex="0"><code>${executorCommandOnPages} tokens create --agent --name my-agent</code></pre>
    <p>Or let it start Executor as a program: <code>${executorCommandOnPages} mcp --help</code> shows how.</p>
    <h2>From a program</h2>
    <pre tabindex="0"><code>curl "${baseUrl}/api/tools?limit=5" \\
  -H "authorization: Bearer $(cat \\
    "\${EXECUTOR_DATA_DIR:-$HOME/.local/share/executor}/token")"</code></pre>
    <p class="soft">The server prints where its token is when it starts; this is the usual place on Linux.</p>`
}
