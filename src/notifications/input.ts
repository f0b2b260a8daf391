// Checks what an admin sends about a notification.
import { ExecutorError } from "../core/errors.ts"
import type { Limits } from "../core/limits.ts"
import { notificationKinds } from "../core/notifications/notification.ts"
import type { NotificationKind } from "../core/notifications/notification.ts"
import { normalizePolicyPattern } from "../policy/match.ts"

export function checkKind(kind: string): NotificationKind {
  const found = notificationKinds.find((one) => one === kind)
  if (found === undefined) throw invalid(`kind must be one of ${notificationKinds.join(", ")}`)
  return found
}

/** The text itself is in no message: it is a secret. */
export function checkUrl(text: string): URL {
  const url = text.length > 2000 ? null : URL.parse(text.trim())
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.hostname === "" ||
    url.username !== "" ||
    url.password !== "" ||
    url.hash !== ""
  )
    throw invalid("url must be an http or https address of up to 2,000 characters, without a user name, password or fragment")
  return url
}

/** As patterns of policies: `shop.*` is the subtree. */
export function checkPatterns(patterns: readonly string[] | null, limits: Limits): readonly string[] | null {
  if (patterns === null || patterns.length === 0) return null
  if (patterns.length > limits.notificationPatternsMax)
    throw invalid(`A notification has at most ${limits.notificationPatternsMax} patterns`)
  return [...new Set(patterns.map(normalizePolicyPattern))]
}

const invalid = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
