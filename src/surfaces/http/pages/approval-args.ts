// The arguments of a call as a human reads them: one row for each value, long text with its line breaks, and bounded.
import { isRecord } from "../../../core/json/record.ts"
import { html } from "hono/html"
import { safeJson, safeText } from "../../../core/text/safe.ts"
import type { Html } from "./frame.ts"

/** More rows than this are easier to read as JSON. */
const rowsMax = 100
const lineCharsMax = 60
/** Beside the rows the same is offered as JSON, where that does not double a long page. */
const jsonCharsMax = 20_000

/** `wholeUrl`: where all of it is shown, if this is cut. */
export function argsView(args: unknown, charsMax: number, wholeUrl: string): Html {
  const text = safeJson(args, 2)
  if (text === "{}") return html`<p class="soft">None</p>`
  if (text.length > charsMax) {
    const part = text.slice(0, charsMax).replace(/[\ud800-\udbff]$/, "")
    return html`<pre tabindex="0"><code>${part}</code></pre>
      <p class="caution">
        These are the first ${part.length.toLocaleString("en")} of ${text.length.toLocaleString("en")} characters.
        <a href="${wholeUrl}">Read all of them before you approve.</a>
      </p>`
  }
  const rows = isRecord(args) ? leavesOf(args, "") : []
  if (rows.length === 0 || rows.length > rowsMax) return html`<pre tabindex="0"><code>${text}</code></pre>`
  return html`<dl class="args">
      ${rows.map(
        ([path, value]) =>
          html`<dt><code>${safeText(path)}</code></dt>
            <dd>${valueView(value)}</dd>`,
      )}
    </dl>
    ${
      rows.some(([, value]) => isLongText(value)) && text.length <= jsonCharsMax
        ? html`<details>
            <summary>The same as JSON</summary>
            <pre tabindex="0"><code>${text}</code></pre>
          </details>`
        : ""
    }`
}

function valueView(value: unknown): Html {
  if (isLongText(value)) return html`<pre class="text" tabindex="0">${safeText(value)}</pre>`
  return html`<code>${safeJson(value)}</code>`
}

const isLongText = (value: unknown): value is string => typeof value === "string" && (value.length > lineCharsMax || /[\n\r]/.test(value))

/** Objects and lists of objects are taken apart; a list of plain values is one value. */
function leavesOf(value: unknown, path: string): [string, unknown][] {
  if (isRecord(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, item]) => leavesOf(item, path === "" ? key : `${path}.${key}`))
  if (Array.isArray(value) && value.some((item) => isRecord(item) || Array.isArray(item) || isLongText(item)))
    return value.flatMap((item, index) => leavesOf(item, `${path}[${index}]`))
  return [[path, value]]
}
