// The approval page: what an agent asks for, shown whole and as text, and the human's answer to it.
import { html } from "hono/html"
import { ExecutorError } from "../../core/errors.ts"
import type { ApprovalView, ExecutionView, Interaction } from "../../core/execution.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { PolicyView } from "../../core/policy.ts"
import type { Principal } from "../../core/principal.ts"
import { safeJson, safeText } from "../cli/text-safe.ts"
import { formFields } from "./approve-form.ts"
import { approveScript } from "./approve-script.ts"
import { approveStyle } from "./approve-style.ts"
import type { Html } from "./page-frame.ts"
import { pageFrame } from "./page-frame.ts"
import { actingPageResponse } from "./session-response.ts"

const inboxMax = 100

export async function approvePage(id: string, who: Principal, api: ExecutorApi, requestId: string): Promise<Response> {
  const view = await api.executions.get(id).catch((error: unknown) => {
    if (error instanceof ExecutorError && error.code === "not_found") return null
    throw error
  })
  if (view === null)
    return respond(
      who,
      "Not found",
      html`<h1>Nothing to see here</h1>
        <p>There is no such execution, or it is not yours to answer.</p>`,
      404,
      requestId,
    )
  if (view.structured.status !== "waiting_for_interaction") return respond(who, titleOf(view), outcome(view), 200, requestId)
  const [policies, asker] = await Promise.all([api.policies.list(), nameAsker(view, api)])
  return respond(
    who,
    "Approve? · Executor",
    question(view, view.structured.interactions, policies, asker, view.structured.expiresAt),
    200,
    requestId,
  )
}

export async function inboxPage(who: Principal, api: ExecutorApi, requestId: string): Promise<Response> {
  const { items, nextCursor } = await api.approvals.list({ limit: inboxMax })
  const more = nextCursor === null ? "" : html`<p class="soft">There are more; these are the oldest.</p>`
  const content =
    items.length === 0
      ? html`<h1>Nothing waits for you</h1>
          <p class="soft">When an agent needs your approval, it is shown here.</p>`
      : html`<h1>Waiting for you</h1>
          <ul class="inbox">
            ${items.map(inboxItem)}
          </ul>
          ${more}`
  return respond(who, "Approvals · Executor", content, 200, requestId)
}

const inboxItem = (item: ApprovalView): Html =>
  html`<li>
    ${item.executionId === null ? safeText(item.message) : html`<a href="/approve/${item.executionId}">${safeText(item.message)}</a>`}<br /><span
      class="soft"
      ><code>${safeText(item.address)}</code> · ${time(item.createdAt)}</span
    >
  </li>`

function question(
  view: ExecutionView,
  interactions: readonly Interaction[],
  policies: readonly PolicyView[],
  asker: string,
  expiresAt: string,
): Html {
  const isMany = interactions.length > 1
  const canAll = isMany && interactions.every((one) => one.kind === "approval")
  return html`<h1>${isMany ? `${interactions.length} calls wait for you` : "A call waits for you"}</h1>
    <p class="soft">${safeText(asker)} asked at ${time(view.createdAt)}. Without an answer it ends at ${time(expiresAt)}.</p>
    ${interactions.map((one, index) => ask(one, index, view, policies))}
    ${
      canAll
        ? html`<div class="actions">
            <button class="primary" data-all="accept" data-execution="${view.executionId}">Approve all ${interactions.length}</button>
            <button data-all="decline" data-execution="${view.executionId}">Decline all</button>
          </div>`
        : ""
    }
    <h2>The code that asks</h2>
    <pre tabindex="0"><code>${safeText(view.code)}</code></pre>`
}

