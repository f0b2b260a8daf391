// Tells approvals that wait to whom notifications name.
//
// Nobody who asks a human has to remember it: the approvals' own rows are looked at, here at once and on other nodes a little
// later, and for each that is new a delivery is written, once for a notification. A delivery is claimed with a lease before it
// is sent. A node that dies is replaced when its lease runs out, and what it had sent is sent again with the same id.
import { withoutRoot } from "../core/address.ts"
import type { Limits } from "../core/limits.ts"
import type { Log } from "../io/log.ts"
import { newId } from "../io/ids.ts"
import { compilePattern, matchesPattern } from "../policy/match.ts"
import { roleSubjectOf } from "../policy/visible.ts"
import type { ExecutionStore } from "../store/execution-store.ts"
import type { ClaimedDelivery, DeliveryOutcome, DeliveryRow, NotificationRow, Untold } from "../store/notifications/notification-store.ts"
import { approvalMessage } from "./message.ts"
import { openSecrets, readPatterns } from "./notifications.ts"
import type { NotificationParts } from "./notifications.ts"
import { sendMessage } from "./send.ts"
import type { SendResult } from "./send.ts"

export type NotifierParts = NotificationParts & {
  readonly executions: Pick<ExecutionStore, "approvals">
  readonly node: string
  readonly log: Log
  /** Where humans approve; null where nothing listens: then another process tells. */
  approvalUrl(id: string): string | null
  /** A receiver said that it is gone. */
  switchedOff(tenant: string, notification: NotificationRow): Promise<void>
}

export type Notifier = {
  /** There may be something to tell. */
  wake(): void
  stop(): Promise<void>
}

const untoldMax = 200
const trimEveryRounds = 100

export function startNotifier(parts: NotifierParts): Notifier {
  const ending = new AbortController()
  const sending = new Set<Promise<void>>()
  let current: Promise<void> | null = null
  let isAwake = false
  let rounds = 0

  async function work(): Promise<void> {
    while (isAwake && !ending.signal.aborted && parts.approvalUrl("") !== null) {
      isAwake = false
      while ((await noteUntold(parts)) && !ending.signal.aborted);
      await sendDue()
      if (rounds++ % trimEveryRounds === 1) await parts.store.deliveries.trim(parts.limits.notificationLogRowsMax)
    }
  }

  /** A slow receiver takes one of the places; the others go on. */
  async function sendDue(): Promise<void> {
    while (!ending.signal.aborted && sending.size < parts.limits.notificationInFlightMax) {
      const claimed = await parts.store.deliveries.claim(newLease(parts), parts.clock.now().toISOString())
      if (claimed === null) return
      const sent = tell(claimed, ending.signal, parts)
        .catch((error: unknown) => {
          if (!ending.signal.aborted) parts.log.error({ error: String(error) }, "A notification could not be sent; it will be retried")
        })
        .finally(() => {
          sending.delete(sent)
          wake()
        })
      sending.add(sent)
    }
  }

  const wake = (): void => {
    isAwake = true
    if (current !== null || ending.signal.aborted) return
    current = work()
      .catch((error: unknown) => {
        if (!ending.signal.aborted) parts.log.error({ error: String(error) }, "Notifications could not be read; it will be retried")
      })
      .finally(() => {
        current = null
        // Woken between the last look and this moment.
        if (isAwake && sending.size < parts.limits.notificationInFlightMax && parts.approvalUrl("") !== null) wake()
      })
  }
  const timer = setInterval(wake, Math.min(parts.limits.notificationLookMs, parts.limits.notificationRetryMs))
  timer.unref()
  return {
    wake,
    async stop() {
      clearInterval(timer)
      ending.abort(new Error("The server stops"))
      await current
      await Promise.all(sending)
    },
  }
}

