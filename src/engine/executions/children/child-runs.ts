// The runs that agents of an execution start by calling agents: each has a row of its own, so that it is shown, listed, followed and stopped like any other.
//
// What drives them is their root: its node, lease, run number and journal, in which the keys of a child's calls begin with
// that of the call which it performs. So nobody else starts a child, whatever an older run of the root still writes of it is
// refused by the store, and a child that waits is rows only. Its row is durable before it begins, and written whole when it
// ends or pauses; with the end of its root it ends too.
import type { CodeProgram } from "../../../core/call/program.ts"
import type { ExecutionEvent, LogLine } from "../../../core/execution.ts"
import type { SandboxOutcome } from "../../../sandbox/sandbox.ts"
import { cancelledAloneRun } from "../../../store/execution-store.ts"
import type { ApprovalRow, CallRow, ExecutionHead, ExecutionOutcome, ExecutionRow, JournalRecord } from "../../../store/execution-store.ts"
import type { EngineParts } from "../../engine-parts.ts"
import { isVisible, ofTenant } from "../../execution-access.ts"
import { viewCall } from "../call-view.ts"
import type { ExecutionJournal } from "../journal.ts"
import { endedByItself, toOutcome } from "../outcome.ts"
import { toReply } from "../reply.ts"
import { Cancellation, LeaseLost } from "../run-registry.ts"
import type { ActiveRun } from "../run-registry.ts"
import { isCancelledAlone, withRoot } from "./end.ts"
import { childId } from "./id.ts"
import { prefixOf, scoped } from "./scope.ts"

/** The runs that lead to a call, from the root on. `depth`: how many tools lead to the run. */
export type Lineage = readonly { readonly id: string; readonly depth: number }[]

export type ChildStart = {
  /** Of the call that it performs, in the root's journal. */
  readonly key: string
  readonly program: CodeProgram
  readonly startedAtMs: number
  readonly lineage: Lineage
  /** The tools that lead to it, itself included. */
  readonly callers: readonly string[]
}

export type ChildRun = {
  readonly id: string
  /** Aborted when it alone is to end. */
  readonly signal: AbortSignal
  readonly leftMs: number
  said(text: string): void
  /** The model is asked for its next answer. */
  asks(): void
  logged(line: LogLine): void
  /** Resolves when it was told how it ended, which a crash no longer changes; rejects with `LeaseLost` where that cannot be recorded. */
  settle(outcome: SandboxOutcome, signal: AbortSignal): Promise<void>
  /** The row as somebody cancelled it before its end was stored; null where it ended as it did here. */
  overruled(): Promise<ExecutionRow | null>
  /** It goes on in another run of its root. */
  leave(): void
}

export type ChildRuns = {
  /** Rejects with `LeaseLost` where it cannot be recorded. */
  open(start: ChildStart): Promise<ChildRun>
  /** The row of what performed this call in an earlier run; undefined where nothing did. */
  known(key: string): ExecutionHead | undefined
  idAt(key: string): string | undefined
  tellCall(call: CallRow): void
  /** Ends those that have not ended, and answers what is recorded with the end of the root. */
  endAll(): readonly JournalRecord[]
}

export type ChildRunParts = {
  readonly root: ExecutionRow
  /** Of earlier runs of the root. */
  readonly known: readonly ExecutionHead[]
  readonly approvals: readonly ApprovalRow[]
  readonly journal: ExecutionJournal
}

type Open = { readonly row: ExecutionRow; readonly abort: AbortController; close(row: ExecutionRow | null): void }

