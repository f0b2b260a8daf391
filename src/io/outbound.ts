// The shape of outbound traffic: what a source may ask of the network, and what it gets back.
//
// Failures of the network are values, because every caller turns them into an envelope or a warning.

export type OutboundRequest = {
  readonly method: string
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array | FormData
  readonly signal?: AbortSignal
  /** For the whole exchange, redirects and body included. */
  readonly timeoutMs: number
  readonly responseBytesMax: number
  /** The headers, by lower-case name, that only the first origin gets; a redirect to another one drops them and all custom headers. */
  readonly secretHeaders?: readonly string[]
  /** Stops reading an endless answer after this many bytes, or when it falls silent, without an error. */
  readonly stream?: { readonly idleMs: number; readonly isEnough: (textSoFar: string) => boolean }
}

export type OutboundFailure = {
  readonly ok: false
  readonly code: "upstream_unreachable" | "timeout" | "response_too_large"
  readonly message: string
}

export type OutboundResponse = {
  readonly ok: true
  readonly status: number
  readonly statusText: string
  /** Lower-case names; repeated ones joined by a comma; no `set-cookie`. */
  readonly headers: Record<string, string>
  readonly bytes: Uint8Array
  /** Where the answer came from, after redirects. */
  readonly url: string
}

export interface Outbound {
  send(request: OutboundRequest): Promise<OutboundResponse | OutboundFailure>
}

/** What one integration may reach beyond the public internet. */
export type NetworkGrants = {
  /** URLs as an admin wrote them into the config: on a loopback-only server their private host and port are allowed. */
  readonly literalUrls: readonly string[]
}

/** The network of one process: connections are shared by all integrations, grants are not. */
export interface Network {
  outbound(grants: NetworkGrants): Outbound
  /** Our own listening address is never reachable. */
  forbid(host: string, port: number): void
  close(): Promise<void>
}
