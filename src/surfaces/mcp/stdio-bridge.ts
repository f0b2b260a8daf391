// MCP over stdin and stdout: a pipe to the endpoint of a running server, which alone knows what every message means.
//
// Requests are followed one by one: what the client cancels is given up at the server, and what the server leaves
// unanswered is answered here with an error. A server that went away is looked for again; what certainly did not reach
// it is sent once more, and an older client's session is opened anew behind its back.
import { setTimeout as sleep } from "node:timers/promises"
import { SdkHttpError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import type { FetchLike, JSONRPCMessage, JSONRPCRequest, Transport } from "@modelcontextprotocol/client"

export type BridgeTarget = { readonly url: URL; readonly token: string }

export type BridgeParts = {
  /** Where the server is; asked again when it is gone. */
  findTarget(): Promise<BridgeTarget>
  readonly fetch: FetchLike
  /** For people, on stderr. */
  report(message: string): void
}

export type Bridge = {
  /** Waits for the answers to what was asked; at most so long. */
  drain(ms: number): Promise<void>
  close(): Promise<void>
}

type Id = JSONRPCRequest["id"]
type Link = StreamableHTTPClientTransport
type Asked = { readonly request: JSONRPCRequest; readonly stop: AbortController; readonly link: Link }

const drainPollMs = 20

export async function bridgeStdio(stdio: Transport, parts: BridgeParts): Promise<Bridge> {
  const waiting = new Map<Id, Asked>()
  /** Links to servers that are gone: they end once nothing that was sent over them is open. */
  const retired = new Set<Link>()
  let opening: JSONRPCRequest | null = null
  let reopening: Promise<void> | null = null
  let link = await openLink()

  async function openLink(): Promise<Link> {
    const { url, token } = await parts.findTarget()
    const http = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
      fetch: parts.fetch,
    })
    onMessage(http, deliver)
    await http.start()
    return http
  }

  function deliver(message: JSONRPCMessage): void {
    if ("id" in message && message.id !== undefined && !("method" in message)) {
      const asked = waiting.get(message.id)
      // An answer to what this pipe asked by itself, or that was given up meanwhile, is nobody's.
      if (asked === undefined) return
      forget(message.id)
      if (asked.request.method === "initialize") noteVersion(message, asked.link)
    }
    write(message)
  }

  function write(message: JSONRPCMessage): void {
    stdio.send(message).catch((error: unknown) => parts.report(`A message could not be written: ${String(error)}`))
  }

  function forget(id: Id): boolean {
    const isKnown = waiting.delete(id)
    const used = new Set([...waiting.values()].map((asked) => asked.link))
    for (const old of retired) {
      if (used.has(old)) continue
      retired.delete(old)
      old.close().catch(() => {})
    }
    return isKnown
  }

  function fail(id: Id, message: string, code = internalError): void {
    if (forget(id)) write({ jsonrpc: "2.0", id, error: { code, message } })
  }

  async function send(message: JSONRPCMessage, over: Link): Promise<void> {
    if (!isRequest(message)) return over.send(message)
    const stop = new AbortController()
    waiting.set(message.id, { request: message, stop, link: over })
    if (message.method === "initialize") opening = message
    await over.send(message, {
      requestSignal: stop.signal,
      onRequestStreamEnd: () => fail(message.id, "The server ended the response before it was complete"),
    })
  }

  /** An older client's session lived in the server that is gone. */
  async function reopen(): Promise<void> {
    const next = await openLink()
    if (opening !== null) {
      const version = await initializeAgain(next, opening)
      onMessage(next, deliver)
      if (version !== null) next.setProtocolVersion(version)
      await next.send({ jsonrpc: "2.0", method: "notifications/initialized" })
    }
    retired.add(link)
    link = next
  }

  /** Once for all whose server is gone, however many find out at the same time. */
  async function replace(lost: Link): Promise<void> {
    if (lost !== link) return
    reopening ??= reopen().finally(() => (reopening = null))
    await reopening
  }

  async function take(message: JSONRPCMessage): Promise<void> {
    const given = isCancel(message) ? waiting.get(message.params.requestId) : undefined
    if (given !== undefined && isModern(given.request)) {
      forget(given.request.id)
      return given.stop.abort()
    }
    // Whoever reopens says what is wrong if that fails; here it is tried once more.
    if (reopening !== null) await reopening.catch(() => {})
    const used = link
    try {
      await send(message, used)
    } catch (error) {
      if (!isUnsent(error, used.sessionId !== undefined)) throw error
      await replace(used)
      // What was cancelled meanwhile is not wanted any more.
      if (isRequest(message) && !waiting.has(message.id)) return
      await send(message, link)
    }
  }

  let takingCount = 0
  // What a client sends right behind its `initialize` needs the session that this opens.
  let initialized: Promise<void> = Promise.resolve()
  onMessage(stdio, (message) => {
    takingCount++
    const taken = initialized.then(() => take(message))
    if (isRequest(message) && message.method === "initialize") initialized = taken.catch(() => {})
    taken
      .catch((error: unknown) => {
        const { code, reason } = readFailure(error)
        if (isRequest(message)) fail(message.id, reason, code)
        else parts.report(reason)
      })
      .finally(() => takingCount--)
  })
  await stdio.start()
  return {
    async drain(ms) {
      const isDrained = (): boolean => takingCount === 0 && [...waiting.values()].every(({ request }) => isEndless(request))
      for (const end = Date.now() + ms; !isDrained() && Date.now() < end;) await sleep(drainPollMs)
    },
    async close() {
      for (const { stop } of waiting.values()) stop.abort()
      waiting.clear()
      await link.terminateSession().catch(() => {})
      await Promise.all([link, ...retired].map((one) => one.close().catch(() => {})))
    },
  }
}

function noteVersion(message: JSONRPCMessage, link: Link): void {
  const version = "result" in message ? message.result["protocolVersion"] : undefined
  if (typeof version === "string") link.setProtocolVersion(version)
}

/** A subscription has no answer to wait for. */
const isEndless = ({ method }: JSONRPCRequest): boolean => method === "subscriptions/listen"

/** Says hello once more, and keeps the answer from a client that has heard it already. */
function initializeAgain(link: Link, opening: JSONRPCRequest): Promise<string | null> {
  return new Promise((resolve, reject) => {
    onMessage(link, (message) => {
      if (!("result" in message)) return resolve(null)
      const version = message.result["protocolVersion"]
      resolve(typeof version === "string" ? version : null)
    })
    link.send({ ...opening, id: `reopen-${opening.id}` }).catch(reject)
  })
}

/** Transports of the protocol have one callback for each event. */
const onMessage = (transport: Transport, listener: (message: JSONRPCMessage) => void): Transport =>
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
  if (!(error.cause instanceof Error)) return { code: internalError, reason: error.message }
  const lost = `The server disconnected before it responded (${error.cause.message}); the request may have taken effect`
  return { code: internalError, reason: isUnsent(error, false) ? `${error.message}: ${error.cause.message}` : lost }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? { ...value } : null
  } catch {
    return null
  }
}
