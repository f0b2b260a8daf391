// The code behind a question, with the lines that ask marked in it.
import { html } from "hono/html"
import { safeText } from "../../../core/text/safe.ts"
import type { Html } from "./frame.ts"

/** A browser lays this out at once; nobody reads more than that before they answer. */
const charsMax = 100_000

/** `lines`: from 1. */
export function codeView(code: string, lines: ReadonlySet<number>): Html {
  const isCut = code.length > charsMax
  const shown = safeText(isCut ? code.slice(0, charsMax).replace(/[\ud800-\udbff]$/, "") : code).split("\n")
  return html`<pre class="code" tabindex="0"><code>${shown.map((text, index) => lineView(text, lines.has(index + 1)))}</code></pre>
    ${isCut ? html`<p class="soft">These are the first ${charsMax.toLocaleString("en")} characters of the code.</p>` : ""}`
}

/** Without white space of the template's own: all of it would be shown. */
const lineView = (text: string, isMarked: boolean): Html =>
  isMarked ? html`<mark class="line"><span class="said">This line asks: </span>${text} </mark>` : html`<span class="line">${text} </span>`
