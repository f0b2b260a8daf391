// The approval page: what an agent asks for, shown whole and as text, and the human's answer to it.
import { html } from "hono/html"
import { ExecutorError } from "../../core/errors.ts"
import type { ApprovalView, ExecutionView, Interaction } from "../../core/execution.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { Page } from "../../core/page.ts"
import type { PolicyView } from "../../core/policy.ts"
import { safeJson, safeText } from "../cli/text-safe.ts"
import { formFields } from "./approve-form.ts"
import { outcomeOf } from "./approve-outcome.ts"
import type { Html } from "./page-frame.ts"
import type { PageContent } from "./page-shell.ts"

const inboxMax = 100
const inboxArgsChars = 120

/** What is asked, by whom, and where it comes from; code only where some runs. */
type Asked = {
  readonly executionId: string | null
  readonly interactions: readonly Interaction[]
  readonly asker: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly code: string | null
  readonly calls: ExecutionView["calls"]
}

/** `id`: of an execution, or of an approval that a call outside of one waits for. */
export async function approvePage(id: string, api: ExecutorApi): Promise<PageContent> {
  const found = id.startsWith("apr_") ? await findApproval(id, api) : await findExecution(id, api)
  if (found === null) return { status: 404, title: "Not found", content: nothing }
  if ("structured" in found) return { status: 200, ...outcomeOf(found) }
  return { status: 200, title: "Approve?", content: question(found, await api.policies.list()) }
}

const nothing = html`<h1>Nothing to see here</h1>
  <p>There is no such question, it is not yours to answer, or it was answered already.</p>`

async function findExecution(id: string, api: ExecutorApi): Promise<Asked | ExecutionView | null> {
  const view = await api.executions.get(id).catch((error: unknown) => {
    if (error instanceof ExecutorError && error.code === "not_found") return null
    throw error
  })
  if (view === null || view.structured.status !== "waiting_for_interaction") return view
  const { executionId, createdAt, code, calls, principal } = view
  const { interactions, expiresAt } = view.structured
  return { executionId, createdAt, code, calls, interactions, expiresAt, asker: await nameAsker(principal, api) }
}

async function findApproval(id: string, api: ExecutorApi): Promise<Asked | null> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Page<ApprovalView> = await api.approvals.list({ limit: inboxMax, ...(cursor === undefined ? {} : { cursor }) })
    const item = page.items.find((one) => one.approvalId === id)
    if (item !== undefined)
      return { ...item, interactions: [item], asker: await nameAsker({ ...item.principal, tokenId: null }, api), code: null, calls: [] }
    cursor = page.nextCursor
  }
  return null
}

/** Oldest first, one row for each execution. */
export async function inboxPage(api: ExecutorApi, cursor: string | undefined): Promise<PageContent> {
  const { items, nextCursor } = await api.approvals.list({ limit: inboxMax, ...(cursor === undefined ? {} : { cursor }) })
  const rows = Map.groupBy(items, (item) => item.executionId ?? item.approvalId)
  const more =
    nextCursor === null ? "" : html`<p><a href="/approve?cursor=${encodeURIComponent(nextCursor)}">Show what waits since then</a></p>`
  const content =
    items.length === 0
      ? html`<h1>Nothing waits for you</h1>
          <p class="soft">When an agent needs your approval, it is shown here.</p>`
      : html`<h1>Waiting for you</h1>
          <ul class="inbox">
            ${[...rows].map(([id, asked]) => inboxRow(id, asked))}
          </ul>
          ${more}`
  return { status: 200, title: "Approvals", content }
}

function inboxRow(id: string, asked: readonly ApprovalView[]): Html {
  const [first] = asked
  if (first === undefined) return html``
  const args = safeJson(first.args)
  const count = asked.length === 1 ? "" : html` <strong>and ${asked.length - 1} more</strong>`
  const asker = first.principal.kind === "human" ? first.principal.user : `an agent of ${first.principal.user}`
  return html`<li>
    <a href="/approve/${id}">${safeText(first.message)}</a>${count}<br /><code>${safeText(first.address)}</code>
    <code>${args.length > inboxArgsChars ? `${args.slice(0, inboxArgsChars)}…` : args}</code><br /><span class="soft"
      >${safeText(asker)} · ${time(first.createdAt)}</span
    >
  </li>`
}

