// Attaches a folder of this machine to the server for as long as a command works, and answers the calls of its tools.
import { resolve } from "node:path"
import { ExecutorError } from "../../../core/errors.ts"
import { safeLine } from "../../../core/text/safe.ts"
import type { WorkspaceCall } from "../../../core/workspaces/workspace.ts"
import type { ExecutorCommandContext } from "../command-action.ts"
import { reasonOf } from "../doctor/check.ts"
import { openLocalTools } from "./local-tools.ts"
import type { LocalTools } from "./local-tools.ts"

/** `work` gets the id of the workspace; undefined where no folder was named. `executionId`: whose workspace it is from now on. */
export async function withWorkspace<T>(
  folder: string | undefined,
  context: ExecutorCommandContext,
  work: (workspaceId: string | undefined) => Promise<T>,
  executionId?: string,
): Promise<T> {
  if (folder === undefined) return work(undefined)
  const { api, screen } = context
  const tools = await openLocalTools(resolve(folder), process.env, (message) => screen.note(safeLine(message)))
  const { workspaceId } = await api.workspaces.open({ ...tools.offer, ...(executionId === undefined ? {} : { executionId }) })
  const over = new AbortController()
  const ready = Promise.withResolvers<void>()
  const answering = answerCalls(workspaceId, tools, over.signal, ready.resolve, context).catch((error: unknown) => {
    ready.reject(error)
    if (!over.signal.aborted) screen.note(`The workspace is not attached any more: ${safeLine(reasonOf(error))}`)
  })
  try {
    await ready.promise
    return await work(workspaceId)
  } finally {
    over.abort()
    await answering
    await api.workspaces.close(workspaceId).catch(() => {})
  }
}

async function answerCalls(
  workspaceId: string,
  tools: LocalTools,
  signal: AbortSignal,
  onReady: () => void,
  { api }: ExecutorCommandContext,
): Promise<void> {
  const running = new Map<string, { readonly abort: AbortController; readonly ended: Promise<void> }>()
  const begin = (call: WorkspaceCall): void => {
    const abort = new AbortController()
    const ended = tools
      .answer(call, abort.signal)
      .then((answer) => api.workspaces.answer(workspaceId, call.callId, answer))
      .catch(orUnwanted)
      .finally(() => running.delete(call.callId))
    running.set(call.callId, { abort, ended })
  }
  try {
    for await (const event of api.workspaces.events(workspaceId, signal)) {
      if (event.type === "ready") onReady()
      else if (event.type === "call") begin(event)
      else running.get(event.callId)?.abort.abort()
    }
  } finally {
    // Commands must not outlive the command that answers for them.
    const left = [...running.values()]
    for (const { abort } of left) abort.abort()
    await Promise.all(left.map(({ ended }) => ended))
  }
}

/** An answer that came too late is wanted by nobody; without a server nobody can be told. */
function orUnwanted(error: unknown): void {
  if (!(error instanceof ExecutorError)) throw error
}
