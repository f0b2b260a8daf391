// Carries who asks, and what they chose, from the endpoint to the handlers of one request.
import type { AuthInfo, ServerContext } from "@modelcontextprotocol/server"
import { ExecutorError } from "../../core/errors.ts"
import type { TokenPrincipal } from "../../core/principal.ts"
import type { HostOptions } from "./host-options.ts"

export type Asker = { readonly principal: TokenPrincipal; readonly options: HostOptions }

/** The token itself stays at the door. */
export const toAuthInfo = (asker: Asker): AuthInfo => ({ token: "", clientId: ownerOf(asker.principal), scopes: [], extra: { asker } })

export function readAsker(authInfo: AuthInfo | undefined): Asker {
  const asker = authInfo?.extra?.["asker"]
  if (asker === undefined) throw new ExecutorError("unauthorized", "Nobody asks")
  return asker as Asker // only `toAuthInfo` writes it
}

export const askerOf = (ctx: ServerContext): Asker => readAsker(ctx.http?.authInfo)

/** Whose sessions and states these are: one token's, never another's. */
export const ownerOf = ({ tenant, user, tokenId }: TokenPrincipal): string => [tenant, user, tokenId ?? ""].join("\0")
