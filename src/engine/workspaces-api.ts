// What one principal can do with workspaces; who opened which folder is audited.
import { ExecutorError } from "../core/errors.ts"
import type { Principal } from "../core/principal.ts"
import type { WorkspaceOffer, WorkspacesApi } from "../core/workspaces/workspace.ts"
import type { Workspaces } from "../workspaces/workspaces.ts"
import { withAudit } from "./audit/audit.ts"
import type { EngineParts } from "./engine-parts.ts"
import { getChangeable } from "./execution-access.ts"

const never = new AbortController().signal

export function workspacesApi(principal: Principal, parts: EngineParts & { readonly workspaceTools: Workspaces }): WorkspacesApi {
  const { workspaceTools } = parts
  return {
    open: (offer) =>
      withAudit(principal, parts)(
        "workspace.open",
        offer.folder,
        async () => workspaceTools.open(principal, offer, await workspaceOf(principal, offer, parts)),
        ({ workspaceId, folder, tools }) => ({ subject: workspaceId, details: { folder, tools, shell: offer.shell ?? "sandboxed" } }),
      ),
    events: (id, signal = never) => workspaceTools.events(principal, id, signal),
    answer: async (id, callId, answer) => workspaceTools.answer(principal, id, callId, answer),
    close: async (id) => workspaceTools.close(principal, id),
  }
}

/** Undefined: a new one. */
async function workspaceOf(principal: Principal, { executionId }: WorkspaceOffer, parts: EngineParts): Promise<string | undefined> {
  if (executionId === undefined) return undefined
  const { workspace, user, tokenId } = await getChangeable(principal, executionId, parts)
  if (workspace === null)
    throw new ExecutorError("conflict", `Execution '${executionId}' was started without a workspace; resume it without one`)
  if (user !== principal.user || tokenId !== principal.tokenId)
    throw new ExecutorError("forbidden", `Execution '${executionId}' was started by another token, which alone can give it a workspace`)
  return workspace
}
