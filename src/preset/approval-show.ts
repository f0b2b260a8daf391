// Opens the browser when an agent of the local human needs an approval, signed in by a code that the agent never sees.
import { localTenant, localUser } from "../core/principal.ts"
import type { Principal } from "../core/principal.ts"
import type { BrowserSessions } from "../identity/session-open.ts"
import type { Clock } from "../io/clock.ts"
import type { Log } from "../io/log.ts"

export type ApprovalShowParts = {
  readonly browserSessions: Pick<BrowserSessions, "invite">
  /** Where browsers reach the server; null before it listens. */
  pagesUrl(): string | null
  openBrowser(url: string): Promise<boolean>
  readonly clock: Clock
  readonly log: Log
}

/** The browser that was just opened uses it at once. */
const codeLifeMs = 60_000
/** An agent that asks for a hundred things must not open a hundred pages: the page itself leads to the others. */
const quietMs = 10_000
const rememberedMax = 1000

export function createApprovalShow(parts: ApprovalShowParts): (principal: Principal, executionId: string) => void {
  const shown = new Set<string>()
  let lastMs = Number.NEGATIVE_INFINITY
  const show = async (principal: Principal, executionId: string, url: string): Promise<void> => {
    const { code } = await parts.browserSessions.invite(principal, codeLifeMs)
    const isOpen = await parts.openBrowser(`${url}/signin?code=${code}&next=${encodeURIComponent(`/approve/${executionId}`)}`)
    if (!isOpen) parts.log.warn({ executionId }, "No browser could be opened; run 'executor web' to answer the approvals")
  }
  return (principal, executionId) => {
    // Whoever sits at this machine must not become somebody else, nor be asked by agents of others.
    if (principal.tenant !== localTenant || principal.user !== localUser) return
    const url = parts.pagesUrl()
    const nowMs = parts.clock.monotonicMs()
    if (url === null || shown.has(executionId) || nowMs - lastMs < quietMs) return
    lastMs = nowMs
    if (shown.size >= rememberedMax) shown.clear()
    shown.add(executionId)
    show(principal, executionId, url).catch((error: unknown) =>
      parts.log.warn({ error: String(error) }, "The approval page could not be shown"),
    )
  }
}
