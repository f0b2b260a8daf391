// The `fetch` that the SDK's HTTP transports get: our guarded network, with what the config and the credential add.
//
// Config headers and credentials go to the server's own origin only, and credentials only if that origin was confirmed
// for the connection. Redirects are not followed here: the transports follow those that stay within the origin.
import type { FetchLike } from "@modelcontextprotocol/client"
import type { Credential, Placement } from "../../../core/auth.ts"
import { OutboundBreak } from "../../../io/network/outbound.ts"
import type { Outbound } from "../../../io/network/outbound.ts"
import { splitUserInfo } from "../../../io/network/user-info.ts"
import { headerText } from "../../header-text.ts"
import { essenceOf } from "../../media-type.ts"
import type { HttpConfig } from "../config.ts"
import type { MessageTurns } from "../session/calls.ts"
import { boundBody, boundEvents } from "./body.ts"
import type { StreamEnd } from "./body.ts"

export type HttpParts = {
  readonly outbound: Outbound
  readonly credential: Credential
  readonly headTimeoutMs: number
  readonly messageBytesMax: number
  /** Asked when a request is sent: whom to tell that the stream of its answer is over. */
  streamListener(): (end: StreamEnd) => void
  /** Asked at the same time: how the messages of the answer are received. */
  messageTurns(): MessageTurns
}

/** Answers that must not have a body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

export function createHttpFetch(config: HttpConfig, parts: HttpParts): FetchLike {
  const { url: home, authorization } = splitUserInfo(new URL(config.url))
  return async (input, init = {}) => {
    const url = splitUserInfo(new URL(input)).url
    const isHome = url.origin === home.origin
    const trusted = isHome ? trustedHeaders(config, authorization) : {}
    const placements = isHome && parts.credential.origins.includes(home.origin) ? parts.credential.placements : []
    for (const { in: place, name, value } of placements) if (place === "query") url.searchParams.set(name, value)
    const { body } = init
    const onStreamEnd = body == null ? () => {} : parts.streamListener()
    const turns = parts.messageTurns()
    const answer = await parts.outbound.open({
      method: init.method ?? "GET",
      url: url.href,
      headers: { "accept-encoding": "identity", ...trusted, ...placedHeaders(placements, trusted), ...plainHeaders(init.headers) },
      headTimeoutMs: parts.headTimeoutMs,
      // The transports send JSON texts only.
      ...(typeof body === "string" ? { body } : {}),
      ...(init.signal ? { signal: init.signal } : {}),
    })
    if (!answer.ok) throw new OutboundBreak(answer)
    const { status, statusText, headers } = answer
    if (bodiless.has(status)) {
      await answer.body.cancel()
      return new Response(null, { status, statusText, headers })
    }
    const isStream = essenceOf(headers["content-type"] ?? "") === "text/event-stream"
    const bounded = isStream
      ? boundEvents(answer.body, parts.messageBytesMax, turns, onStreamEnd)
      : boundBody(answer.body, parts.messageBytesMax, turns)
    return new Response(bounded, { status, statusText, headers })
  }
}

function trustedHeaders(config: HttpConfig, authorization: string | null): Record<string, string> {
  const headers: Record<string, string> = authorization === null ? {} : { authorization }
  for (const [name, value] of Object.entries(config.headers)) headers[name.toLowerCase()] = headerText(value)
  return headers
}

function placedHeaders(placements: readonly Placement[], trusted: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { in: place, name, value } of placements) if (place === "header") headers[name.toLowerCase()] = headerText(value)
  const cookies = placements.filter((placement) => placement.in === "cookie").map(({ name, value }) => headerText(`${name}=${value}`))
  if (cookies.length > 0) headers["cookie"] = [...(trusted["cookie"] === undefined ? [] : [trusted["cookie"]]), ...cookies].join("; ")
  return headers
}

const plainHeaders = (headers: ConstructorParameters<typeof Headers>[0]): Record<string, string> => Object.fromEntries(new Headers(headers))
