// The MCP host as one `fetch` handler: requests of the modern revision stand alone, older clients get a session.
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server"
import type { TokenPrincipal } from "../../core/principal.ts"
import { readHostOptions } from "./host-options.ts"
import type { McpHostParts } from "./host-parts.ts"
import { createListWatch } from "./list-watch.ts"
import { createNativeRounds } from "./native-rounds.ts"
import { readAsker, toAuthInfo } from "./request-principal.ts"
import type { Asker } from "./request-principal.ts"
import { buildServer } from "./server-build.ts"
import type { ServerParts } from "./server-build.ts"
import { createSessionTable } from "./session-table.ts"

export type McpHost = {
  /** Throws an `ExecutorError` where the request cannot even be read. */
  fetch(request: Request, principal: TokenPrincipal): Promise<Response>
  close(): Promise<void>
}

export function createMcpHost(parts: McpHostParts): McpHost {
  const { desk, log } = parts
  const watch = createListWatch({
    revision: () => desk.revision(),
    inventory: (principal) => desk.inventory(principal),
    onChange(isChanged) {
      modern.notify.toolsChanged()
      for (const server of sessions.servers((asker) => isChanged(asker.principal))) server.sendToolListChanged().catch(() => {})
    },
    log,
  })
  const serverParts: ServerParts = {
    ...parts,
    rounds: createNativeRounds(parts),
    onListed: (asker, inventory) => watch.note(asker.principal, inventory),
  }
  const build = (asker: Asker) => buildServer(asker, serverParts)
  const modern = createMcpHandler((context) => build(readAsker(context.authInfo)), {
    legacy: "reject",
    onerror: (error) => log.debug({ error: error.message }, "An MCP request was refused"),
  })
  const sessions = createSessionTable({ build, limits: parts.limits, log })
  return {
    async fetch(request, principal) {
      const asker: Asker = { principal, options: readHostOptions(new URL(request.url).searchParams, principal) }
      if (await isLegacyRequest(request)) return sessions.handle(request, asker)
      return modern.fetch(request, { authInfo: toAuthInfo(asker) })
    },
    async close() {
      watch.stop()
      await Promise.all([modern.close(), sessions.close()])
    },
  }
}
