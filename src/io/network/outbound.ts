// The shape of outbound traffic: what a source may ask of the network, and what it gets back.
//
// Failures of the network are values, because every caller turns them into an envelope or a warning.

export type OutboundRequest = {
  readonly method: string
  /** Without user info: whoever has some sends it as a header, see `splitUserInfo`. */
  readonly url: string
  /** All of them go to the first origin only; a redirect to another one keeps no more than accept, accept-language and user-agent. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
  /** For the whole exchange, redirects and body included. */
  readonly timeoutMs: number
  readonly responseBytesMax: number
  /** Told of each decoded piece: while its promise is open nothing more is read, and the time does not count. */
  readonly arrive?: (bytes: number) => Promise<void> | null
  /** For answers that may never end: where it applies, reading stops without an error. */
  readonly stream?: StreamReading
  /** `same_host`: where what was allowed is an address, a redirect to another host is an answer, for whoever asked to decide. */
  readonly redirects?: "everywhere" | "same_host"
}

export type StreamReading = {
  /** Decides by the content type of the answer; others are read to their end. */
  readonly appliesTo: (contentType: string) => boolean
  /** A stream that brings nothing for so long is over. */
  readonly idleMs: number
  /** Sees each chunk once, in order. */
  readonly isEnough: (chunk: Uint8Array) => boolean
}

export type OutboundFailure = {
  readonly ok: false
  readonly code: "upstream_unreachable" | "timeout" | "response_too_large"
  /** Names host and port at most: no path, query or header. */
  readonly message: string
  /** False when another try would end the same way. */
  readonly retryable: boolean
  /** The request, or a part of it, was sent: what it asks for may have happened. */
  readonly mayHaveArrived?: true
}

export type OutboundResponse = {
  readonly ok: true
  readonly status: number
  readonly statusText: string
  /** Lower-case names; repeated ones joined by a comma; no `set-cookie`, nor what is of the connection only. */
  readonly headers: Record<string, string>
  /** Without content encoding. */
  readonly bytes: Uint8Array
  /** False when a stream was left before its end. */
  readonly isComplete: boolean
  /** Where the answer came from, after redirects. */
  readonly url: string
}

/** A request whose answer is read while it arrives, for conversations that stay open. */
export type OutboundOpening = Pick<OutboundRequest, "method" | "url" | "headers" | "body"> & {
  /** Ends the exchange at any time, also in the middle of the body. */
  readonly signal?: AbortSignal
  /** Until the head of the answer is there. */
  readonly headTimeoutMs: number
}

export type OutboundStream = Pick<OutboundResponse, "ok" | "status" | "statusText" | "headers"> & {
  /** Without content encoding. It breaks with an `OutboundBreak`; whoever reads it sets a limit. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>
}

/** How a body ends that was not read to its end. */
export class OutboundBreak extends Error {
  override readonly name = "OutboundBreak"
  readonly failure: OutboundFailure
  constructor(failure: OutboundFailure) {
    super(failure.message)
    this.failure = failure
  }
}

export interface Outbound {
  send(request: OutboundRequest): Promise<OutboundResponse | OutboundFailure>
  /** Follows no redirect and repeats nothing. */
  open(request: OutboundOpening): Promise<OutboundStream | OutboundFailure>
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
