// What a receiver is told: never an argument's value, unless an admin said so, and nothing that a stranger's name can forge.
import { withoutRoot } from "../core/address.ts"
import type { InteractionKind } from "../core/execution.ts"
import { isRecord } from "../core/json/record.ts"
import type { Limits } from "../core/limits.ts"
import type { PrincipalKind } from "../core/principal.ts"
import { safeLine } from "../core/text/safe.ts"
import type { Effect } from "../core/tool.ts"
import type { ApprovalRow } from "../store/execution-store.ts"
import type { DeliveryRow } from "../store/notifications/notification-store.ts"

/** The body of a webhook. */
export type NotificationMessage = {
  /** The same at every try: receivers that must not act twice keep it. */
  readonly id: string
  readonly type: DeliveryRow["event"]
  readonly createdAt: string
  /** Null in a test. */
  readonly approval: ApprovalMessage | null
}

export type ApprovalMessage = {
  readonly id: string
  /** Where it is answered. */
  readonly url: string
  readonly kind: InteractionKind
  /** The tool's address, as `shop.org.main.orders.create`. */
  readonly tool: string
  readonly effect: Effect
  readonly requestedBy: string
  readonly user: string
  readonly actor: PrincipalKind
  readonly executionId: string | null
  /** The rule that asked; null: none did, the tool's effect asks by itself. */
  readonly rule: { readonly id: string; readonly pattern: string } | null
  readonly createdAt: string
  readonly expiresAt: string
  /** With `includeArguments` alone, because questions and reasons may repeat arguments. */
  readonly message?: string
  readonly reason?: string
  readonly arguments?: unknown
}

export function testMessage(delivery: Pick<DeliveryRow, "id" | "createdAt">): NotificationMessage {
  return { id: delivery.id, type: "test", createdAt: delivery.createdAt, approval: null }
}

export type ApprovalDetails = { readonly url: string; readonly includeArguments: boolean; readonly limits: Limits }

export function approvalMessage(
  delivery: Pick<DeliveryRow, "id" | "createdAt">,
  row: ApprovalRow,
  details: ApprovalDetails,
): NotificationMessage {
  const context: unknown = JSON.parse(row.context)
  const known = isRecord(context) ? context : {}
  const rule = known["rule"]
  const shown = {
    id: row.id,
    url: details.url,
    kind: row.kind,
    tool: withoutRoot(row.address),
    effect: row.effect,
    requestedBy: textOf(known["requestedBy"]) || row.user,
    user: row.user,
    actor: row.principalKind,
    executionId: row.executionId,
    rule: isRecord(rule) ? { id: textOf(rule["id"]), pattern: textOf(rule["pattern"]) } : null,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
  }
  const full = details.includeArguments
    ? { message: row.message, reason: textOf(known["reason"]), arguments: argumentsOf(row, details.limits) }
    : {}
  return { id: delivery.id, type: "approval.waiting", createdAt: delivery.createdAt, approval: { ...shown, ...full } }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** What is too long is read in the inbox. */
const argumentsOf = ({ argsJson }: ApprovalRow, { notificationArgumentsCharsMax }: Limits): unknown =>
  argsJson.length <= notificationArgumentsCharsMax
    ? (JSON.parse(argsJson) as unknown)
    : `${argsJson.slice(0, notificationArgumentsCharsMax).toWellFormed()}…`

/** The body for Slack, and for whatever takes its webhooks. */
export type SlackMessage = { readonly text: string; readonly blocks: readonly unknown[] }

export function slackMessage({ approval }: NotificationMessage): SlackMessage {
  const text = approval === null ? "Executor can reach this channel. Approvals that wait will be told here." : slackText(approval)
  return { text, blocks: [{ type: "section", text: { type: "mrkdwn", text, verbatim: true } }] }
}

function slackText(approval: ApprovalMessage): string {
  const { url, tool, requestedBy, rule, effect } = approval
  const why = rule === null ? "" : ` (rule ${code(rule.pattern)})`
  const lines = [`Approval needed: ${code(tool)} (${effect}), asked by ${code(requestedBy)}${why}`]
  if (approval.arguments !== undefined) lines.push(`Arguments: ${code(JSON.stringify(approval.arguments), argumentsCharsMax)}`)
  return [...lines, `<${url}|Open the inbox>`].join("\n")
}

const nameCharsMax = 200
/** Of a section Slack takes 3,000 characters, escapes included. */
const argumentsCharsMax = 1200

/**
 * As code, which no markup of Slack or of Markdown leaves: no link, no mention, no emphasis. Entities are what Slack itself
 * wants for its three special characters.
 */
function code(text: string, charsMax = nameCharsMax): string {
  const line = safeLine(text).replaceAll("`", "'")
  const short = line.length > charsMax ? `${line.slice(0, charsMax).toWellFormed()}…` : line
  return `\`${short.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}\``
}
