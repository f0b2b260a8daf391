// In which ways the client of a request can ask its human, in both eras of the protocol.
import { CLIENT_CAPABILITIES_META_KEY } from "@modelcontextprotocol/server"
import type { ClientCapabilities, Server, ServerContext } from "@modelcontextprotocol/server"

export type Abilities = { readonly form: boolean; readonly url: boolean }

/** A modern client says it with every request, an older one once. An empty object means forms. */
export function abilitiesOf(server: Server, ctx: ServerContext): Abilities {
  const envelope: Record<string, unknown> = { ...ctx.mcpReq.envelope }
  const told = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined // the library has checked the envelope
  const capabilities = told ?? server.getClientCapabilities()
  const elicitation = capabilities?.elicitation
  if (elicitation === undefined) return { form: false, url: false }
  return { form: elicitation.form !== undefined || elicitation.url === undefined, url: elicitation.url !== undefined }
}
