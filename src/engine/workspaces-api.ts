// What one principal can do with workspaces; who opened which folder is audited.
import type { Principal } from "../core/principal.ts"
import type { WorkspacesApi } from "../core/workspaces/workspace.ts"
import type { Workspaces } from "../workspaces/workspaces.ts"
import { withAudit } from "./audit/audit.ts"
import type { EngineParts } from "./engine-parts.ts"

const never = new AbortController().signal

export function workspacesApi(principal: Principal, parts: EngineParts & { readonly workspaceTools: Workspaces }): WorkspacesApi {
  const { workspaceTools } = parts
  return {
    open: (offer) =>
      withAudit(principal, parts)(
        "workspace.open",
        offer.folder,
        async () => workspaceTools.open(principal, offer),
        ({ workspaceId, folder, tools }) => ({ subject: workspaceId, details: { folder, tools, shell: offer.shell ?? "sandboxed" } }),
      ),
    events: (id, signal = never) => workspaceTools.events(principal, id, signal),
    answer: async (id, callId, answer) => workspaceTools.answer(principal, id, callId, answer),
    close: async (id) => workspaceTools.close(principal, id),
  }
}
