// Opens a session: chooses the wire, finds out which revision the server speaks, and remembers both.
//
// A server of the newest revision is asked for what it is; one of the older ones is greeted. Which it is costs a request
// over HTTP. A program is asked first too, but one that does not know the question may end on it, so one that did not
// answer is thrown away and started again to be greeted. The verdict is kept, so that this happens once.
import {
  Client,
  SSEClientTransport,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client"
import type { ClientOptions, PriorDiscovery, Transport, VersionNegotiationMode } from "@modelcontextprotocol/client"
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker"
import type { Credential } from "../../../core/auth.ts"
import { ExecutorError } from "../../../core/errors.ts"
import type { Limits } from "../../../core/limits.ts"
import type { SourceNotice } from "../../../core/call/pass-through.ts"
import type { Log } from "../../../io/log.ts"
import type { Outbound } from "../../../io/network/outbound.ts"
import { answerQuestion } from "./calls-question.ts"
import { createCalls } from "./calls.ts"
import type { Calls } from "./calls.ts"
import type { HttpConfig, McpConfig, StdioConfig } from "../config.ts"
import { startTimeout } from "../failure.ts"
import { createHttpFetch } from "../http/fetch.ts"
import { createSession } from "./session.ts"
import type { Session, Wire } from "./session.ts"
import { createStdioTransport } from "../stdio/transport.ts"
import type { StdioTransport } from "../stdio/transport.ts"

/** What a server turned out to be. */
export type Verdict = { readonly wire: Wire; readonly prior: PriorDiscovery }

export type SessionTarget = {
  /** Names it in the log. */
  readonly label: string
  readonly config: McpConfig
  readonly credential: Credential
  readonly outbound: Outbound
  readonly limits: Limits
  readonly log: Log
  /** Gives up a session that is being opened; without it only time does. */
  readonly signal?: AbortSignal
  redact(text: string): string
}

export type SessionEvents = {
  onToolsChanged(): void
  /** Whatever the server says that it has others of. */
  onNotice(notice: SourceNotice): void
  /** These tools ask humans: they are to be called alone, where questions cannot be told apart. */
  onToolsAsk(tools: readonly string[]): void
}

export type OpenedSession = { readonly session: Session; readonly verdict: Verdict }

const newestRevision = "2026-07-28"
/** A program may be downloaded before it starts; half of the time is left to greet one that does not know the question. */
const probeMsOf = ({ startMs }: Opening): number => Math.min(10_000, startMs / 2)

const serverInfo = (version: string) => ({ name: "executor", title: "Executor", version })

export async function openSession(
  target: SessionTarget,
  verdict: Verdict | null,
  events: SessionEvents,
  version: string,
): Promise<OpenedSession> {
  const { config } = target
  const startMs = Math.max(target.limits.mcpServerStartMs, (config.timeoutSeconds ?? 0) * 1000)
  const opening: Opening = {
    target,
    calls: createCalls(target.label, target.limits),
    events,
    version,
    startMs,
    deadlineMs: performance.now() + startMs,
  }
  if (config.transport === "stdio") return openStdio(config, verdict, opening)
  return verdict?.wire === "sse" ? openSse(config, opening) : openHttp(config, verdict, opening)
}

type Opening = {
  readonly target: SessionTarget
  readonly calls: Calls
  readonly events: SessionEvents
  readonly version: string
  /** How long all tries together may take. */
  readonly startMs: number
  /** When that is over, by the monotonic clock. */
  readonly deadlineMs: number
}

async function openStdio(config: StdioConfig, verdict: Verdict | null, opening: Opening): Promise<OpenedSession> {
  if (verdict !== null) return connect(stdioTransport(config, opening), "stdio", { kind: "prior", prior: verdict.prior }, opening)
  const probed = stdioTransport(config, opening)
  try {
    return await connect(probed, "stdio", { kind: "ask", mode: { pin: newestRevision } }, opening)
  } catch (error) {
    if (error instanceof ExecutorError) throw error
    return connect(stdioTransport(config, opening), "stdio", { kind: "prior", prior: { kind: "legacy" } }, opening)
  }
}

async function openHttp(config: HttpConfig, verdict: Verdict | null, opening: Opening): Promise<OpenedSession> {
  const transport = new StreamableHTTPClientTransport(plainUrl(config), { fetch: httpFetch(config, opening) })
  const greeting: Greeting = verdict === null ? { kind: "ask", mode: "auto" } : { kind: "prior", prior: verdict.prior }
  try {
    return await connect(transport, "streamable", greeting, opening)
  } catch (error) {
    if (!isOtherWire(error)) throw error
    return await openSse(config, opening).catch(() => {
      throw error
    })
  }
}

const openSse = (config: HttpConfig, opening: Opening): Promise<OpenedSession> =>
  connect(
    new SSEClientTransport(plainUrl(config), { fetch: httpFetch(config, opening) }),
    "sse",
    { kind: "prior", prior: { kind: "legacy" } },
    opening,
  )

type Greeting = { readonly kind: "ask"; readonly mode: VersionNegotiationMode } | { readonly kind: "prior"; readonly prior: PriorDiscovery }

async function connect(transport: Transport, wire: Wire, greeting: Greeting, opening: Opening): Promise<OpenedSession> {
  const { target, calls } = opening
  const { limits, log } = target
  let session: Session | null = null
  const client = createClient(greeting, opening, () => {
    session?.toolsChanged()
    opening.events.onToolsChanged()
    opening.events.onNotice({ kind: "tools" })
  })
  const timeout = Math.max(1, opening.deadlineMs - performance.now())
  const { signal } = target
  const giveUp = (): void => void transport.close().catch(() => {})
  signal?.throwIfAborted()
  signal?.addEventListener("abort", giveUp)
  try {
    await client.connect(transport, { timeout, ...(greeting.kind === "prior" ? { prior: greeting.prior } : {}) })
  } catch (error) {
    await transport.close().catch(() => {})
    throw withEnding(error, transport)
  } finally {
    signal?.removeEventListener("abort", giveUp)
  }
  const report = (error: Error): void =>
    log.debug({ server: target.label, error: target.redact(String(error)) }, "An MCP session reports an error")
  Object.assign(client, { onerror: report })
  const discover = client.getDiscoverResult()
  session = createSession({
    client,
    wire,
    calls,
    log,
    toolsFreshMs: limits.mcpServerToolsFreshMs,
    ending: () => (isStdio(transport) ? transport.ending() : null),
    close: () => closeClient(client, transport),
  })
  return { session, verdict: { wire, prior: discover === undefined ? { kind: "legacy" } : { kind: "modern", discover } } }
}

function createClient(greeting: Greeting, opening: Opening, onChanged: () => void): Client {
  const { target, calls, events, version } = opening
  const options: ClientOptions = {
    capabilities: { elicitation: { form: { applyDefaults: true }, url: {} } },
    inputRequired: { autoFulfill: false },
    jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
    listChanged: {
      tools: { autoRefresh: false, debounceMs: 200, onChanged },
      prompts: { autoRefresh: false, debounceMs: 0, onChanged: () => events.onNotice({ kind: "prompts" }) },
      resources: { autoRefresh: false, debounceMs: 0, onChanged: () => events.onNotice({ kind: "resources" }) },
    },
    ...(greeting.kind === "ask" ? { versionNegotiation: { mode: greeting.mode, probe: { timeoutMs: probeMsOf(opening) } } } : {}),
  }
  const client = new Client(serverInfo(version), options)
  client.setRequestHandler("elicitation/create", (request) => answerQuestion(request.params, calls, events))
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => events.onNotice({ kind: "resource", uri: params.uri }))
  client.setNotificationHandler("notifications/message", ({ params }) => {
    const text = typeof params.data === "string" ? params.data : JSON.stringify(params.data)
    // To others than the one who called it may tell what is none of their business.
    calls.current()?.log(params.level, text)
    target.log.debug({ server: target.label, level: params.level, text: target.redact(text).slice(0, 1000) }, "An MCP server logs")
  })
  return client
}

