// Ends the streams of whoever may act no longer: of a revoked or expired token, an ended consent, a disabled user.
import type { TokenPrincipal } from "../../core/principal.ts"
import { systemClock } from "../../io/clock.ts"
import type { Log } from "../../io/log.ts"
import { ownerOf } from "./request-principal.ts"
import { whenDone } from "./response-end.ts"

export type OpenAnswers = {
  /** The same answer, which ends when nothing acts in their name any more. */
  keep(response: Response, principal: TokenPrincipal): Response
  stop(): void
}

export type OpenAnswersParts = {
  /** Moves on every node when people or tokens change. */
  revision(): string
  mayAct(principal: TokenPrincipal): Promise<boolean>
  /** Called with whom `ownerOf` names. */
  onEnd(owner: string): void
  readonly log: Log
}

const lookMs = 250
/** Without a change too: tokens expire, and a stream may have begun while the revision moved. */
const lookAnywayMs = 1000

type Answer = { readonly principal: TokenPrincipal; readonly cut: AbortController }

export function createOpenAnswers(parts: OpenAnswersParts): OpenAnswers {
  const open = new Set<Answer>()
  let seen = { revision: parts.revision(), atMs: systemClock.monotonicMs() }

  const end = (owner: string): void => {
    parts.onEnd(owner)
    for (const { principal, cut } of open) if (ownerOf(principal) === owner) cut.abort()
  }
  const look = async (): Promise<void> => {
    const now = { revision: parts.revision(), atMs: systemClock.monotonicMs() }
    if (open.size === 0 || (now.revision === seen.revision && now.atMs - seen.atMs < lookAnywayMs)) return
    seen = now
    const askers = new Map([...open].map(({ principal }) => [ownerOf(principal), principal]))
    for (const [owner, principal] of askers) if (!(await parts.mayAct(principal))) end(owner)
  }
  const timer = setInterval(() => {
    // What the store does not answer now, it answers at the next look.
    look().catch((error: unknown) => parts.log.warn({ error: String(error) }, "Whose streams are open could not be looked up"))
  }, lookMs).unref()

  return {
    keep(response, principal) {
      if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true) return response
      const answer: Answer = { principal, cut: new AbortController() }
      open.add(answer)
      return whenDone(response, () => void open.delete(answer), answer.cut.signal)
    },
    stop: () => clearInterval(timer),
  }
}
