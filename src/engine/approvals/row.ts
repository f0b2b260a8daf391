// Creates the row of a new approval.
import { canonicalJson } from "../../core/json/canonical.ts"
import type { Interaction, InteractionKind } from "../../core/execution.ts"
import type { ApprovalBy } from "../../core/policy.ts"
import { callerName } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import type { Limits } from "../../core/limits.ts"
import type { JsonSchema } from "../../core/tool.ts"
import type { Clock } from "../../io/clock.ts"
import { newId, sha256 } from "../../io/ids.ts"
import type { ApprovalRow } from "../../store/execution-store.ts"
import type { ApprovalContext } from "./context.ts"
import type { CallTarget, GateCall } from "../gate/call.ts"

export type NewApproval = {
  readonly principal: Principal
  readonly executionId: string | null
  readonly call: GateCall
  readonly target: CallTarget
  readonly kind: InteractionKind
  readonly message: string
  readonly context: ApprovalContext
  /** Whom the rules that ask name. */
  readonly by: readonly ApprovalBy[]
  readonly requestedSchema: JsonSchema | null
  readonly url: string | null
  readonly state: string | null
  readonly pause: number
}

export function newApproval(input: NewApproval, parts: { readonly clock: Clock; readonly limits: Limits }): ApprovalRow {
  const { principal, call, target } = input
  const now = parts.clock.now()
  return {
    tenant: principal.tenant,
    id: newId("apr", now),
    executionId: input.executionId,
    callKey: input.executionId === null ? null : call.key,
    user: principal.user,
    principalKind: principal.kind,
    tokenId: principal.tokenId,
    kind: input.kind,
    message: input.message,
    address: target.address,
    argsJson: call.argsJson,
    argsHash: hashArgs(call.args),
    toolHash: target.definitionHash(),
    effect: target.effect,
    context: JSON.stringify(input.context),
    by: input.by.length === 0 ? null : JSON.stringify(input.by),
    requestedSchema: input.requestedSchema === null ? null : JSON.stringify(input.requestedSchema),
    url: input.url,
    state: input.state,
    pause: input.pause,
    status: "pending",
    content: null,
    remember: null,
    answeredBy: null,
    answeredAt: null,
    usedAt: null,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + parts.limits.pausedMsMax).toISOString(),
  }
}

const titleCharsMax = 80
const descriptionCharsMax = 200
/** Quotation marks, but for the apostrophe within a word. */
const quotationMarks = /(?<!\p{L})['‘’‚‛′`´]|['‘’‚‛′`´](?!\p{L})|["“”„‟″«»‹›]/gu

export const approvalMessage = (target: Pick<CallTarget, "title" | "approvalDescription" | "subject">): string =>
  `Allow '${quotable(target.title)}' (${enclosable(target.approvalDescription ?? target.subject)})?`

/** A source chooses the title of its tool: it must not end the quotation and go on in words that read like ours. */
function quotable(title: string): string {
  return shortened(title.replaceAll(/\s+/gu, " ").replaceAll(quotationMarks, "").trim(), titleCharsMax)
}

/** The path of a request is the source's choice too: it must not close the parentheses around it. Some paths have pairs of their own. */
function enclosable(description: string): string {
  const plain = shortened(description.replaceAll(/\s+/gu, " ").trim(), descriptionCharsMax)
  let depth = 0
  for (const char of plain) {
    if (char === "(") depth += 1
    if (char === ")") depth -= 1
    if (depth < 0) break
  }
  return depth === 0 ? plain : plain.replaceAll("(", "%28").replaceAll(")", "%29")
}

const shortened = (text: string, charsMax: number): string => (text.length > charsMax ? `${text.slice(0, charsMax).toWellFormed()}…` : text)

export const viewInteraction = (row: ApprovalRow): Interaction => ({
  approvalId: row.id,
  kind: row.kind,
  message: row.message,
  address: row.address,
  args: JSON.parse(row.argsJson) as unknown,
  effect: row.effect,
  ...contextOf(row),
  ...(row.by === null ? {} : { by: JSON.parse(row.by) as ApprovalBy[] }), // written by `newApproval`
  ...(row.requestedSchema === null ? {} : { requestedSchema: JSON.parse(row.requestedSchema) as unknown }),
  ...(row.url === null ? {} : { url: row.url }),
})

/** What was asked before contexts were stored has none. */
const contextOf = (row: ApprovalRow): ApprovalContext => ({
  requestedBy: callerName({ user: row.user, kind: row.principalKind, tokenName: null }),
  reason: "",
  ...(JSON.parse(row.context) as Partial<ApprovalContext>), // written by `newApproval`
})

/** Asked for by a call that could not wait: it passes once when it is made again. */
export const isGrant = (row: ApprovalRow): boolean => row.pause === 0

/** The same for the same arguments in any order of keys. */
export const hashArgs = (args: unknown): string => sha256(canonicalJson(args))
