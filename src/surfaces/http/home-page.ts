// The page at `/`: that the server is up, what it holds, and where to go. Open to all, so it shows counts only.
import { html } from "hono/html"
import type { ServerStatus } from "./server-parts.ts"
import type { Html } from "./page-frame.ts"
import { pageFrame } from "./page-frame.ts"

const storeNames: Record<ServerStatus["store"], string> = { sqlite: "embedded SQLite", postgresql: "PostgreSQL" }

export async function homePage(status: ServerStatus, baseUrl: string): Promise<string> {
  const counts = { Integrations: status.integrations, Connections: status.connections, Tools: status.tools }
  const page = pageFrame(
    "Executor",
    html`<main class="home">
      <h1>Executor</h1>
      <p class="soft">The tool plane for AI agents: every API as a typed, searchable, governed function in one catalog.</p>
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
      <h2>Where to go</h2>
      <ul class="links">
        <li><a href="/api/docs">API reference</a></li>
        <li><a href="/api/openapi.json">OpenAPI document</a></li>
        <li><a href="/api/health">Health</a></li>
      </ul>
    </main>`,
  )
  return String(await page)
}

function steps(baseUrl: string, isEmpty: boolean): Html {
  const curl = (path: string): string => `curl "$EXECUTOR_ORIGIN${path}" \\
  -H "authorization: Bearer $EXECUTOR_TOKEN"`
  const setUp = `export EXECUTOR_ORIGIN=${baseUrl}/api
export EXECUTOR_TOKEN=$(cat \\
  "\${EXECUTOR_DATA_DIR:-$HOME/.local/share/executor}/token")`
  const add = `${curl("/integrations")} --json '{
  "slug": "petstore",
  "kind": "openapi",
  "config": { "spec": "https://petstore3.swagger.io/api/v3/openapi.json" }
}'
${curl("/connections")} --json '{
  "integration": "petstore",
  "auth": { "template": "none" }
}'`
  const list = `${curl("/tools?limit=5")}
npx executor --help`
  return html`<h2>${isEmpty ? "Start here" : "Try it"}</h2>
    <p>Take the token of this server. Its place was printed when the server started; on Linux it is:</p>
    <pre tabindex="0"><code>${setUp}</code></pre>
    <p>${isEmpty ? "Add your first API and connect it:" : "Add another API and connect it:"}</p>
    <pre tabindex="0"><code>${add}</code></pre>
    <p>See the tools that it became:</p>
    <pre tabindex="0"><code>${list}</code></pre>`
}
