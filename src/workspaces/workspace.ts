// One workspace: delivers calls to the process that is attached to it, and waits for their answers.
//
// A call that could not be delivered has done nothing, and says that nobody is there. One that was delivered and has no
// answer, because the process is gone, the caller stopped or time is over, is repeated freely if it only reads; what else
// became of it nobody knows. An answer that comes after that is refused.
import type { Limits } from "../core/limits.ts"
import { fail, succeed } from "../core/result.ts"
import type { ToolResult } from "../core/result.ts"
import type { Effect } from "../core/tool.ts"
import type { LocalToolName, WorkspaceAnswer, WorkspaceEvent } from "../core/workspaces/workspace.ts"
import { newId } from "../io/ids.ts"

export type LocalCall = {
  readonly tool: LocalToolName
  readonly args: Readonly<Record<string, unknown>>
  readonly effect: Effect
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export type Workspace = {
  isAttached(): boolean
  /** Null where somebody is attached already. What it answers detaches. */
  attach(send: (event: WorkspaceEvent) => void): (() => void) | null
  call(call: LocalCall): Promise<ToolResult>
  /** False where nobody waits for it. */
  answer(callId: string, answer: WorkspaceAnswer): boolean
}

export const nobodyAttached = fail(
  "upstream_unreachable",
  "The process that offered this workspace is not attached to this server any more, so nothing was done. Run it again with --workspace, or resume what waits with --workspace, and leave the command running until the end; with several servers, all of it must reach the same one",
)

export function createWorkspace(folder: string, limits: Limits): Workspace {
  const waiting = new Map<string, { readonly effect: Effect; settle(result: ToolResult): void }>()
  let attached: ((event: WorkspaceEvent) => void) | null = null

  const detach = (): void => {
    attached = null
    for (const { effect, settle } of waiting.values())
      settle(unanswered(effect, "upstream_unreachable", "The process behind the workspace ended"))
  }

  return {
    isAttached: () => attached !== null,
    attach(send) {
      if (attached !== null) return null
      attached = send
      send({ type: "ready" })
      return () => {
        if (attached === send) detach()
      }
    },
    call({ tool, args, effect, timeoutMs, signal }) {
      if (attached === null) return Promise.resolve(nobodyAttached)
      if (signal.aborted) return Promise.resolve(fail("timeout", "The call was stopped before it began"))
      if (waiting.size >= limits.workspaceCallsMax)
        return Promise.resolve(
          fail("rate_limited", `The workspace ${folder} has ${waiting.size} unanswered calls, the maximum; make fewer at once`),
        )
      const callId = newId("wsc")
      const { promise, resolve } = Promise.withResolvers<ToolResult>()
      const stop = (result: ToolResult): void => {
        settle(result)
        attached?.({ type: "cancel", callId })
      }
      const onAbort = (): void => stop(unanswered(effect, "timeout", "The call was stopped"))
      const timer = setTimeout(
        () => stop(unanswered(effect, "timeout", `The workspace did not answer within ${timeoutMs / 1000} s`)),
        timeoutMs,
      )
      const settle = (result: ToolResult): void => {
        waiting.delete(callId)
        clearTimeout(timer)
        signal.removeEventListener("abort", onAbort)
        resolve(result)
      }
      waiting.set(callId, { effect, settle })
      signal.addEventListener("abort", onAbort, { once: true })
      attached({ type: "call", callId, tool, args, timeoutMs })
      return promise
    },
    answer(callId, answer) {
      const call = waiting.get(callId)
      call?.settle(answer.ok ? succeed(answer.data) : fail("upstream_error", answer.message))
      return call !== undefined
    },
  }
}

const unanswered = (effect: Effect, code: "upstream_unreachable" | "timeout", what: string): ToolResult =>
  effect === "read"
    ? fail(code, `${what} before the call was answered`)
    : fail("outcome_unknown", `${what} while the call was in progress; it may or may not have taken effect. Check before you repeat it`)
