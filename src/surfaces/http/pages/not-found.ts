// The page for an address without a page, or whose page cannot be shown.
import { html } from "hono/html"
import { pageBar, pageFrame } from "./frame.ts"

/** Programs get JSON; a browser that opens an address says that it wants a page. */
export const wantsPage = ({ method, headers }: Request, path: string): boolean =>
  (method === "GET" || method === "HEAD") && !/^\/(api|mcp)(\/|$)/.test(path) && (headers.get("accept") ?? "").includes("text/html")

export async function problemPageHtml(title: string, message: string): Promise<string> {
  const page = pageFrame(
    `${title} · Executor`,
    html`${pageBar()}
      <main class="home">
        <h1>${title}</h1>
        <p>${message}</p>
        <ul class="links">
          <li><a href="/">Home</a></li>
          <li><a href="/inbox">Inbox</a></li>
          <li><a href="/api/docs">API reference</a></li>
        </ul>
      </main>`,
  )
  return String(await page)
}
