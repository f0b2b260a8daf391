// Turns what an execution waits for into requests that a client shows to its human, and the client's answers back.
import { inputRequired, inputResponse } from "@modelcontextprotocol/server"
import type { ElicitInputParams, InputRequest, InputRequests } from "@modelcontextprotocol/server"
import { ExecutorError } from "../../../core/errors.ts"
import type { Interaction, ResumeRequest } from "../../../core/execution.ts"
import { questionText, viewLink } from "../../../core/text/question.ts"
import { safeJson, safeText } from "../../../core/text/safe.ts"
import type { Abilities } from "./client-abilities.ts"
import { isFlatForm } from "./form-flat.ts"

/** A human approves what they have read: longer arguments are shown on the approval page instead. */
const messageCharsMax = 6000
const pageKey = "page"

/** Null where the client cannot show all of it. `note`: why it is asked again. */
export function toInputRequests(
  interactions: readonly Interaction[],
  approvalUrl: string | null,
  can: Abilities,
  note: string | null,
): InputRequests | null {
  const requests: InputRequests = {}
  for (const interaction of interactions) {
    const request = toRequest(interaction, can, note)
    if (request === null) return askOnPage(interactions, approvalUrl, can)
    requests[interaction.approvalId] = request
  }
  return requests
}

function toRequest(interaction: Interaction, can: Abilities, note: string | null) {
  const message = [...(note === null ? [] : [note]), safeText(questionText(interaction)), describeCall(interaction)].join("\n\n")
  if (message.length > messageCharsMax) return null
  const link = viewLink(interaction.url ?? "")
  if (interaction.kind === "url") return can.url && link !== null ? inputRequired.elicitUrl({ message, url: link.href }) : null
  if (!can.form) return null
  if (interaction.kind === "approval")
    return inputRequired.elicit({ mode: "form", message, requestedSchema: { type: "object", properties: {} } })
  const { requestedSchema } = interaction
  if (!isFlatForm(requestedSchema)) return null
  // Flat forms of plain fields are what the protocol's own schema describes.
  return inputRequired.elicit({ mode: "form", message, requestedSchema } as ElicitInputParams)
}

/** What an upstream asks the client's human goes through this server, and would look like its own question. */
export function attributeRequests(requests: InputRequests, address: string): InputRequests {
  const attributed = Object.entries(requests).map(([key, request]): [string, InputRequest] => {
    if (request.method !== "elicitation/create") return [key, request]
    const { params } = request
    const asked = { address, message: params.message }
    if (params.mode !== "url")
      return [key, { ...request, params: { ...params, message: safeText(questionText({ ...asked, kind: "form" })) } }]
    const link = viewLink(params.url)
    if (link === null) throw new ExecutorError("upstream_error", "The upstream asks to open a link that is not a plain web address")
    return [
      key,
      { ...request, params: { ...params, url: link.href, message: safeText(questionText({ ...asked, kind: "url", url: link.href })) } },
    ]
  })
  return Object.fromEntries(attributed)
}

const describeCall = ({ address, args }: Interaction): string => `${safeText(address)}\n${safeJson(args, 2)}`

const askOnPage = (interactions: readonly Interaction[], approvalUrl: string | null, can: Abilities): InputRequests | null =>
  can.url && approvalUrl !== null ? { [pageKey]: inputRequired.elicitUrl({ message: pageMessage(interactions), url: approvalUrl }) } : null

const pageMessage = (interactions: readonly Interaction[]): string =>
  `Open the approval page to answer:\n${interactions.map((one) => `- ${safeText(questionText(one)).replaceAll("\n", "\n  ").slice(0, 300)}`).join("\n")}`

export type ClientAnswer =
  /** Nothing that could be taken for an answer. */
  | { readonly kind: "none" }
  /** The human went to the page; what they say there is found in the store. */
  | { readonly kind: "page" }
  | { readonly kind: "answers"; readonly answers: readonly ResumeRequest[] }

export function readAnswers(interactions: readonly Interaction[], responses: Record<string, unknown> | undefined): ClientAnswer {
  const page = inputResponse(responses, pageKey)
  if (page.kind === "elicit") {
    if (page.action === "accept") return { kind: "page" }
    const { action } = page
    return { kind: "answers", answers: interactions.map(({ approvalId }) => ({ action, approvalId })) }
  }
  const answers = interactions.flatMap((interaction): ResumeRequest[] => {
    const response = inputResponse(responses, interaction.approvalId)
    if (response.kind !== "elicit") return []
    const content = interaction.kind === "form" && response.action === "accept" ? { content: response.content ?? {} } : {}
    return [{ action: response.action, approvalId: interaction.approvalId, ...content }]
  })
  return answers.length === 0 ? { kind: "none" } : { kind: "answers", answers }
}
