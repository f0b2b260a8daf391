// The ways in which a connection to a GraphQL endpoint can authenticate: a schema does not say, so these are the usual ones.
import type { AuthOption } from "../../core/auth.ts"

const bearer: AuthOption = {
  template: "bearer",
  name: "bearer",
  description: "A token, sent as `Authorization: Bearer …`.",
  values: ["token"],
  placements: [{ in: "header", name: "Authorization", value: "Bearer ${token}" }],
}
const apiKey: AuthOption = {
  template: "api_key",
  name: "api_key",
  description: "A key, sent as the header X-API-Key unless placements name another.",
  values: ["key"],
  placements: [{ in: "header", name: "X-API-Key", value: "${key}" }],
}
const none: AuthOption = { template: "none", name: "none", description: "Calls carry no credentials.", values: [], placements: [] }

/** `wanted`: the endpoint refused to answer without a credential. `sent`: it was asked with one, so that nobody knows. */
export type CredentialNeed = "wanted" | "sent" | "unasked"

/** The likeliest first. */
export function authOptions(need: CredentialNeed): AuthOption[] {
  switch (need) {
    case "wanted":
      return [bearer, apiKey]
    case "sent":
      return [bearer, apiKey, none]
    case "unasked":
      return [none, bearer, apiKey]
  }
}
