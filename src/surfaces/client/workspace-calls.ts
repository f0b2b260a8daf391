// The client's calls about workspaces.
import { ExecutorError } from "../../core/errors.ts"
import type { WorkspaceEvent, WorkspacesApi, WorkspaceView } from "../../core/workspaces/workspace.ts"
import { answerError, pathTo } from "./transport.ts"
import type { Transport } from "./transport.ts"

export const workspaceCalls = (http: Transport): WorkspacesApi => ({
  open: (body) => http.send<WorkspaceView>("POST", "/workspaces", { holds: "workspaceId", body }),
  events: (id, signal) => follow(id, signal, http),
  answer: async (id, callId, body) => http.send<void>("POST", pathTo("workspaces", id, "calls", callId), { body }),
  close: async (id) => http.send<void>("DELETE", pathTo("workspaces", id)),
})

async function* follow(id: string, signal: AbortSignal | undefined, http: Transport): AsyncGenerator<WorkspaceEvent> {
  try {
    for await (const { name, data } of http.stream(`${pathTo("workspaces", id)}/events`, signal)) {
      const event: unknown = JSON.parse(data)
      if (name === "error") throw answerError(event, 200, "The server")
      yield event as WorkspaceEvent // the server documents what it sends
    }
  } catch (error) {
    if (signal?.aborted === true) return
    throw error instanceof ExecutorError ? error : lost(error)
  }
  if (signal?.aborted !== true) throw lost()
}

const lost = (error?: unknown): ExecutorError =>
  new ExecutorError("upstream_unreachable", "The server let go of the workspace; open another one", {
    reason: error instanceof Error ? error.message : "the stream ended",
  })
