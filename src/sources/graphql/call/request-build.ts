// Builds the request that carries an operation to the endpoint, with what the config and the credential add to it.
import type { Placement } from "../../../core/auth.ts"
import type { OutboundRequest } from "../../../io/network/outbound.ts"
import { splitUserInfo } from "../../../io/network/user-info.ts"
import { headerText } from "../../header-text.ts"
import type { GraphQLConfig } from "../binding.ts"

export type Operation = {
  readonly query: string
  readonly variables?: Record<string, unknown>
  readonly operationName?: string
}

/** Servers of the newer convention answer the first, all others the second. */
const accept = "application/graphql-response+json, application/json;q=0.9"

/** `placements` must be those of a credential that is confirmed for the endpoint's origin. */
export function buildRequest(
  config: GraphQLConfig,
  placements: readonly Placement[],
  operation: Operation,
): Pick<OutboundRequest, "method" | "url" | "headers" | "body"> {
  const { url, authorization } = splitUserInfo(new URL(config.endpoint))
  const headers: Record<string, string> = { accept }
  if (authorization !== null) headers["authorization"] = authorization
  for (const [name, value] of Object.entries(config.headers)) headers[name.toLowerCase()] = headerText(value)
  const cookies = headers["cookie"] === undefined ? [] : [headers["cookie"]]
  const target = new URL(url)
  for (const { in: place, name, value } of placements) {
    if (place === "header") headers[name.toLowerCase()] = headerText(value)
    else if (place === "query") target.searchParams.set(name, value)
    else cookies.push(headerText(`${name}=${value}`))
  }
  if (cookies.length > 0) headers["cookie"] = cookies.join("; ")
  headers["content-type"] = "application/json"
  return { method: "POST", url: target.href, headers, body: JSON.stringify(operation) }
}

/** The endpoint without user info and query, which may be secret. */
export function addressOf(config: GraphQLConfig): string {
  const { origin, pathname } = new URL(config.endpoint)
  return `${origin}${pathname}`
}

export const originOf = (config: GraphQLConfig): string => new URL(config.endpoint).origin
