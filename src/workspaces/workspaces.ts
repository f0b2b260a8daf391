// The workspaces that processes are attached to at this server, each for the token that opened it.
//
// They live in memory, on the node that has the process's stream: an execution that another node runs finds nobody here.
import { ExecutorError } from "../core/errors.ts"
import { withoutRoot } from "../core/address.ts"
import type { Limits } from "../core/limits.ts"
import { fail } from "../core/result.ts"
import { localSlug } from "../core/workspaces/workspace.ts"
import type { WorkspaceAnswer, WorkspaceEvent, WorkspaceOffer, WorkspaceView } from "../core/workspaces/workspace.ts"
import type { StaticTool } from "../catalog/static-tool.ts"
import type { WorkspaceTools, WorkspaceUser } from "../catalog/tools/workspace-tools.ts"
import { newId } from "../io/ids.ts"
import { followWorkspace } from "./follow.ts"
import { localTools } from "./tools.ts"
import { createWorkspace, nobodyAttached } from "./workspace.ts"
import type { Workspace } from "./workspace.ts"

export type Workspaces = WorkspaceTools & {
  /** `id`: of one that executions have already; by default a new one. */
  open(user: WorkspaceUser, offer: WorkspaceOffer, id?: string): WorkspaceView
  events(user: WorkspaceUser, id: string, signal: AbortSignal): AsyncIterable<WorkspaceEvent>
  answer(user: WorkspaceUser, id: string, callId: string, answer: WorkspaceAnswer): void
  close(user: WorkspaceUser, id: string): void
}

type Opened = {
  readonly user: WorkspaceUser
  readonly workspace: Workspace
  readonly tools: readonly StaticTool[]
  /** Ends it when nobody follows it for too long. */
  timer: NodeJS.Timeout | null
  readonly closed: AbortController
}

export function createWorkspaces(limits: Limits): Workspaces {
  const opened = new Map<string, Opened>()

  const own = (user: WorkspaceUser, id: string): Opened | null => {
    const found = opened.get(id)
    return found !== undefined && isSame(found.user, user) ? found : null
  }
  const required = (user: WorkspaceUser, id: string): Opened => {
    const found = own(user, id)
    if (found === null)
      throw new ExecutorError("not_found", `There is no workspace '${id}' of yours here; open another with POST /workspaces`)
    return found
  }
  const close = (id: string): void => {
    const found = opened.get(id)
    if (found === undefined) return
    opened.delete(id)
    if (found.timer !== null) clearTimeout(found.timer)
    found.closed.abort()
  }
  /** Started when it is opened, and again whenever its stream ends. */
  const expire = (id: string, one: Opened): void => {
    if (one.timer !== null) clearTimeout(one.timer)
    one.timer = setTimeout(() => one.workspace.isAttached() || close(id), limits.workspaceAttachMs).unref()
  }

  return {
    open(user, offer, id = newId("wsp")) {
      checkOffer(offer)
      if (opened.get(id)?.workspace.isAttached() === true)
        throw new ExecutorError(
          "conflict",
          "The process behind this execution's workspace is still attached; let it go on, or end it first",
        )
      close(id)
      const count = [...opened.values()].filter((one) => one.user.tenant === user.tenant && one.user.user === user.user).length
      if (count >= limits.workspacesPerUserMax)
        throw new ExecutorError("rate_limited", `You have ${count} workspaces open here, the maximum; close some of them first`)
      const workspace = createWorkspace(offer.folder, limits)
      const { tenant, user: name, tokenId } = user
      const one: Opened = {
        user: { tenant, user: name, tokenId },
        workspace,
        tools: localTools(offer, workspace),
        timer: null,
        closed: new AbortController(),
      }
      opened.set(id, one)
      expire(id, one)
      return { workspaceId: id, folder: offer.folder, tools: offer.tools.map((tool) => tool.name) }
    },
    async *events(user, id, signal) {
      const one = required(user, id)
      try {
        yield* followWorkspace(one.workspace, AbortSignal.any([signal, one.closed.signal]), limits)
      } finally {
        if (opened.get(id) === one) expire(id, one)
      }
    },
    answer(user, id, callId, answer) {
      if (!required(user, id).workspace.answer(callId, answer))
        throw new ExecutorError("not_found", `No call '${callId}' waits for an answer: it was stopped, or answered before`)
    },
    close(user, id) {
      required(user, id)
      close(id)
    },
    isAttached: (user, id) => own(user, id)?.workspace.isAttached() === true,
    list(principal) {
      const one = principal.workspace === undefined ? null : own(principal, principal.workspace)
      return one?.workspace.isAttached() === true ? one.tools : []
    },
    find(principal, path) {
      const bare = withoutRoot(path)
      if (principal.workspace === undefined) return fail("tool_not_found", notInWorkspace(bare), { details: { suggestions: [] } })
      const one = own(principal, principal.workspace)
      if (one === null) return nobodyAttached
      const suggestions = one.tools.map(({ fqid }) => fqid)
      return (
        one.tools.find(({ fqid }) => fqid === bare) ??
        fail("tool_not_found", `The workspace has no tool '${bare.slice(localSlug.length + 1, pathCharsMax)}'`, {
          details: { suggestions },
        })
      )
    },
  }
}

const pathCharsMax = 256

const notInWorkspace = (path: string): string =>
  `'${path.slice(0, pathCharsMax)}' exists in executions with a workspace alone, and not for the code of tools that they call; run it with --workspace <folder>`

const isSame = (a: WorkspaceUser, b: WorkspaceUser): boolean => a.tenant === b.tenant && a.user === b.user && a.tokenId === b.tokenId

/** Two tools of one name could not be told apart. */
function checkOffer({ tools }: WorkspaceOffer): void {
  const names = tools.map(({ name }) => name)
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) throw new ExecutorError("invalid_request", `tools: '${twice}' is offered twice`)
}