/** Servers keep a session until they are told that it is over. */
async function closeClient(client: Client, transport: Transport): Promise<void> {
  if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined) {
    await Promise.race([transport.terminateSession().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 1000).unref())])
  }
  await client.close()
}

/** What the program said last tells more than that its pipe is closed. */
function withEnding(error: unknown, transport: Transport): unknown {
  if (!(error instanceof SdkError)) return error
  if (error.code === SdkErrorCode.RequestTimeout) return startTimeout(error, isStdio(transport) ? transport.lastWords() : "")
  if (!isStdio(transport)) return error
  const ending = transport.ending()
  return ending === null ? error : new SdkError(SdkErrorCode.ConnectionClosed, ending.message, undefined, { cause: error })
}

const isStdio = (transport: Transport): transport is StdioTransport => "ending" in transport

/** Nothing that speaks streamable HTTP is there; whoever asks for authorization or is overloaded does speak it. */
const isOtherWire = (error: unknown): boolean =>
  error instanceof SdkHttpError && error.status >= 400 && error.status < 500 && ![401, 403, 408, 429].includes(error.status)

const stdioTransport = (config: StdioConfig, { target, calls }: Opening): StdioTransport =>
  createStdioTransport(config, {
    label: target.label,
    log: target.log,
    redact: target.redact,
    charsMax: target.limits.mcpServerStderrCharsMax,
    messageBytesMax: target.limits.responseBytesMax,
    takeMessageTurn: () => calls.messageTurns().take(),
  })

const httpFetch = (config: HttpConfig, { target, calls }: Opening) =>
  createHttpFetch(config, {
    outbound: target.outbound,
    credential: target.credential,
    headTimeoutMs: target.limits.executionWallMsMax,
    messageBytesMax: target.limits.responseBytesMax,
    messageTurns: calls.messageTurns,
    streamListener: () => calls.sender()?.streamListener() ?? (() => {}),
  })

/** User info becomes a header. */
function plainUrl(config: HttpConfig): URL {
  const url = new URL(config.url)
  url.username = ""
  url.password = ""
  return url
}
