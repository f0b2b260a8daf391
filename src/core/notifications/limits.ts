// The limits of notifications.
const second = 1000

export const notificationLimits = {
  notificationsMax: { value: 50, why: "Notifications of one tenant; each is told of every approval." },
  notificationPatternsMax: { value: 100, why: "Patterns of one notification; each is matched with every approval." },
  notificationHeadMs: {
    value: 10 * second,
    why: "A receiver that answers later is asked again; receivers should answer first and work then.",
  },
  notificationArgumentsCharsMax: {
    value: 2000,
    why: "Arguments in a message; Slack cuts at 3,000, and people read the rest in the inbox.",
  },
  notificationTriesMax: { value: 12, why: "With the waits between them, about ten hours; then nobody is there." },
  notificationRetryMs: { value: 10 * second, why: "The first wait; each is three times as long as the one before." },
  notificationRetryMsMax: { value: 3600 * second, why: "The longest wait, also where a receiver asks for a longer one." },
  notificationLookMs: { value: 5 * second, why: "How late an approval of another node is told, at most." },
  notificationInFlightMax: { value: 8, why: "Messages that one node sends at once; a slow receiver must not hold up the others." },
  notificationLogRowsMax: { value: 500, why: "Entries in the log of one notification; older ones go once their approval is answered." },
} as const
