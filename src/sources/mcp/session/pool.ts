// The sessions of this process: one for each connection, opened by the first call, shared by all, closed when idle.
//
// A connection is configured, then known (its verdict is kept), then started. A start that fails, or a session that
// breaks soon after it, makes the next start wait, longer each time; whoever calls meanwhile is told the last error at
// once. A config or credential that changed gets a session of its own, and the old one ends with its last call.
import { ExecutorError } from "../../../core/errors.ts"
import type { Limits } from "../../../core/limits.ts"
import type { SourceNotice } from "../../../core/call/pass-through.ts"
import { openSession } from "./open.ts"
import type { OpenedSession, SessionTarget, Verdict } from "./open.ts"
import type { Session } from "./session.ts"

export type SessionRequest = {
  /** Of one connection; null for a session that is used once, before there is a connection. */
  readonly key: string | null
  /** Changes with everything that a session is made of. */
  readonly fingerprint: string
  readonly target: SessionTarget
  /** `now`: a human waits for this, whatever failed before. */
  readonly urgency: "now" | "patient"
  /** The tool that is to be called. */
  readonly tool: string | null
  onToolsChanged(): void
  onNotice(notice: SourceNotice): void
}

export type SessionPool = {
  use<T>(request: SessionRequest, work: (session: Session) => Promise<T>): Promise<T>
  /** Ends those whose key fits, each with its last call. */
  end(fits: (key: string) => boolean): void
  /** The next who uses the session of this key opens another. A program is left running: it may hold state, and tells of changes itself. */
  renew(key: string): void
  /** The session of this key ends with its last call, and the next who uses it opens another; what is known of the server is kept. */
  retire(key: string): void
  /** How many are open. */
  size(): number
  close(): Promise<void>
}

export type PoolParts = {
  readonly limits: Limits
  readonly version: string
  /** What is known of a server before it was ever asked. */
  knownVerdict?(target: SessionTarget): Verdict | null
}

type Entry = {
  readonly fingerprint: string
  readonly tools: { asking: ReadonlySet<string> }
  verdict: { readonly value: Verdict; readonly atMs: number } | null
  opening: Promise<Open> | null
  open: Open | null
  failures: number
  failure: { readonly error: unknown; readonly untilMs: number } | null
  isReplaced: boolean
}
type Open = { readonly session: Session; readonly openedAtMs: number; users: number; usedAtMs: number; isRetired: boolean }

/** A server may be replaced by one of another revision; asking again now and then costs little. */
const verdictMs = 3_600_000
const backOffMs = { first: 1000, most: 60_000 }
/** A session that breaks sooner counts as a start that failed. */
const steadyMs = 10_000

