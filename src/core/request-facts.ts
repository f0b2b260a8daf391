// What is known of a request besides its content: where it comes from, and from which program.

export type RequestFacts = {
  /** The client's IP address, told by the connection or by trusted proxies; `unknown` once the connection is gone. */
  readonly address: string
  /** The network of that address (/24, for IPv6 /48): what is shown of it, and what limits count by. */
  readonly addressPrefix: string
  /** As the program wrote it, on one line and shortened. */
  readonly userAgent: string
  /** Whether the client used TLS, up to this server or up to the proxy in front of it. */
  readonly isSecure: boolean
}
