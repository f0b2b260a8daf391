// A notification: whom an approval that waits is told to, outside of the console.
import type { Page, PageRequest } from "../page.ts"

/** What the receiver understands. The browser is told by the console itself, off the event stream. */
export const notificationKinds = ["webhook", "slack"] as const
export type NotificationKind = (typeof notificationKinds)[number]

export type NotificationView = {
  readonly id: string
  readonly name: string
  readonly kind: NotificationKind
  /** Of its address, which is a secret and never shown. */
  readonly host: string
  /** Only approvals of tools that one of these matches; null: all. */
  readonly patterns: readonly string[] | null
  /** Whether the receiver is told the arguments, and texts that may repeat them. */
  readonly includeArguments: boolean
  readonly enabled: boolean
  /** The latest one; null: nothing was told yet. */
  readonly lastDelivery: DeliveryView | null
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** `signingSecret` of a webhook is shown here and never again. */
export type NotificationCreated = NotificationView & { readonly signingSecret: string | null }

/**
 * `waiting`: it is tried again at `nextTryAt`. `dropped`: it was answered, or ran out, before it could be delivered.
 * `failed`: it is not tried again.
 */
export const deliveryStates = ["waiting", "delivered", "failed", "dropped"] as const
export type DeliveryState = (typeof deliveryStates)[number]

export type DeliveryView = {
  /** The `id` that the receiver was sent, the same at every try. */
  readonly id: string
  readonly event: "approval.waiting" | "test"
  readonly approvalId: string | null
  readonly state: DeliveryState
  readonly attempts: number
  /** What the receiver answered last. */
  readonly status: number | null
  readonly error: string | null
  readonly nextTryAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export type NotificationCreate = {
  readonly name: string
  readonly kind: NotificationKind
  readonly url: string
  readonly patterns?: readonly string[] | null
  readonly includeArguments?: boolean
  readonly enabled?: boolean
}

/** `rotateSecret`: makes another signing secret, which is in the answer. */
export type NotificationUpdate = {
  readonly name?: string
  readonly url?: string
  readonly patterns?: readonly string[] | null
  readonly includeArguments?: boolean
  readonly enabled?: boolean
  readonly rotateSecret?: boolean
}

export interface NotificationsApi {
  list(page?: PageRequest): Promise<Page<NotificationView>>
  create(input: NotificationCreate): Promise<NotificationCreated>
  update(id: string, change: NotificationUpdate): Promise<NotificationCreated>
  remove(id: string): Promise<void>
  /** Sends one message at once, and tries it once. */
  test(id: string): Promise<DeliveryView>
  /** Newest first. */
  log(id: string, page?: PageRequest): Promise<Page<DeliveryView>>
}
