// The client's calls about notifications.
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { DeliveryView, NotificationCreated, NotificationView } from "../../core/notifications/notification.ts"
import type { Page } from "../../core/page.ts"
import type { Transport } from "./transport.ts"
import { pathTo } from "./transport.ts"

export const notificationCalls = (http: Transport): ExecutorApi["notifications"] => ({
  list: ({ limit, cursor } = {}) =>
    http.send<Page<NotificationView>>("GET", "/notifications", { holds: "items", query: { limit, cursor } }),
  create: (body) => http.send<NotificationCreated>("POST", "/notifications", { holds: "id", body }),
  update: async (id, body) => http.send<NotificationCreated>("PATCH", pathTo("notifications", id), { holds: "id", body }),
  remove: async (id) => http.send<void>("DELETE", pathTo("notifications", id)),
  test: async (id) => http.send<DeliveryView>("POST", `${pathTo("notifications", id)}/test`, { holds: "state" }),
  log: async (id, { limit, cursor } = {}) =>
    http.send<Page<DeliveryView>>("GET", `${pathTo("notifications", id)}/log`, { holds: "items", query: { limit, cursor } }),
})
