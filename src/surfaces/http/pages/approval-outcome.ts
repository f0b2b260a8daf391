// How an execution ended, for the human who answered: first in words, then its result.
import { isRecord } from "../../../core/json/record.ts"
import { executorCommandOnPages } from "../../../io/executor-command.ts"
import { html } from "hono/html"
import type { CallView, ExecutionView, LogLine, RunError, StructuredOutcome } from "../../../core/execution.ts"
import { safeJson, safeText } from "../../../core/text/safe.ts"
import type { Html } from "./frame.ts"

/** A browser lays this out at once, and nobody reads more than that on a page. */
const shownCharsMax = 20_000

type Ended = Exclude<StructuredOutcome, { status: "waiting_for_interaction" }>

/** `next`: what else waits for the human. */
export function outcomeOf(view: ExecutionView, next: Html): { readonly title: string; readonly content: Html } {
  const { structured } = view
  if (structured.status === "waiting_for_interaction" || structured.status === "running")
    return { title: "Running", content: running(view) }
  const headline = headlineOf(view)
  const content = html`<h1>${headline}</h1>
    <p>${endingOf(structured)} ${factsOf(view.calls)}</p>
    ${next} ${structured.error === undefined ? returned(structured.result, view) : thrown(structured.error, view)}
    ${structured.logs.length === 0 ? "" : logs(structured.logs, view)} ${codeOf(view)}`
  return { title: headline, content }
}

const running = (view: ExecutionView): Html =>
  html`<h1>Running</h1>
    <p data-running="${view.executionId}">This page updates when the execution ends or asks again.</p>
    ${codeOf(view)}`

/** From what the journal has, not from what the code returned: that is an agent's to choose. */
function headlineOf({ status, calls }: ExecutionView): string {
  if (status === "failed") return "Failed"
  if (status === "cancelled") return "Cancelled"
  const answers = calls.flatMap(({ approval }) => (approval === undefined ? [] : [approval.answer]))
  return answers.length > 0 && answers.every((answer) => answer === "decline") ? "Declined" : "Done"
}

function factsOf(calls: readonly CallView[]): string {
  const count = (isMeant: (call: CallView) => boolean): number => calls.filter(isMeant).length
  const isDeclined = ({ approval }: CallView): boolean => approval?.answer === "decline"
  const facts = [
    [count(({ approval }) => approval?.answer === "accept"), "approved"],
    [count(isDeclined), "declined"],
    [count((call) => call.error !== undefined && !isDeclined(call)), "unsuccessful"],
  ] as const
  const told = facts.filter(([many]) => many > 0).map(([many, what]) => `${many === 1 ? "1 call was" : `${many} calls were`} ${what}.`)
  return told.join(" ")
}

const endingOf = ({ error }: Ended): string => (error === undefined ? "The code completed." : `${errorTexts[error.code]}${placeOf(error)}.`)

const thrown = ({ name, message }: RunError, view: ExecutionView): Html => result("Error", `${name}: ${message}`, view)

const errorTexts: Record<RunError["code"], string> = {
  thrown: "The code threw an error",
  syntax: "The code has a syntax error",
  timeout: "The code took too long",
  cpu_limit: "The code used too much CPU time",
  memory_limit: "The code needed too much memory",
  output_limit: "The code returned too much",
  cancelled: "The execution was cancelled",
  approval_expired: "Nobody answered in time",
  replay_diverged: "The code behaved differently when it was run again",
  limit_reached: "The agent has used up its steps, calls or tokens",
  loop_detected: "The agent went in circles",
  model_error: "The agent's model gave no answer to go on with",
  internal: "Executor failed",
}

const placeOf = ({ line, column }: RunError): string =>
  line === undefined ? "" : ` (line ${line}${column === undefined ? "" : `, column ${column}`})`

/** The envelope of a call is often what code returns: of it only what the tool gave, or why it failed. */
function returned(value: unknown, view: ExecutionView): Html {
  if (value === null) return html`<p>It returned nothing.</p>`
  if (!isEnvelope(value)) return result("Result", value, view)
  return value["ok"] === true ? result("Result", value["data"], view) : result("Returned error", value["error"], view)
}

const isEnvelope = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) &&
  ((value["ok"] === true && "data" in value) || (value["ok"] === false && "error" in value)) &&
  Object.keys(value).every((key) => envelopeKeys.has(key))

const envelopeKeys = new Set(["ok", "data", "error", "http", "notice"])

function result(title: string, value: unknown, view: ExecutionView): Html {
  const cut = cutIn(value, view)
  if (cut !== null) return shown(title, cut.beginning, cut.totalChars, inPieces(view))
  const text = typeof value === "string" ? safeText(value) : safeJson(value, 2)
  return shown(title, text, text.length, inJson(view))
}

const logs = (lines: readonly LogLine[], view: ExecutionView): Html => {
  const text = lines.map(({ level, text: line }) => (level === "log" ? line : `[${level}] ${line}`)).join("\n")
  return shown("Logs", safeText(text), text.length, inJson(view))
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
  html`To see all of it, run: <code>${executorCommandOnPages} executions show ${executionId} --json</code>`
const inPieces = ({ executionId }: ExecutionView): Html =>
  html`The API returns it in pieces: <code>GET /api/executions/${executionId}/result?offset=0&amp;length=100000</code>`

/** What `structured` has in the place of a result that is too big for it; anything else that looks so is a result. */
function cutIn(value: unknown, { executionId }: ExecutionView): { readonly beginning: string; readonly totalChars: number } | null {
  if (!isRecord(value) || value["truncated"] !== true || !String(value["readMore"]).includes(executionId)) return null
  const { beginning, totalChars } = value
  return typeof beginning === "string" && typeof totalChars === "number" ? { beginning: safeText(beginning), totalChars } : null
}

const codeOf = (view: ExecutionView): Html =>
  html`<details>
    <summary>The code</summary>
    <pre tabindex="0"><code>${safeText(view.code)}</code></pre>
  </details>`