export function createSessionPool(parts: PoolParts): SessionPool {
  const entries = new Map<string, Entry>()
  const opened = new Set<Open>()
  const starting = new Set<Promise<unknown>>()
  let isClosed = false

  const closeOne = (open: Open): Promise<void> => {
    opened.delete(open)
    return open.session.close().catch(() => {})
  }
  const retire = (entry: Entry): void => {
    const { open } = entry
    entry.open = null
    if (open === null) return
    open.isRetired = true
    if (open.users === 0) void closeOne(open)
  }
  const sweep = setInterval(
    () => {
      const oldest = performance.now() - parts.limits.mcpServerIdleMs
      for (const entry of entries.values()) {
        const isIdle = entry.open?.users === 0 && (entry.open.usedAtMs < oldest || !entry.open.session.isOpen())
        if (isIdle) retire(entry)
      }
    },
    Math.max(50, parts.limits.mcpServerIdleMs / 5),
  ).unref()

  const makeRoom = (): void => {
    if (opened.size + starting.size < parts.limits.mcpServersMax) return
    const idle = [...entries.values()]
      .filter((entry) => entry.open?.users === 0)
      .toSorted((a, b) => (a.open?.usedAtMs ?? 0) - (b.open?.usedAtMs ?? 0))
    const [longest] = idle
    if (longest === undefined)
      throw new ExecutorError("rate_limited", `All ${parts.limits.mcpServersMax} MCP sessions are in use; try again in a moment`)
    retire(longest)
  }

  const openFor = (request: SessionRequest, entry: Entry): Promise<Open> => {
    makeRoom()
    const opening = start(request, entry)
    starting.add(opening)
    opening.finally(() => starting.delete(opening)).catch(() => {})
    return opening
  }
  const start = async (request: SessionRequest, entry: Entry): Promise<Open> => {
    const isKnown = entry.verdict !== null && performance.now() - entry.verdict.atMs < verdictMs
    const verdict = isKnown ? (entry.verdict?.value ?? null) : (parts.knownVerdict?.(request.target) ?? null)
    const events = {
      onToolsChanged: request.onToolsChanged,
      onNotice: request.onNotice,
      onToolsAsk: (tools: readonly string[]) => void (entry.tools.asking = new Set([...entry.tools.asking, ...tools])),
    }
    let answer: OpenedSession
    try {
      answer = await openSession(request.target, verdict, events, parts.version)
    } catch (error) {
      entry.verdict = null
      throw error
    }
    entry.verdict = { value: answer.verdict, atMs: performance.now() }
    const open: Open = {
      session: answer.session,
      openedAtMs: performance.now(),
      users: 0,
      usedAtMs: performance.now(),
      isRetired: false,
    }
    opened.add(open)
    if (isClosed) await closeOne(open)
    return open
  }

  /** What broke once is opened again at once; what breaks again, or did not start, waits. */
  const noteFailure = (entry: Entry, error: unknown, how: "broken" | "unstarted"): void => {
    entry.failures += 1
    const waits = how === "broken" ? entry.failures - 2 : entry.failures - 1
    const pauseMs = waits < 0 ? 0 : Math.min(backOffMs.most, backOffMs.first * 2 ** waits)
    entry.failure = { error, untilMs: performance.now() + pauseMs }
  }

  /** The session of the entry, opened if it is not; broken ones are replaced. */
  const shared = async (request: SessionRequest, entry: Entry): Promise<Open> => {
    if (entry.open !== null && !entry.open.session.isOpen()) dropBroken(entry)
    if (entry.open !== null) {
      if (performance.now() - entry.open.openedAtMs > steadyMs) entry.failures = 0
      return entry.open
    }
    if (entry.opening !== null) return entry.opening
    if (request.urgency === "patient" && entry.failure !== null && performance.now() < entry.failure.untilMs) throw entry.failure.error
    const opening = openFor(request, entry)
    entry.opening = opening
    try {
      const open = await opening
      entry.failure = null
      // Another config has taken its place meanwhile: it serves those who wait for it, and ends with them.
      if (entry.isReplaced) open.isRetired = true
      else entry.open = open
      return open
    } catch (error) {
      noteFailure(entry, error, "unstarted")
      throw error
    } finally {
      entry.opening = null
    }
  }
  const dropBroken = (entry: Entry): void => {
    const { open } = entry
    if (open === null) return
    retire(entry)
    if (!open.session.isBroken()) return
    if (performance.now() - open.openedAtMs < steadyMs) noteFailure(entry, keepsBreaking(open.session), "broken")
    else entry.failures = 0
  }

  const entryFor = (request: SessionRequest): Entry => {
    const known = request.key === null ? undefined : entries.get(request.key)
    if (known !== undefined && known.fingerprint === request.fingerprint) return known
    if (known !== undefined) {
      known.isReplaced = true
      retire(known)
    }
    const entry = newEntry(request.fingerprint)
    if (request.key !== null) entries.set(request.key, entry)
    return entry
  }

  const leave = (key: string): void => {
    const entry = entries.get(key)
    entries.delete(key)
    if (entry === undefined) return
    entry.isReplaced = true
    retire(entry)
  }

  const working = async <T>(open: Open, work: (session: Session) => Promise<T>): Promise<T> => {
    open.users += 1
    try {
      return await work(open.session)
    } finally {
      open.users -= 1
      open.usedAtMs = performance.now()
      if (open.isRetired && open.users === 0) await closeOne(open)
    }
  }

  return {
    size: () => opened.size,
    end(fits) {
      for (const key of entries.keys()) if (fits(key)) leave(key)
    },
    renew(key) {
      if (entries.get(key)?.verdict?.value.wire !== "stdio") leave(key)
    },
    retire(key) {
      const entry = entries.get(key)
      if (entry !== undefined) retire(entry)
    },
    async use(request, work) {
      if (isClosed) throw new ExecutorError("upstream_unreachable", "Executor is shutting down")
      const entry = entryFor(request)
      const isAlone = request.key === null || (request.tool !== null && entry.tools.asking.has(request.tool))
      const open = isAlone ? await openFor(request, entry) : await shared(request, entry)
      if (isAlone) open.isRetired = true
      return working(open, work)
    },
    async close() {
      isClosed = true
      clearInterval(sweep)
      await Promise.all([...[...opened].map(closeOne), ...[...starting].map((opening) => opening.catch(() => {}))])
    },
  }
}

const keepsBreaking = (session: Session): ExecutorError =>
  new ExecutorError("upstream_unreachable", `The server keeps exiting; it will be restarted shortly. ${session.ending()?.message ?? ""}`)

const newEntry = (fingerprint: string): Entry => ({
  fingerprint,
  tools: { asking: new Set() },
  verdict: null,
  opening: null,
  open: null,
  failures: 0,
  failure: null,
  isReplaced: false,
})