function ask(one: Interaction, index: number, view: ExecutionView, policies: readonly PolicyView[]): Html {
  const id = `ask-${index}`
  const link =
    one.url === undefined || !/^https?:/i.test(one.url)
      ? ""
      : html`<p><a href="${one.url}" rel="noopener noreferrer" target="_blank">Open ${safeText(one.url)}</a>, then come back.</p>`
  return html`<section class="ask" data-approval="${one.approvalId}" data-kind="${one.kind}" aria-labelledby="${id}">
    <h2 id="${id}">${safeText(one.message)}</h2>
    <dl class="facts">
      <dt>Tool</dt>
      <dd><code>${safeText(one.address)}</code></dd>
      <dt>Policy</dt>
      <dd>${reason(one, view, policies)}</dd>
    </dl>
    <h3>Arguments</h3>
    <pre tabindex="0"><code>${safeJson(one.args, 2)}</code></pre>
    ${link} ${one.kind === "form" ? formFields(one.requestedSchema, id) : ""} ${one.kind === "approval" ? remember(id) : ""}
    <div class="actions">
      <button class="primary" data-action="accept">${acceptTexts[one.kind]}</button>
      <button data-action="decline">Decline</button>
    </div>
  </section>`
}

const acceptTexts: Record<Interaction["kind"], string> = { approval: "Approve", form: "Send", url: "Done" }

const remember = (id: string): Html =>
  html`<fieldset>
    <legend>Approve</legend>
    <label class="choice"><input type="radio" name="${id}-remember" value="" checked /> this call only</label>
    <label class="choice"
      ><input type="radio" name="${id}-remember" value="execution" data-remember /> this tool for the rest of this execution, with any
      arguments</label
    >
    <label class="choice"
      ><input type="radio" name="${id}-remember" value="always" data-remember /> this tool always: adds a rule of yours that allows
      it</label
    >
  </fieldset>`

/** Which rule asks, as the journal has it. */
function reason(one: Interaction, view: ExecutionView, policies: readonly PolicyView[]): Html {
  if (one.kind !== "approval") return html`The tool itself asks for this.`
  const args = JSON.stringify(one.args)
  const call = view.calls.find((row) => row.address === one.address && row.status === "waiting" && JSON.stringify(row.args) === args)
  const rule = policies.find((policy) => policy.id === call?.rule)
  if (rule === undefined) return html`No rule decides; what the tool does needs approval by default.`
  return html`The ${rule.owner === "org" ? "organisation's" : "user's own"} rule <code>${safeText(rule.pattern)}</code> says
    <code>${rule.action}</code>.`
}

const headlines = { running: "Running", paused: "Waiting", completed: "Done", failed: "Failed", cancelled: "Cancelled" }
const titleOf = (view: ExecutionView): string => `${headlines[view.status]} · Executor`

const outcome = (view: ExecutionView): Html =>
  html`<h1>${headlines[view.status]}</h1>
    ${
      view.status === "running"
        ? html`<p data-running>The execution goes on; this page shows how it ends.</p>`
        : html`<p>There is nothing left to answer; you can close this page.</p>
            <h2>${view.isError ? "What happened" : "Result"}</h2>
            <pre tabindex="0"><code>${safeText(view.text)}</code></pre>`
    }
    <details>
      <summary>The code</summary>
      <pre tabindex="0"><code>${safeText(view.code)}</code></pre>
    </details>`

async function nameAsker({ principal }: ExecutionView, api: ExecutorApi): Promise<string> {
  if (principal.kind === "human") return `${principal.user} themselves`
  const tokens = await api.tokens.list({ limit: 200 }).catch(() => null)
  const name = tokens?.items.find((token) => token.id === principal.tokenId)?.name
  return name === undefined ? `An agent of ${principal.user}` : `The agent "${name}" of ${principal.user}`
}

const time = (iso: string): Html => html`<time datetime="${iso}">${iso}</time>`

async function respond(who: Principal, title: string, content: Html, status: number, requestId: string): Promise<Response> {
  const page = pageFrame(
    title,
    html`${approveStyle.tag}
      <main class="approve">
        <div class="bar">
          <a href="/approve">Approvals</a>
          <span class="soft">signed in as ${safeText(who.user)} <button class="quiet" data-signout>Sign out</button></span>
        </div>
        <div id="status" role="status" aria-live="polite" tabindex="-1"></div>
        ${content}
      </main>
      ${approveScript.tag}`,
  )
  return actingPageResponse(String(await page), { status, script: approveScript, style: approveStyle }, requestId)
}
