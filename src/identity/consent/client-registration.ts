// Dynamic registration (RFC 7591) that stores nothing: the id of a client is what it registered, sealed with our key.
//
// Anybody may register, so stored rows could be piled up by strangers. An id that carries its own registration costs
// nothing, works on every node, and cannot be changed by its holder.
import type { AuthorizationServer } from "../../core/authorization-server.ts"
import { ExecutorError } from "../../core/errors.ts"
import { isSameText, keyedHash } from "../../io/keyed-hash.ts"
import { createAttemptLimit } from "../attempt-limit.ts"
import type { Client, ClientMetadata } from "./client.ts"
import { readClientMetadata } from "./client.ts"
import type { ConsentParts } from "./consent-parts.ts"
import { redirectTarget } from "./redirect-uri.ts"

const idPattern = /^exo_([\w-]+)\.([\w-]{43})$/
const keysMax = 10_000

export function createRegistration(parts: ConsentParts): AuthorizationServer["register"] {
  const { key, clock, limits } = parts
  const rule = { attemptsMax: limits.agentRegistrationsPerAddressMax, windowMs: limits.agentRegistrationsWindowMs, keysMax }
  const attempts = createAttemptLimit(rule, clock)
  return async (metadata, { address, addressPrefix }) => {
    const refusal = attempts.take(addressPrefix)
    if (refusal !== null)
      throw new ExecutorError("rate_limited", "Too many clients have registered from this network; try again later", {
        retryable: true,
        ...refusal,
      })
    const { name, redirectUris } = readClientMetadata(metadata, limits)
    const details = { redirects: redirectUris.map((uri) => redirectTarget(uri).host).join(" ") }
    await parts.noteAnonymous({ action: "consent.register", subject: name, outcome: "ok", details }, address)
    return {
      client_id: sealId({ name, redirectUris }, key),
      client_id_issued_at: Math.floor(clock.now().getTime() / 1000),
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    }
  }
}

function sealId({ name, redirectUris }: ClientMetadata, key: Uint8Array): string {
  const content = Buffer.from(JSON.stringify([name, ...redirectUris])).toString("base64url")
  return `exo_${content}.${keyedHash(key, ["client", content])}`
}

/** Null where we did not write it. */
export function openClientId(id: string, key: Uint8Array): Client | null {
  const [, content = "", seal = ""] = idPattern.exec(id) ?? []
  if (content === "" || !isSameText(seal, keyedHash(key, ["client", content]))) return null
  const [name = "", ...redirectUris] = JSON.parse(Buffer.from(content, "base64url").toString()) as string[] // written by `sealId`
  return { id, name, redirectUris, host: null }
}
