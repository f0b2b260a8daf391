// The tables of notifications.
import type { NotificationKind } from "../../core/notifications/notification.ts"
import type { DeliveryRow } from "./notification-store.ts"

export type NotificationTables = { notifications: NotificationsTable; deliveries: DeliveriesTable }

export type NotificationsTable = {
  tenant_id: string
  notification_id: string
  name: string
  kind: NotificationKind
  host: string
  patterns: string | null
  include_arguments: number
  enabled: number
  enabled_at: string
  created_by: string
  created_at: string
  updated_at: string
}

export type DeliveriesTable = {
  tenant_id: string
  delivery_id: string
  notification_id: string
  event: DeliveryRow["event"]
  subject: string
  state: DeliveryRow["state"]
  attempts: number
  status: number | null
  error: string | null
  next_try_at: string | null
  lease_owner: string | null
  lease_until: string | null
  created_at: string
  updated_at: string
}
