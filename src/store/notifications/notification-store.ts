// The store port of notifications: whom approvals are told to, and what was told.
import type { DeliveryState, DeliveryView, NotificationKind } from "../../core/notifications/notification.ts"
import type { Scope } from "../../core/principal.ts"
import type { JsonText } from "../../core/tool.ts"
import type { Lease } from "../execution-store.ts"
import type { After } from "../store.ts"

export interface NotificationStore {
  readonly notifications: NotificationRows
  readonly deliveries: DeliveryRows
}

/** Their addresses and signing secrets are in the vault, see `notificationRef`. */
export interface NotificationRows {
  get(scope: Scope, id: string): Promise<NotificationRow | null>
  /** By id. */
  list(scope: Scope, page: After<string>): Promise<NotificationRow[]>
  /** Inserts or replaces. */
  put(scope: Scope, row: NotificationRow): Promise<void>
  /** Its deliveries go with it. */
  remove(scope: Scope, id: string): Promise<boolean>
}

export type NotificationRow = {
  readonly id: string
  readonly name: string
  readonly kind: NotificationKind
  readonly host: string
  /** A JSON array; null: all tools. */
  readonly patterns: JsonText | null
  readonly includeArguments: boolean
  readonly enabled: boolean
  /** What began to wait earlier is not told. */
  readonly enabledAt: string
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
}

export interface DeliveryRows {
  /** Approvals that wait and were not yet considered for a notification that is on, of any tenant. */
  findUntold(now: string, limit: number): Promise<Untold[]>
  /** Adds those that are new: each subject once for a notification, whoever is first. */
  add(scope: Scope, rows: readonly DeliveryRow[]): Promise<void>
  /** Takes one that is due, of any tenant, so that no other node sends it while the lease lasts. */
  claim(lease: Lease, now: string): Promise<ClaimedDelivery | null>
  /** Writes how a try ended, if the lease is still the owner's. */
  settle(scope: Scope, id: string, owner: string, outcome: DeliveryOutcome): Promise<boolean>
  /** Newest first, without those that were skipped. */
  list(scope: Scope, notificationId: string, page: After<string>): Promise<DeliveryRow[]>
  /** Deletes all but the newest of each notification, except what waits or whose approval does. */
  trim(keep: number): Promise<void>
}

export type Untold = {
  readonly tenant: string
  readonly notificationId: string
  readonly patterns: JsonText | null
  readonly approvalId: string
  readonly address: string
}

export type DeliveryRow = {
  readonly id: string
  readonly notificationId: string
  readonly event: DeliveryView["event"]
  /** The approval's id; of a test its own. */
  readonly subject: string
  /** `skipped`: its tool is not one that the notification is about. */
  readonly state: DeliveryState | "skipped"
  readonly attempts: number
  readonly status: number | null
  readonly error: string | null
  readonly nextTryAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export type ClaimedDelivery = { readonly scope: Scope; readonly delivery: DeliveryRow }
export type DeliveryOutcome = Pick<DeliveryRow, "state" | "attempts" | "status" | "error" | "nextTryAt" | "updatedAt">

export const notificationRef = (id: string): string => `notification:${id}`
