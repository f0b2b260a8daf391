// What the kinds of receivers are called.
import type { NotificationKind } from "toolplane/client"

export const kindLabels: Readonly<Record<NotificationKind, string>> = { webhook: "Webhook", slack: "Slack" }
