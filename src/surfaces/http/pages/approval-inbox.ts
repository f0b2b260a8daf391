// The inbox: all pending approvals that the human who is signed in may answer, oldest first.
import { html } from "hono/html"
import { withoutRoot } from "../../../core/address.ts"
import type { ApprovalView } from "../../../core/execution.ts"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import type { Page } from "../../../core/page.ts"
import type { Principal } from "../../../core/principal.ts"
import { questionSource } from "../../../core/text/question.ts"
import { safeJson, safeLine, safeText } from "../../../core/text/safe.ts"
import { agentView, askedBy, effectBadge } from "./approval-question.ts"
import type { Html } from "./frame.ts"
import type { PageContent } from "./shell.ts"

const inboxMax = 100
const excerptChars = 160

/** One row for each execution. */
export async function inboxPage(who: Principal, api: ExecutorApi, cursor: string | undefined): Promise<PageContent> {
  return inboxOf(who.roles, await api.approvals.list({ limit: inboxMax, ...(cursor === undefined ? {} : { cursor }) }))
}

/** What somebody else's execution asks of the reader, who was given its link; null where that is nothing. */
export async function inboxOfExecution(executionId: string, api: ExecutorApi): Promise<PageContent | null> {
  const { items } = await api.approvals.list({ executionId, limit: inboxMax })
  return items.length === 0 ? null : inboxOf([], { items, nextCursor: null })
}

function inboxOf(roles: readonly string[], { items, nextCursor }: Page<ApprovalView>): PageContent {
  const rows = Map.groupBy(items, pageIdOf)
  const waiting = `${items.length}${nextCursor === null ? "" : "+"}`
  const more = nextCursor === null ? "" : html`<p><a href="/approve?cursor=${encodeURIComponent(nextCursor)}">Show newer ones</a></p>`
  const content =
    items.length === 0
      ? html`<div data-live data-waiting="0">
          <h1>No open approvals</h1>
          ${roles.length === 0 ? withoutRole : html`<p class="soft">When an agent needs your approval, it appears here automatically.</p>`}
          ${notifyButton}
        </div>`
      : html`<div data-live data-waiting="${items.length}">
          <h1>${waiting === "1" ? "1 call is waiting for you" : `${waiting} calls are waiting for you`}</h1>
          <ul class="inbox">
            ${[...rows].map(([id, asked]) => inboxRow(id, asked))}
          </ul>
          ${more} ${notifyButton}
        </div>`
  return { status: 200, title: items.length === 0 ? "Approvals" : `(${waiting}) Approvals`, content }
}

const withoutRole = html`<p class="caution">
  You have no role yet, so you and your agents cannot use any tools. Ask whoever invited you, or another admin, to give you one. It works at
  once, without signing in again.
</p>`

/** Shown by the script where the browser can notify and was not asked yet. */
const notifyButton = html`<p><button class="quiet" data-notify hidden>Notify me of new approvals</button></p>`

/** Executions of others are not shown, so that their questions have a page each. */
const pageIdOf = ({ isOwn, executionId, approvalId }: ApprovalView): string => (isOwn ? (executionId ?? approvalId) : approvalId)

function inboxRow(id: string, asked: readonly ApprovalView[]): Html {
  const [first] = asked
  if (first === undefined) return html``
  const source = questionSource(first)
  const title =
    source === null ? html`<code>${safeText(withoutRoot(first.address))}</code>` : html`${safeText(source)} has a question for you`
  const excerpt =
    source === null ? html`<code>${cut(safeJson(first.args))}</code>` : html`<q class="theirs">${cut(safeLine(first.message))}</q>`
  const count = asked.length === 1 ? "" : html` <strong>and ${asked.length - 1} more</strong>`
  return html`<li class="effect-${first.effect}">
    <a href="/approve/${id}">${title}</a>${count}
    <p>${source === null ? effectBadge(first) : ""} ${excerpt}</p>
    <p class="soft">
      ${safeText(askedBy(first))}${first.agent === undefined ? "" : html` · agent ${agentView(first.agent)}`} · ${time(first.createdAt)}
    </p>
  </li>`
}

const cut = (text: string): string => (text.length > excerptChars ? `${text.slice(0, excerptChars)}…` : text)

export const time = (iso: string): Html => html`<time datetime="${iso}">${iso}</time>`

/** After an answer: what else waits, and the way to it. `but`: the execution that was just answered. */
export async function nextUp(but: string, api: ExecutorApi): Promise<Html> {
  const { items, nextCursor } = await api.approvals.list({ limit: inboxMax })
  const others = items.filter((item) => item.executionId !== but && item.approvalId !== but)
  const [first] = others
  if (first === undefined) return html`<p class="soft" data-live>No other approvals are open; you can close this page.</p>`
  const count = `${others.length}${nextCursor === null ? "" : "+"} more ${others.length === 1 ? "call is" : "calls are"} waiting for you`
  return html`<p class="next" data-live>
    ${count}. <a href="/approve/${pageIdOf(first)}">Go to the next one</a> · <a href="/approve">See all</a>
  </p>`
}
