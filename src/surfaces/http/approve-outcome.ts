// How an execution ended, for the human who answered: in words first, then what came of it.
import { html } from "hono/html"
import type { ExecutionView, LogLine, RunError, StructuredOutcome } from "../../core/execution.ts"
import { safeJson, safeText } from "../cli/text-safe.ts"
import type { Html } from "./page-frame.ts"

/** A browser lays this out at once, and nobody reads more than that on a page. */
const shownCharsMax = 20_000

const headlines = { running: "Running", paused: "Waiting", completed: "Done", failed: "Failed", cancelled: "Cancelled" }

type Ended = Exclude<StructuredOutcome, { status: "waiting_for_interaction" }>
type Ending = { readonly headline: string; readonly words: string; readonly value: unknown }

export function outcomeOf(view: ExecutionView): { readonly title: string; readonly content: Html } {
  const { structured } = view
  if (structured.status === "waiting_for_interaction" || structured.status === "running")
    return { title: "Running", content: running(view) }
  const { headline, words, value } = endingOf(view, structured)
  const content = html`<h1>${headline}</h1>
    <p>${safeText(words)}</p>
    ${value === undefined ? "" : result(value, view)} ${structured.logs.length === 0 ? "" : logs(structured.logs, view)} ${codeOf(view)}
    <p class="soft">There is nothing left to answer; you can close this page.</p>`
  return { title: headline, content }
}

const running = (view: ExecutionView): Html =>
  html`<h1>Running</h1>
    <p data-running>The execution goes on; this page shows how it ends.</p>
    ${codeOf(view)}`

/** The last call's envelope is often what code returns: its words are taken out of it. */
function endingOf(view: ExecutionView, { error, result: value }: Ended): Ending {
  if (error !== undefined) return { headline: headlines[view.status], words: `${errorWords(error)}${placeOf(error)}`, value: undefined }
  const failure = failureIn(value)
  if (failure !== null) {
    const { code, message, ...more } = failure
    const headline = declinedCodes.has(code) ? "Declined" : "Done, but a call failed"
    return { headline, words: `${message} (${code})`, value: Object.keys(more).length === 0 ? undefined : more }
  }
  if (value === null) return { headline: headlines[view.status], words: "The code ran to its end and returned nothing.", value: undefined }
  return { headline: headlines[view.status], words: "The code ran to its end. This is what it returned:", value: dataIn(value) }
}

const declinedCodes = new Set(["approval_declined"])

const errorTexts: Record<RunError["code"], string> = {
  thrown: "The code threw an error",
  syntax: "The code could not be read",
  timeout: "The code took too long",
  cpu_limit: "The code computed for too long",
  memory_limit: "The code needed too much memory",
  output_limit: "The code returned too much",
  cancelled: "The execution was cancelled",
  approval_expired: "Nobody answered in time",
  replay_diverged: "The code took another way when it was run again",
  internal: "Executor failed",
}

const errorWords = ({ code, name, message }: RunError): string => `${errorTexts[code]}: ${code === "thrown" ? `${name}: ` : ""}${message}`
const placeOf = ({ line, column }: RunError): string =>
  line === undefined ? "" : ` (line ${line}${column === undefined ? "" : `, column ${column}`})`

type Failure = { readonly code: string; readonly message: string; readonly [more: string]: unknown }

function failureIn(value: unknown): Failure | null {
  if (!isRecord(value) || value["ok"] !== false || !isRecord(value["error"])) return null
  const { code, message, ...more } = value["error"]
  return typeof code === "string" && typeof message === "string" ? { code, message, ...more } : null
}

/** Of an envelope what the tool gave; everything else as it is. */
const dataIn = (value: unknown): unknown =>
  isRecord(value) && value["ok"] === true && "data" in value && Object.keys(value).every((key) => envelopeKeys.has(key))
    ? value["data"]
    : value

const envelopeKeys = new Set(["ok", "data", "http"])

function result(value: unknown, view: ExecutionView): Html {
  const cut = cutIn(value)
  if (cut !== null) return shown("Result", cut.beginning, cut.totalChars, inPieces(view))
  const text = typeof value === "string" ? safeText(value) : safeJson(value, 2)
  return shown("Result", text, text.length, inJson(view))
}

const logs = (lines: readonly LogLine[], view: ExecutionView): Html => {
  const text = lines.map(({ level, text: line }) => (level === "log" ? line : `[${level}] ${line}`)).join("\n")
  return shown("What it logged", safeText(text), text.length, inJson(view))
}

function shown(title: string, text: string, totalChars: number, readMore: Html): Html {
  const part = text.length <= shownCharsMax ? text : text.slice(0, shownCharsMax).replace(/[\ud800-\udbff]$/, "")
  return html`<h2>${title}</h2>
    <pre class="outcome" tabindex="0"><code>${part}</code></pre>
    ${
      totalChars <= part.length
        ? ""
        : html`<p class="soft">
            These are the first ${part.length.toLocaleString("en")} of ${totalChars.toLocaleString("en")} characters. ${readMore}
          </p>`
    }`
}

const inJson = ({ executionId }: ExecutionView): Html =>
  html`All of it, in a terminal: <code>npx executor executions show ${executionId} --json</code>`
const inPieces = ({ executionId }: ExecutionView): Html =>
  html`The API reads it in pieces: <code>GET /api/executions/${executionId}/result?offset=0&amp;length=100000</code>`

/** What `structured` has in the place of a result that is too big for it. */
function cutIn(value: unknown): { readonly beginning: string; readonly totalChars: number } | null {
  if (!isRecord(value) || value["truncated"] !== true) return null
  const { beginning, totalChars } = value
  return typeof beginning === "string" && typeof totalChars === "number" ? { beginning: safeText(beginning), totalChars } : null
}

const codeOf = (view: ExecutionView): Html =>
  html`<details>
    <summary>The code</summary>
    <pre tabindex="0"><code>${safeText(view.code)}</code></pre>
  </details>`

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value)
