// A small reverse proxy with TLS, as teams have one in front: it forwards `Host` and tells from where the client came.
import { request as forward } from "node:http"
import { createServer } from "node:https"
import type { Issued } from "./certificate.ts"
import { listen } from "./listen.ts"
import type { Listening } from "./listen.ts"

export type TlsProxyOptions = {
  readonly tls: Issued
  /** Where the proxy's own connections come from. */
  readonly localAddress: string
  /** Known once the server listens. */
  target(): { readonly hostname: string; readonly port: string }
}

/** Appends to `X-Forwarded-For` and replaces `X-Forwarded-Proto`, as nginx and Caddy do; everything else goes through as it came. */
export function startTlsProxy({ tls, localAddress, target }: TlsProxyOptions): Promise<Listening> {
  const server = createServer({ cert: tls.cert, key: tls.key }, (incoming, outgoing) => {
    const { hostname, port } = target()
    const earlier = incoming.headers["x-forwarded-for"]
    const client = incoming.socket.remoteAddress ?? ""
    const headers = {
      ...incoming.headers,
      "x-forwarded-for": earlier === undefined ? client : `${String(earlier)}, ${client}`,
      "x-forwarded-proto": "https",
    }
    const onward = forward({ hostname, port, localAddress, method: incoming.method, path: incoming.url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      outgoing.flushHeaders()
      answer.pipe(outgoing)
    })
    onward.once("error", () => outgoing.destroy())
    outgoing.once("close", () => onward.destroy())
    incoming.pipe(onward)
  })
  return listen(server, "https")
}
