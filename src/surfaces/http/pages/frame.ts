// The frame of the HTML pages: one document, one style, light and dark, and the way from each page to the others.
import { createHash } from "node:crypto"
import { html, raw } from "hono/html"
import { pageStyle } from "./style.ts"

export type Html = ReturnType<typeof html>

/** The style is allowed by its hash, so the pages need neither `unsafe-inline` nor a second request. */
export const styleHash = `sha256-${createHash("sha256").update(pageStyle).digest("base64")}`

/** Written apart from the template, whose layout is a formatter's: one more space would change the hash. */
const style = raw(`<style>${pageStyle}</style>`)

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4f46e5"/><path d="M9 10l7 6-7 6M18 22h6" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>'

const icon = `data:image/svg+xml,${encodeURIComponent(logo)}`

export const pageFrame = (title: string, content: Html): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${icon}" />
        ${style}
      </head>
      <body>
        ${content}
      </body>
    </html> `

export const pageBar = (): Html =>
  html`<header class="bar">
    <nav aria-label="Executor">
      <a class="brand" href="/">${raw(logo)}Executor</a> <a href="/inbox">Inbox</a> <a href="/api/docs">API reference</a>
    </nav>
  </header>`

/** Text in which backticks mark code. */
export const prose = (text: string): Html[] =>
  text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
