// Sends one message to its receiver, once, and says what that means for the next try.
//
// Only the head of the answer counts. The body is not read, redirects are not followed: a receiver that sends us elsewhere
// has not taken the message, and must not choose where its contents and signature go.
import type { Limits } from "../core/limits.ts"
import type { Clock } from "../io/clock.ts"
import type { Network } from "../io/network/outbound.ts"
import { retryAfterMs } from "../io/network/retry-after.ts"
import type { NotificationRow } from "../store/notifications/notification-store.ts"
import { slackMessage } from "./message.ts"
import type { NotificationMessage } from "./message.ts"
import { signatureHeader, signBody } from "./signature.ts"

/** Of the vault. */
export type NotificationSecrets = { readonly url: string; readonly signingSecret: string | null }

export type SendParts = { readonly network: Network; readonly limits: Limits; readonly clock: Clock }

export type SendResult =
  | { readonly kind: "delivered"; readonly status: number }
  /** `gone`: the receiver does not want any more. */
  | { readonly kind: "failed" | "gone"; readonly status: number | null; readonly error: string }
  | { readonly kind: "again"; readonly status: number | null; readonly error: string; readonly afterMs: number | null }

export async function sendMessage(
  { kind }: Pick<NotificationRow, "kind">,
  secrets: NotificationSecrets,
  message: NotificationMessage,
  signal: AbortSignal,
  parts: SendParts,
): Promise<SendResult> {
  const body = JSON.stringify(kind === "slack" ? slackMessage(message) : message)
  const answer = await parts.network.outbound({ literalUrls: [secrets.url] }).open({
    method: "POST",
    url: secrets.url,
    headers: {
      "content-type": "application/json",
      ...(kind === "webhook" && secrets.signingSecret !== null
        ? { [signatureHeader]: signBody(body, secrets.signingSecret, parts.clock.now()) }
        : {}),
    },
    body,
    headTimeoutMs: parts.limits.notificationHeadMs,
    signal,
  })
  if (!answer.ok) {
    const told = { status: null, error: answer.message }
    return answer.retryable || answer.mayHaveArrived === true ? { kind: "again", ...told, afterMs: null } : { kind: "failed", ...told }
  }
  await answer.body.cancel().catch(() => {})
  return judge(answer.status, retryAfterMs(answer.headers["retry-after"], parts.clock))
}

function judge(status: number, afterMs: number | null): SendResult {
  if (status < 300) return { kind: "delivered", status }
  if (status === 410) return { kind: "gone", status, error: "The receiver answered 410 Gone, so the notification was switched off" }
  if (status < 400)
    return { kind: "failed", status, error: `The receiver answered ${status}, and redirects are not followed: set its final address` }
  const error = `The receiver answered ${status}`
  return status >= 500 || mayPass.has(status) ? { kind: "again", status, error, afterMs } : { kind: "failed", status, error }
}

/** Too early, too slow, too many: the same message may be taken later. */
const mayPass: ReadonlySet<number> = new Set([408, 409, 423, 425, 429])
