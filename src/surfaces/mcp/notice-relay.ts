// Passes on to the clients of an integration what its upstream says that it has others of.
import type { Server, ServerNotifier } from "@modelcontextprotocol/server"
import type { SourceNotice } from "../../core/call/pass-through.ts"
import type { SessionTable } from "./session-table.ts"

type Identity = { readonly scope: { readonly tenant: string }; readonly ref: { readonly integration: string } }

export function createNoticeRelay(
  notify: ServerNotifier,
  sessions: Pick<SessionTable, "servers">,
): (identity: Identity, notice: SourceNotice) => void {
  return ({ scope, ref }, notice) => {
    tellListeners(notify, notice)
    const servers = sessions.servers(
      ({ principal, options }) => principal.tenant === scope.tenant && options.direct?.integration === ref.integration,
    )
    for (const server of servers) tellSession(server, notice).catch(() => {})
  }
}

function tellListeners(notify: ServerNotifier, notice: SourceNotice): void {
  switch (notice.kind) {
    case "tools":
      return notify.toolsChanged()
    case "prompts":
      return notify.promptsChanged()
    case "resources":
      return notify.resourcesChanged()
    case "resource":
      return notify.resourceUpdated(notice.uri)
  }
}

function tellSession(server: Server, notice: SourceNotice): Promise<void> {
  switch (notice.kind) {
    case "tools":
      return server.sendToolListChanged()
    case "prompts":
      return server.sendPromptListChanged()
    case "resources":
      return server.sendResourceListChanged()
    case "resource":
      return server.sendResourceUpdated({ uri: notice.uri })
  }
}