export function createChildRuns({ root, known, approvals, journal }: ChildRunParts, parts: EngineParts): ChildRuns {
  const rows = new Map<string, ExecutionRow>(
    known.map((head) => [head.rootKey ?? "", { ...head, result: null, logs: "[]", emitted: "[]" }]),
  )
  const before = new Map(known.map((head) => [head.rootKey ?? "", head]))
  const open = new Map<string, Open>()

  const keep = (row: ExecutionRow): Promise<void> => {
    rows.set(row.rootKey ?? "", row)
    // A journal that cannot be written stops the root with its next record.
    return journal.append([{ kind: "execution", row }], "now").catch(() => {})
  }
  const publish = (id: string, event: () => ExecutionEvent): void => parts.runs.publish(id, event)
  const tellEnd = (row: ExecutionRow, asked: readonly ApprovalRow[] = []): void =>
    publish(row.id, () => ({ type: row.status === "paused" ? "pause" : "end", reply: toReply(row, asked, parts) }))

  const begin = (start: ChildStart): Open => {
    const row = newChild(root, start, before.get(start.key))
    const abort = new AbortController()
    const ended = Promise.withResolvers<ExecutionRow>()
    ended.promise.catch(() => {})
    const live = activeRun(row, abort, ended.promise, journal, parts)
    parts.runs.add(live)
    const self: Open = {
      row,
      abort,
      close(settled) {
        if (open.get(start.key) === self) open.delete(start.key)
        parts.runs.remove(live)
        if (settled === null) ended.reject(new LeaseLost("The run goes on in another run of its root"))
        else ended.resolve(settled)
      },
    }
    open.set(start.key, self)
    return self
  }

  /** Whoever is told of it finds it, whatever happens to this node. */
  const store = async (row: ExecutionRow): Promise<void> => {
    rows.set(row.rootKey ?? "", row)
    try {
      await journal.append([{ kind: "execution", row }], "now")
    } catch {
      throw new LeaseLost(`Run ${row.id} could not be recorded`)
    }
  }

  return {
    known: (key) => before.get(key),
    idAt: (key) => rows.get(key)?.id,
    async open(start) {
      const self = begin(start)
      const { row, abort } = self
      // What has ended is run again only because its caller did not hear of it: it stays ended for everybody else.
      const hasEnded = (before.get(start.key)?.endedAt ?? null) !== null
      if (!hasEnded)
        await store(row).catch((error: unknown) => {
          self.close(null)
          throw error
        })
      const startedMs = parts.clock.monotonicMs()
      const prefix = `${start.key}/`
      let kept = Promise.resolve()
      return {
        id: row.id,
        signal: abort.signal,
        leftMs: Math.max(1, row.wallMs - row.wallUsedMs),
        asks() {
          const live = parts.runs.get(row.id)
          if (live !== undefined) live.words = ""
        },
        said(text) {
          const live = parts.runs.get(row.id)
          if (live !== undefined && live.words.length < parts.limits.resultTextCharsMax) live.words += text
          publish(row.id, () => ({ type: "text", text }))
          for (const { id, depth } of start.lineage)
            publish(id, () => ({ type: "text", text, path: start.callers.slice(depth), runId: row.id }))
        },
        logged(line) {
          publish(row.id, () => ({ type: "log", line }))
        },
        async settle(outcome, signal) {
          // A replay comes to this end again; to one from outside it does not.
          if (endedByItself(outcome)) await journal.confirmed()
          if (open.get(start.key) !== self) return
          const asked = approvals.filter(({ callKey }) => callKey?.startsWith(prefix) === true)
          const facts = {
            row,
            approvals: asked.map((one) => ({ ...one, callKey: (one.callKey ?? "").slice(prefix.length) })),
            calls: scoped(journal.calls(), prefix),
            toolLogs: { with: (own: readonly LogLine[]) => own },
            signal,
            wallUsedMs: Math.round(row.wallUsedMs + parts.clock.monotonicMs() - startedMs),
          }
          // What somebody cancelled is not begun again, should its caller not have heard of it.
          const run = abort.signal.reason instanceof Cancellation && outcome.status === "stopped" ? cancelledAloneRun : row.run
          const settled = { ...row, ...withTimeout(outcome, toOutcome(outcome, facts, parts)), run }
          if (endedByItself(outcome) || outcome.status === "waiting") kept = keep(settled)
          else await store(settled)
          if (open.get(start.key) !== self) return
          tellEnd(settled, asked)
          self.close(settled)
        },
        async overruled() {
          await kept
          const stored = await parts.executions.executions.get(ofTenant(row), row.id)
          return stored !== null && isCancelledAlone(stored) ? stored : null
        },
        leave() {
          if (open.get(start.key) === self) self.close(null)
        },
      }
    },
    tellCall(call) {
      for (const { row } of open.values()) {
        const prefix = prefixOf(row)
        if (call.key.startsWith(prefix))
          publish(row.id, () => ({ type: "call", call: viewCall({ ...call, key: call.key.slice(prefix.length) }, rows.get(call.key)?.id) }))
      }
    },
    endAll() {
      const ended = [...rows.values()].filter(({ endedAt }) => endedAt === null).map((row) => withRoot(row, root.run, parts))
      for (const row of ended) {
        rows.set(row.rootKey ?? "", row)
        const one = open.get(row.rootKey ?? "")
        one?.abort.abort(new Error("The run that called it has ended"))
        tellEnd(row)
        one?.close(row)
      }
      return ended.map((row) => ({ kind: "execution", row }))
    },
  }
}

/** Whoever called it has its answer, that it took too long: it does not go on. */
const withTimeout = (outcome: SandboxOutcome, settled: ExecutionOutcome): ExecutionOutcome =>
  outcome.status === "stopped" && outcome.reason === "timeout" ? { ...settled, status: "cancelled" } : settled

function newChild(root: ExecutionRow, { key, program, startedAtMs, lineage }: ChildStart, before: ExecutionHead | undefined): ExecutionRow {
  return {
    ...root,
    id: before?.id ?? childId(root, key, startedAtMs),
    code: program.code,
    program: "agent",
    results: "envelope",
    wallMs: Math.max(1, program.timeoutMs),
    startedAtMs,
    status: "running",
    leaseOwner: null,
    leaseUntil: null,
    wallUsedMs: before?.wallUsedMs ?? 0,
    expiresAt: null,
    createdAt: new Date(startedAtMs).toISOString(),
    endedAt: null,
    result: null,
    error: null,
    logs: "[]",
    emitted: "[]",
    outputsSeen: 0,
    workspace: null,
    directCall: null,
    parentId: lineage.at(-1)?.id ?? root.id,
    rootId: root.id,
    rootKey: key,
  }
}

function activeRun(
  row: ExecutionRow,
  abort: AbortController,
  ended: Promise<ExecutionRow>,
  journal: ExecutionJournal,
  parts: EngineParts,
): ActiveRun {
  const startedMs = parts.clock.monotonicMs() - row.wallUsedMs
  return {
    tenant: row.tenant,
    user: row.user,
    id: row.id,
    rootId: row.rootId,
    tokenId: row.tokenId,
    abort,
    run: row.run,
    ended,
    isStored: true,
    isVisibleTo: (principal) => isVisible(row, principal),
    leaseUntilMs: 0,
    logs: [],
    words: "",
    time: () => ({ usedMs: parts.clock.monotonicMs() - startedMs, wallMs: row.wallMs }),
    calls: () => scoped(journal.calls(), prefixOf(row)),
  }
}
