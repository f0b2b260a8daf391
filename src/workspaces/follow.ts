// The events of a workspace, for the one process that is attached to it until it leaves.
import { ExecutorError } from "../core/errors.ts"
import type { Limits } from "../core/limits.ts"
import type { WorkspaceEvent } from "../core/workspaces/workspace.ts"
import type { Workspace } from "./workspace.ts"

export async function* followWorkspace(workspace: Workspace, signal: AbortSignal, limits: Limits): AsyncGenerator<WorkspaceEvent> {
  const queue: WorkspaceEvent[] = []
  let woken = Promise.withResolvers<void>()
  const left = new AbortController()
  const leave = (): void => {
    left.abort()
    detach?.()
    woken.resolve()
  }
  if (signal.aborted) return
  const detach = workspace.attach((event) => {
    queue.push(event)
    // Every call may be cancelled: what has piled up beyond that is read by nobody.
    if (queue.length > 2 * limits.workspaceCallsMax) leave()
    else woken.resolve()
  })
  if (detach === null)
    throw new ExecutorError("conflict", "Another process is attached to this workspace already; open one of your own with POST /workspaces")
  // Whoever is gone reads nothing more, so that this must not wait for the next read.
  signal.addEventListener("abort", leave, { once: true })
  try {
    while (!left.signal.aborted) {
      const event = queue.shift()
      if (event !== undefined) yield event
      else {
        await woken.promise
        woken = Promise.withResolvers()
      }
    }
  } finally {
    signal.removeEventListener("abort", leave)
    detach()
  }
}
