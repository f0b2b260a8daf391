// What one principal can do with notifications, each change with its audit, and what tells approvals that wait.
import type { ExecutorApi } from "../core/executor-api.ts"
import type { NotificationView } from "../core/notifications/notification.ts"
import type { Principal } from "../core/principal.ts"
import {
  createNotification,
  listDeliveries,
  listNotifications,
  removeNotification,
  testNotification,
  updateNotification,
} from "../notifications/notifications.ts"
import { startNotifier } from "../notifications/notifier.ts"
import { auditAnonymous } from "./audit/anonymous.ts"
import type { ApprovalChanges } from "./approvals/changes.ts"
import { withAudit } from "./audit/audit.ts"
import type { EngineParts } from "./engine-parts.ts"

export function notificationsApi(principal: Principal, parts: EngineParts): ExecutorApi["notifications"] {
  const audit = withAudit(principal, parts)
  return {
    list: (page = {}) => listNotifications(principal, page, parts),
    create: (input) =>
      audit(
        "notification.create",
        input.name,
        () => createNotification(principal, input, parts),
        (after) => ({ subject: after.id, details: { before: null, after: shown(after) } }),
      ),
    update: async (id, change) =>
      (
        await audit(
          "notification.update",
          id,
          () => updateNotification(principal, id, change, parts),
          ({ before, after }) => ({
            details: {
              before: shown(before),
              after: { ...shown(after), ...(after.signingSecret === null ? {} : { signingSecret: "***" }) },
            },
          }),
        )
      ).after,
    remove: async (id) =>
      void (await audit(
        "notification.remove",
        id,
        () => removeNotification(principal, id, parts),
        (before) => ({ details: { before: shown(before), after: null } }),
      )),
    test: (id) =>
      audit(
        "notification.test",
        id,
        () => testNotification(principal, id, parts),
        ({ state, status }) => ({ details: { state, status } }),
      ),
    log: (id, page = {}) => listDeliveries(principal, id, page, parts),
  }
}

const shown = ({ name, kind, host, patterns, includeArguments, enabled }: NotificationView) => ({
  name,
  kind,
  host,
  patterns,
  includeArguments,
  enabled,
})

/** Answers how to stop. */
export function startNotifications(parts: EngineParts & { readonly approvalChanges: ApprovalChanges }): () => Promise<void> {
  const notifier = startNotifier({
    ...parts,
    approvalUrl: (id) => parts.approvalUrl(id),
    async switchedOff(tenant, notification) {
      const now = parts.clock.now().toISOString()
      await parts.store.notifications.put({ tenant, user: "" }, { ...notification, enabled: false, updatedAt: now })
      const details = { before: { enabled: true }, after: { enabled: false }, reason: "The receiver answered 410 Gone" }
      await auditAnonymous(tenant, { action: "notification.disable", subject: notification.id, outcome: "ok", details }, parts)
    },
  })
  const stopListening = parts.approvalChanges.listen(() => notifier.wake())
  return () => {
    stopListening()
    return notifier.stop()
  }
}
