// One approval or question with everything needed to answer it: which call, to whom, with which arguments, why, and in whose words.
//
// Headlines are Executor's own. What a tool says is an upstream's text: it is quoted, below a line that names who asks.
import { html } from "hono/html"
import { ToolAddress, withoutRoot } from "../../../core/address.ts"
import type { ApprovalView, AskingAgent, Interaction } from "../../../core/execution.ts"
import { conditionText } from "../../../core/policy.ts"
import { questionSource, questionWarning, viewLink } from "../../../core/text/question.ts"
import type { Effect } from "../../../core/tool.ts"
import { safeText } from "../../../core/text/safe.ts"
import { argsView } from "./approval-args.ts"
import { formFields } from "./approval-form.ts"
import type { Html } from "./frame.ts"

export type QuestionOptions = {
  /** Of the arguments; what is longer is cut, and shown whole on a page of its own. */
  readonly charsMax: number
  readonly isInExecution: boolean
}

/** What is known of the reader is known of approvals that are read one by one. */
export type Question = Interaction & Partial<Pick<ApprovalView, "mayAnswer" | "isOwn" | "principal">>

export function questionView(one: Question, index: number, options: QuestionOptions): Html {
  const id = `ask-${index}`
  return html`<section class="ask effect-${one.effect}" data-approval="${one.approvalId}" data-kind="${one.kind}" aria-labelledby="${id}">
    ${one.kind === "approval" ? callView(one, id, options) : upstreamView(one, id, options)}
    ${one.mayAnswer === false ? notYours(one) : actions(one)}
  </section>`
}

const actions = (one: Question): Html =>
  html`<div class="actions">
    <button class="primary" data-action="accept">${acceptTexts[one.kind]}</button>
    <button data-action="decline">Decline</button>
  </div>`

const notYours = ({ answerers }: Question): Html =>
  html`<p class="caution">You may not answer this: it needs ${safeText(answerers ?? "somebody else")}.</p>`

const acceptTexts: Record<Interaction["kind"], string> = { approval: "Approve", form: "Send", url: "I have done this" }

const callView = (one: Question, id: string, options: QuestionOptions): Html =>
  html`<h2 id="${id}"><code>${safeText(withoutRoot(one.address))}</code></h2>
    <p>${effectBadge(one)} ${safeText(one.message)}</p>
    ${facts(one)}
    <h3>Arguments</h3>
    ${args(one, options)} ${one.by === undefined && one.mayAnswer !== false ? remember(id, one, options.isInExecution) : ""}`

const upstreamView = (one: Question, id: string, options: QuestionOptions): Html =>
  html`<h2 id="${id}">${safeText(questionSource(one) ?? "The tool")} asks:</h2>
    <blockquote class="theirs">${safeText(one.message)}</blockquote>
    <p class="caution">${questionWarning}</p>
    ${one.kind === "url" ? link(one.url ?? "") : formFields(one.requestedSchema, id)}
    <details>
      <summary>The call behind this question</summary>
      ${facts(one)} ${args(one, options)}
    </details>`

const args = (one: Interaction, { charsMax }: QuestionOptions): Html =>
  argsView(one.args, charsMax, `/approve/${encodeURIComponent(one.approvalId)}?whole`)

const effectTexts: Record<Effect, string> = { read: "Reads", write: "Changes data", destroy: "Deletes or overwrites" }

export const effectBadge = ({ effect, effectAssumed }: Pick<Interaction, "effect" | "effectAssumed">): Html =>
  html`<strong class="effect">${effectAssumed === true ? "May change anything" : effectTexts[effect]}</strong>`

/** Whose agent, where it is not the reader's. */
export const askedBy = ({ requestedBy, isOwn, principal }: Question): string =>
  isOwn !== false || principal === undefined || requestedBy === principal.user ? requestedBy : `${requestedBy}, for ${principal.user}`

function facts(one: Question): Html {
  const { request } = one
  return html`<dl class="facts">
    ${
      request === undefined
        ? ""
        : html`<dt>Request</dt>
            <dd><code>${safeText(request.method)} ${requestUrl(request.url)}</code></dd>`
    }
    <dt>Account</dt>
    <dd>${accountOf(one.address)}</dd>
    <dt>Asked by</dt>
    <dd>${safeText(askedBy(one))}</dd>
    ${
      one.agent === undefined
        ? ""
        : html`<dt>Agent</dt>
            <dd>${agentView(one.agent)}</dd>`
    }
    ${
      one.via === undefined
        ? ""
        : html`<dt>Through</dt>
            <dd>${throughText(one.path ?? [])}The tool <strong>${safeText(one.via)}</strong>, whose own code makes this call</dd>`
    }
    <dt>Reason</dt>
    <dd>${safeText(one.reason)}</dd>
  </dl>`
}

/** With the step of its run that asks. */
export const agentView = ({ slug, version, step }: AskingAgent): Html =>
  html`<strong>${safeText(slug)}</strong> ${safeText(version)}, ${step === undefined ? "before it begins" : `step ${step} of its run`}`

/** The tools and agents above the one that asks, from the outermost on. */
const throughText = (path: readonly string[]): string =>
  path
    .slice(0, -1)
    .map((tool) => `${safeText(tool)} ▸ `)
    .join("")

/** The host stands out: it is what tells one API from another. */
function requestUrl(text: string): Html {
  const url = URL.parse(text)
  if (url === null) return html`${safeText(text)}`
  return html`${url.protocol}//<strong>${url.host}</strong>${safeText(text.slice(url.origin.length))}`
}

function accountOf(address: string): Html {
  const tool = ToolAddress.check(address)
  if (!tool.ok) return html`None: the tool is part of Executor or of a plugin`
  const { integration, owner, connection } = tool.value
  return html`The connection <strong>${connection}</strong> of <strong>${integration}</strong>,
    ${owner === "org" ? "shared by the organization" : "owned by the user who asks"}`
}

function link(url: string): Html {
  const view = viewLink(url)
  if (view === null) return html`<p class="caution">Its link is not shown: it is not a plain web address.</p>`
  return html`<p>
      It asks you to open a page on <strong>${view.host}</strong>:
      <a href="${view.href}" rel="noopener noreferrer" target="_blank">${safeText(view.place)}</a>
    </p>
    <p class="soft">In full: <code>${safeText(view.href)}</code></p>
    ${view.warning === null ? "" : html`<p class="caution">${view.warning}</p>`}`
}

const remember = (id: string, { isOwn, rememberWhen }: Question, isInExecution: boolean): Html =>
  html`<fieldset>
    <legend>If you approve</legend>
    ${choice(id, "", "Allow this call only")}
    ${isInExecution ? choice(id, "execution", "Allow this tool for the rest of this execution, with any arguments") : ""}
    ${choice(id, "always", `Always allow this tool, ${rememberWhen === undefined ? "with any arguments" : `when ${safeText(rememberWhen.map(conditionText).join(" and "))}`} (adds a rule for ${isOwn === false ? "the whole organization" : "you and your agents"})`)}
  </fieldset>`

const choice = (id: string, value: string, label: string): Html =>
  html`<label class="choice"
    ><input type="radio" name="${id}-remember" value="${value}" ${value === "" ? "checked" : "data-remember"} /> ${label}</label
  >`
