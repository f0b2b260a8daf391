// MCP over stdin and stdout: a pipe to the endpoint of a running server, which alone knows what every message means.
//
// Requests are followed one by one: what the client cancels is given up at the server, and what the server leaves
// unanswered is answered here with an error. A server that went away is looked for again; what certainly did not reach
// it is sent once more, and an older client's session is opened anew behind its back.
import { SdkHttpError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import type { FetchLike, JSONRPCMessage, JSONRPCRequest, Transport } from "@modelcontextprotocol/client"

export type BridgeTarget = { readonly url: URL; readonly token: string }

export type BridgeParts = {
  /** Where the server is; asked again when it is gone. */
  findTarget(): Promise<BridgeTarget>
  readonly fetch: FetchLike
  /** For people, on stderr. */
  tell(message: string): void
}

type Id = JSONRPCRequest["id"]

export async function bridgeStdio(stdio: Transport, parts: BridgeParts): Promise<{ close(): Promise<void> }> {
  const waiting = new Map<Id, { readonly request: JSONRPCRequest; readonly stop: AbortController }>()
  let opening: JSONRPCRequest | null = null
  let link = await openLink()

  async function openLink(): Promise<StreamableHTTPClientTransport> {
    const { url, token } = await parts.findTarget()
    const http = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
      fetch: parts.fetch,
    })
    hear(http, deliver)
    await http.start()
    return http
  }

  function deliver(message: JSONRPCMessage): void {
    if ("id" in message && message.id !== undefined && !("method" in message)) {
      const asked = waiting.get(message.id)
      // An answer to what this pipe asked by itself, or that was given up meanwhile, is nobody's.
      if (asked === undefined) return
      waiting.delete(message.id)
      if (asked.request.method === "initialize") noteVersion(message)
    }
    write(message)
  }

  function noteVersion(message: JSONRPCMessage): void {
    const version = "result" in message ? message.result["protocolVersion"] : undefined
    if (typeof version === "string") link.setProtocolVersion(version)
  }

  function write(message: JSONRPCMessage): void {
    stdio.send(message).catch((error: unknown) => parts.tell(`A message could not be written: ${String(error)}`))
  }

  function fail(id: Id, message: string, code = internalError): void {
    if (waiting.delete(id)) write({ jsonrpc: "2.0", id, error: { code, message } })
  }

  async function send(message: JSONRPCMessage): Promise<void> {
    if (!isRequest(message)) return link.send(message)
    const stop = new AbortController()
    waiting.set(message.id, { request: message, stop })
    if (message.method === "initialize") opening = message
    await link.send(message, {
      requestSignal: stop.signal,
      onRequestStreamEnd: () => fail(message.id, "The server ended the answer before it was complete"),
    })
  }

  /** An older client's session lived in the server that is gone. */
  async function reopen(): Promise<void> {
    await link.close().catch(() => {})
    link = await openLink()
    if (opening === null) return
    const version = await initializeAgain(link, opening)
    hear(link, deliver)
    if (version !== null) link.setProtocolVersion(version)
    await link.send({ jsonrpc: "2.0", method: "notifications/initialized" })
  }

  async function take(message: JSONRPCMessage): Promise<void> {
    const given = isCancel(message) ? waiting.get(message.params.requestId) : undefined
    if (given !== undefined && isModern(given.request)) {
      waiting.delete(given.request.id)
      return given.stop.abort()
    }
    try {
      await send(message)
    } catch (error) {
      if (!isUnsent(error, link.sessionId !== undefined)) throw error
      await reopen()
      await send(message)
    }
  }

  hear(stdio, (message) => {
    take(message).catch((error: unknown) => {
      const { code, reason } = readFailure(error)
      if (isRequest(message)) fail(message.id, reason, code)
      else parts.tell(reason)
    })
  })
  await stdio.start()
  return {
    async close() {
      for (const { stop } of waiting.values()) stop.abort()
      waiting.clear()
      await link.terminateSession().catch(() => {})
      await link.close().catch(() => {})
    },
  }
}

/** Says hello once more, and keeps the answer from a client that has heard it already. */
function initializeAgain(link: StreamableHTTPClientTransport, opening: JSONRPCRequest): Promise<string | null> {
  return new Promise((resolve, reject) => {
    hear(link, (message) => {
      if (!("result" in message)) return resolve(null)
      const version = message.result["protocolVersion"]
      resolve(typeof version === "string" ? version : null)
    })
    link.send({ ...opening, id: `reopen-${opening.id}` }).catch(reject)
  })
}

/** Transports of the protocol have one callback for each event. */
const hear = (transport: Transport, listener: (message: JSONRPCMessage) => void): Transport =>
  Object.assign(transport, { onmessage: listener })

const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest => "method" in message && "id" in message

type Cancel = { readonly params: { readonly requestId: Id } }
const isCancel = (message: JSONRPCMessage): message is JSONRPCMessage & Cancel =>
  "method" in message && message.method === "notifications/cancelled" && message.params?.["requestId"] !== undefined

const versionKey = "io.modelcontextprotocol/protocolVersion"
const isModern = ({ params }: JSONRPCRequest): boolean => params?._meta !== undefined && versionKey in params._meta

/** It certainly did nothing: nobody listened, nobody was let in, or the session was unknown. */
function isUnsent(error: unknown, hasSession: boolean): boolean {
  if (error instanceof SdkHttpError) return error.status === 401 || (error.status === 404 && hasSession)
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED"
}

const internalError = -32603

/** The server's own words, where it said some: as JSON-RPC, or as an error of the API. */
function readFailure(error: unknown): { code: number; reason: string } {
  const said = error instanceof SdkHttpError && typeof error.data["text"] === "string" ? parse(error.data["text"]) : null
  const { code, message } = (said?.["error"] ?? {}) as { code?: unknown; message?: unknown } // read as unknown below
  if (typeof message === "string") return { code: typeof code === "number" ? code : internalError, reason: message }
  if (!(error instanceof Error)) return { code: internalError, reason: String(error) }
  return { code: internalError, reason: error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? { ...value } : null
  } catch {
    return null
  }
}
