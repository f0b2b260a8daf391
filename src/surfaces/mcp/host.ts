// The MCP host as one `fetch` handler: requests of the modern revision stand alone, older clients get a session.
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server"
import type { McpHttpHandler, Server } from "@modelcontextprotocol/server"
import type { TokenPrincipal } from "../../core/principal.ts"
import { sha256Of } from "../../io/ids.ts"
import { writeJson } from "../../io/json-write.ts"
import { readListing } from "./direct/listing.ts"
import { buildDirectServer } from "./direct/server.ts"
import { readHostOptions } from "./host-options.ts"
import type { McpHostParts } from "./host-parts.ts"
import { createListWatch } from "./list-watch.ts"
import { readMessageBody } from "./message-body.ts"
import { createNativeRounds } from "./native/rounds.ts"
import { createNoticeRelay } from "./notice-relay.ts"
import { createOpenAnswers } from "./open-answers.ts"
import { ownerOf, readAsker, toAuthInfo } from "./request-principal.ts"
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
  const { hostApi, log } = parts
  const serverParts: ServerParts = {
    ...parts,
    rounds: createNativeRounds(parts),

    onListed: (asker) => watch.note(asker),
  }
  const build = (asker: Asker): Promise<Server> =>
    asker.options.direct === null ? buildServer(asker, serverParts) : buildDirectServer(asker, serverParts)
  const newHandler = (): McpHttpHandler =>
    createMcpHandler((context) => build(readAsker(context.authInfo)), {
      legacy: "reject",
      onerror: (error) => log.debug({ error: error.message }, "An MCP request was refused"),
    })
  // Notices reach whoever listens at a handler, so that each kind of endpoint has its own.
  const code = newHandler()
  const direct = newHandler()
  const sessions = createSessionTable({ build, limits: parts.limits, log })
  const watch = createListWatch({
    revision: () => hostApi.revision(),
    fingerprint: (asker) => fingerprint(asker, parts),
    onChange(isChanged) {
      code.notify.toolsChanged()
      direct.notify.toolsChanged()
      for (const server of sessions.servers(isChanged)) server.sendToolListChanged().catch(() => {})
    },
    log,
  })
  const stopNotices = hostApi.onNotice(createNoticeRelay(direct.notify, sessions))
  const openAnswers = createOpenAnswers({
    revision: () => hostApi.revision(),
    mayAct: (principal) => hostApi.mayAct(principal),
    onEnd: (owner) => sessions.end(({ principal }) => ownerOf(principal) === owner),
    log,
  })
  const answer = async (request: Request, asker: Asker): Promise<Response> => {
    if (asker.options.direct !== null) await readListing(asker, parts)
    const body = request.method === "POST" ? await readMessageBody(request, parts.limits) : { parsed: undefined }
    if (body instanceof Response) return body
    const { parsed } = body
    if (await isLegacyRequest(request, parsed)) return sessions.handle(request, asker, parsed)
    return (asker.options.direct === null ? code : direct).fetch(request, { authInfo: toAuthInfo(asker), parsedBody: parsed })
  }
  return {
    async fetch(request, principal) {
      const asker: Asker = { principal, options: readHostOptions(new URL(request.url), principal) }
      return openAnswers.keep(await answer(request, asker), principal)
    },
    async close() {
      stopNotices()
      openAnswers.stop()
      watch.stop()
      await Promise.all([code.close(), direct.close(), sessions.close()])
    },
  }
}

async function fingerprint(asker: Asker, parts: McpHostParts): Promise<string> {
  if (asker.options.direct === null) return sha256Of(writeJson(await parts.hostApi.inventory(asker.principal)))
  return sha256Of(writeJson([...(await readListing(asker, parts)).tools]))
}