/** Answers whether there may be more. */
async function noteUntold(parts: NotifierParts): Promise<boolean> {
  const found = await parts.store.deliveries.findUntold(parts.clock.now().toISOString(), untoldMax)
  for (const [tenant, untold] of Map.groupBy(found, (one) => one.tenant))
    await parts.store.deliveries.add(
      { tenant, user: "" },
      untold.map((one) => newDelivery(one, parts)),
    )
  return found.length === untoldMax
}

function newDelivery({ notificationId, patterns, approvalId, address }: Untold, { clock }: NotifierParts): DeliveryRow {
  const now = clock.now()
  const wanted = readPatterns(patterns)
  // By its full path, or by the short one that leaves out owner and connection.
  const paths = [withoutRoot(address), roleSubjectOf(address)]
  const isWanted = wanted === null || wanted.map(compilePattern).some((pattern) => paths.some((path) => matchesPattern(pattern, path)))
  return {
    id: newId("dlv", now),
    notificationId,
    event: "approval.waiting",
    subject: approvalId,
    state: isWanted ? "waiting" : "skipped",
    attempts: 0,
    status: null,
    error: null,
    nextTryAt: isWanted ? now.toISOString() : null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  }
}

async function tell({ scope, delivery }: ClaimedDelivery, ending: AbortSignal, parts: NotifierParts): Promise<void> {
  const { store, clock } = parts
  const settle = async (outcome: Omit<DeliveryOutcome, "updatedAt">): Promise<void> =>
    void (await store.deliveries.settle(scope, delivery.id, parts.node, { ...outcome, updatedAt: clock.now().toISOString() }))
  const dropped = { state: "dropped", attempts: delivery.attempts, status: delivery.status, nextTryAt: null } as const
  const notification = await store.notifications.get(scope, delivery.notificationId)
  if (notification === null || !notification.enabled) return settle({ ...dropped, error: "The notification was switched off" })
  const row = await parts.executions.approvals.get({ tenant: scope.tenant, user: null, tokenId: null }, delivery.subject)
  if (row === null || row.status !== "pending" || row.expiresAt <= clock.now().toISOString())
    return settle({ ...dropped, error: "The approval was answered, or ran out, before this could be delivered" })
  const secrets = await openSecrets(scope, notification.id, store, parts)
  const url = parts.approvalUrl(row.id)
  if (secrets === null || url === null) return settle({ ...dropped, error: "The address is not in the vault any more" })
  const { includeArguments } = notification
  const message = approvalMessage(delivery, row, { url, includeArguments, limits: parts.limits })
  const result = await sendMessage(notification, secrets, message, ending, parts)
  // Whether it arrived is not known: whoever takes the lease over sends it again.
  if (ending.aborted && result.kind === "failed") return
  await settle(outcomeOf(result, delivery, parts))
  if (result.kind === "gone") await parts.switchedOff(scope.tenant, notification)
}

function outcomeOf(
  result: SendResult,
  { attempts: before }: DeliveryRow,
  { clock, limits }: NotifierParts,
): Omit<DeliveryOutcome, "updatedAt"> {
  const attempts = before + 1
  const { status } = result
  if (result.kind === "delivered") return { state: "delivered", attempts, status, error: null, nextTryAt: null }
  const { error } = result
  if (result.kind !== "again" || attempts >= limits.notificationTriesMax)
    return { state: "failed", attempts, status, error, nextTryAt: null }
  const waitMs = Math.max(backOffMs(attempts, limits), Math.min(result.afterMs ?? 0, limits.notificationRetryMsMax))
  return { state: "waiting", attempts, status, error, nextTryAt: new Date(clock.now().getTime() + waitMs).toISOString() }
}

const backOffMs = (attempts: number, { notificationRetryMs, notificationRetryMsMax }: Limits): number =>
  Math.min(notificationRetryMs * 3 ** (attempts - 1), notificationRetryMsMax)

/** Longer than any try may take. */
const newLease = ({ node, clock, limits }: NotifierParts): { readonly owner: string; readonly until: string } => ({
  owner: node,
  until: new Date(clock.now().getTime() + 2 * limits.notificationHeadMs).toISOString(),
})
