// Listens on a socket for the HTTP surface, and stops without cutting off requests in progress.
import { createServer } from "node:http"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { createServer as createTlsServer, Server as TlsServer } from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { TLSSocket } from "node:tls"
import { getRequestListener } from "@hono/node-server"
import { ExecutorError } from "../../core/errors.ts"
import { defaultLimits } from "../../core/limits.ts"
import type { Limits } from "../../core/limits.ts"
import type { HttpApp } from "./app.ts"
import type { Peer } from "./request/facts.ts"

export type ListenOptions = {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** By default the server then does not start. */
  readonly ifTaken?: "any_port"
  readonly limits?: Limits
  /** PEM. By default it speaks plain HTTP. */
  readonly tls?: TlsKeys
}

type TlsKeys = { readonly cert: string; readonly key: string }

export type HttpServer = {
  readonly url: string
  readonly port: number
  /** From the next connection on; those that are open keep what they have. */
  renew(tls: TlsKeys): void
  /** Takes no new connections, waits for requests under way, then cuts what is left. */
  close(): Promise<void>
}

export async function serveHttp(app: HttpApp, options: ListenOptions): Promise<HttpServer> {
  const limits = options.limits ?? defaultLimits
  const silent = new Map<string, Socket>()
  const listener = getRequestListener((request, { incoming }) => app.fetch(request, peerOf(incoming.socket)), {
    errorHandler: badRequest,
  })
  const server = createNodeServer(options.tls, limits, (incoming, outgoing) => {
    silent.delete(endOf(incoming.socket))
    void listener(incoming, outgoing)
  })
  server.on("connection", (socket: Socket) => {
    const end = endOf(socket)
    silent.set(end, socket)
    socket.once("close", () => silent.delete(end))
  })
  await listen(server, options)
  const { port } = server.address() as AddressInfo // it listens on TCP
  const close = (): Promise<void> => {
    app.close()
    // Clients open connections ahead of need. The server counts one that never asked for anything as busy.
    for (const socket of silent.values()) socket.destroy()
    return closeGracefully(server, limits.shutdownGraceMs)
  }
  const renew = (tls: TlsKeys): void => {
    if (server instanceof TlsServer) server.setSecureContext(tls)
  }
  return { url: `${options.tls === undefined ? "http" : "https"}://${urlHost(options.host)}:${port}`, port, renew, close }
}

function createNodeServer(
  tls: TlsKeys | undefined,
  limits: Limits,
  onRequest: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Server {
  const timeouts = {
    headersTimeout: limits.requestHeadersMs,
    requestTimeout: limits.requestReceiveMs,
    keepAliveTimeout: limits.requestKeepAliveMs,
    connectionsCheckingInterval: 1000,
  }
  if (tls === undefined) return createServer(timeouts, onRequest)
  return createTlsServer({ ...timeouts, ...tls, handshakeTimeout: limits.requestHeadersMs }, onRequest)
}

/** The other end of a connection: under TLS, requests come from another object than the connection did. */
const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

function listen(server: Server, { host, port, ifTaken }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" && ifTaken === "any_port") return resolve(listen(server, { host, port: 0 }))
      reject(listenError(error, host, port))
    })
    server.listen(port, host, resolve)
  })
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === "EADDRINUSE")
    return new ExecutorError("conflict", `Port ${port} on ${host} is in use; choose another with --port or EXECUTOR_PORT`)
  if (error.code === "EACCES")
    return new ExecutorError(
      "forbidden",
      `This user is not allowed to listen on port ${port}; choose one above 1023 with --port or EXECUTOR_PORT`,
    )
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return new ExecutorError("invalid_request", `${host} is not an address of this machine; choose another with --host or EXECUTOR_HOST`)
  return error
}

function closeGracefully(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection becomes idle when its answer is written, and would then be kept alive.
    const sweep = setInterval(() => server.closeIdleConnections(), 20)
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}

const peerOf = (socket: Socket): Peer => ({ address: socket.remoteAddress, isEncrypted: socket instanceof TLSSocket })

/** Only a request whose target or `Host` is no URL gets here; what the app throws it answers itself. */
const badRequest = (): Response =>
  Response.json({ error: { code: "invalid_request", message: "The request target or the Host header is not valid" } }, { status: 400 })

/** An address under which this machine itself reaches the server. */
function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "") return "127.0.0.1"
  if (host === "::") return "[::1]"
  return host.includes(":") ? `[${host}]` : host
}