function question(asked: Asked, policies: readonly PolicyView[]): Html {
  const { interactions, executionId, code } = asked
  const isMany = interactions.length > 1
  const canAll = isMany && executionId !== null && interactions.every((one) => one.kind === "approval")
  const all = html`<div class="actions">
    <button class="primary" data-all="accept" data-execution="${executionId ?? ""}">Approve all ${interactions.length}</button>
    <button data-all="decline" data-execution="${executionId ?? ""}">Decline all</button>
  </div>`
  return html`<h1>${isMany ? `${interactions.length} calls wait for you` : "A call waits for you"}</h1>
    <p class="soft">${safeText(asked.asker)} asked at ${time(asked.createdAt)}. Without an answer it ends at ${time(asked.expiresAt)}.</p>
    ${canAll ? all : ""} ${interactions.map((one, index) => ask(one, index, asked, policies))} ${canAll ? all : ""}
    ${
      code === null
        ? ""
        : html`<h2>The code that asks</h2>
            <pre tabindex="0"><code>${safeText(code)}</code></pre>`
    }`
}

function ask(one: Interaction, index: number, asked: Asked, policies: readonly PolicyView[]): Html {
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
      <dd>${reason(one, asked, policies)}</dd>
    </dl>
    <h3>Arguments</h3>
    <pre tabindex="0"><code>${safeJson(one.args, 2)}</code></pre>
    ${link} ${one.kind === "form" ? formFields(one.requestedSchema, id) : ""}
    ${one.kind === "approval" ? remember(id, asked.executionId !== null) : ""}
    <div class="actions">
      <button class="primary" data-action="accept">${acceptTexts[one.kind]}</button>
      <button data-action="decline">Decline</button>
    </div>
  </section>`
}

const acceptTexts: Record<Interaction["kind"], string> = { approval: "Approve", form: "Send", url: "Done" }

const remember = (id: string, isInExecution: boolean): Html =>
  html`<fieldset>
    <legend>Approve</legend>
    ${choice(id, "", "this call only")}
    ${isInExecution ? choice(id, "execution", "this tool for the rest of this execution, with any arguments") : ""}
    ${choice(id, "always", "this tool always: adds a rule of yours that allows it")}
  </fieldset>`

const choice = (id: string, value: string, label: string): Html =>
  html`<label class="choice"
    ><input type="radio" name="${id}-remember" value="${value}" ${value === "" ? "checked" : "data-remember"} /> ${label}</label
  >`

/** Which rule asks, as the journal has it. */
function reason(one: Interaction, { calls }: Asked, policies: readonly PolicyView[]): Html {
  if (one.kind !== "approval") return html`The tool itself asks for this.`
  const args = JSON.stringify(one.args)
  const call = calls.find((row) => row.address === one.address && row.status === "waiting" && JSON.stringify(row.args) === args)
  const rule = policies.find((policy) => policy.id === call?.rule)
  if (rule === undefined) return html`No rule decides; what the tool does needs approval by default.`
  return html`The ${rule.owner === "org" ? "organisation's" : "user's own"} rule <code>${safeText(rule.pattern)}</code> says
    <code>${rule.action}</code>.`
}

async function nameAsker(principal: ExecutionView["principal"], api: ExecutorApi): Promise<string> {
  if (principal.kind === "human") return principal.user
  const tokens = await api.tokens.list({ limit: 200 }).catch(() => null)
  const name = tokens?.items.find((token) => token.id === principal.tokenId)?.name
  return name === undefined ? `An agent of ${principal.user}` : `The agent "${name}" of ${principal.user}`
}

const time = (iso: string): Html => html`<time datetime="${iso}">${iso}</time>`
