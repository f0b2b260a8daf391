// The MCP client for a program with servers of its own and no catalog: one server, on the sessions that the source has too.
//
// The session is opened by the first request and shared by all. One that died is opened again for the next request; a
// request is repeated, once, where the server has done nothing (it did not know the session), or only reads. A request
// that timed out ends the session with the last request on it, because what does not answer once rarely answers again.
import type {
  CallToolResult,
  ListResourceTemplatesResult,
  ListResourcesResult,
  ReadResourceResult,
  RequestOptions,
  Tool,
} from "@modelcontextprotocol/client"
import { noCredential } from "../../core/auth.ts"
import type { ElicitAnswer, ElicitRequest } from "../../core/call/elicit.ts"
import type { ErrorCode } from "../../core/errors.ts"
import { withLimits } from "../../core/limits.ts"
import type { Limits } from "../../core/limits.ts"
import { openAnswerTurn } from "../../io/answer-turn.ts"
import type { Log } from "../../io/log.ts"
import type { Outbound } from "../../io/network/outbound.ts"
import type { McpConfig } from "./config.ts"
import { isSessionLost, toFailure } from "./failure.ts"
import { inRounds } from "./rounds.ts"
import type { RoundParams } from "./rounds.ts"
import { openCallScope } from "./session/call-scope.ts"
import type { CallScope } from "./session/call-scope.ts"
import { createSessionPool } from "./session/pool.ts"
import { secretsOf } from "./session/request.ts"
import type { Session, SessionEnding } from "./session/session.ts"

export type { McpConfig as McpClientConfig }

export type McpClientOptions = {
  readonly name: string
  readonly config: McpConfig
  readonly startMs: number
  readonly callMs: number
  /** How a server gets more time to start, after "If it needs longer to start,". */
  readonly slowStartAdvice: string
  readonly outbound: Outbound
  readonly log: Log
  readonly version: string
  /** Takes these secrets out of a text. */
  redactor(secrets: readonly string[]): (text: string) => string
}

export type McpRequestContext = {
  readonly signal: AbortSignal
  onProgress?(progress: McpProgress): void
  /** Asks the human; without it, every question is declined. */
  onElicitation?(question: ElicitRequest, signal: AbortSignal): Promise<ElicitAnswer>
}

export type McpProgress = { readonly progress: number; readonly total?: number; readonly message?: string }

export type McpToolRequest = {
  /** As it was listed. */
  readonly tool: Tool
  readonly args: Record<string, unknown>
}

/** Every request throws a `McpRequestError` and nothing else. */
export type McpClient = {
  /** `known`: read again only where the server said that they changed, or was started again. */
  tools(freshness: "known" | "now", context: McpRequestContext): Promise<ReadonlyMap<string, Tool>>
  callTool(request: McpToolRequest, context: McpRequestContext): Promise<CallToolResult>
  /** One page. */
  resources(cursor: string | null, context: McpRequestContext): Promise<ListResourcesResult>
  resourceTemplates(cursor: string | null, context: McpRequestContext): Promise<ListResourceTemplatesResult>
  readResource(uri: string, context: McpRequestContext): Promise<ReadResourceResult>
  /** Ends the session, and the program with everything that it started. */
  close(): Promise<void>
}

export class McpRequestError extends Error {
  override readonly name = "McpRequestError"
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Sessions stay open while the program runs: a server may hold state, and the longest time that a timer takes is 24 days. */
const longMs = 2 ** 31 - 1

type Work<T> = {
  /** The tool that is called; null for every other request. */
  readonly tool: string | null
  readonly isRead: boolean
  readonly urgency: "now" | "patient"
  perform(session: Session, scope: CallScope): Promise<T>
}

export function createMcpClient(options: McpClientOptions): McpClient {
  const { name, config, callMs } = options
  const limits = withLimits({ mcpServerStartMs: options.startMs, mcpServerIdleMs: longMs, mcpServerToolsFreshMs: longMs })
  const redact = options.redactor(secretsOf(config))
  const pool = createSessionPool({ limits, version: options.version })
  const closing = new AbortController()
  const { outbound, log } = options
  const target = { label: name, config, credential: noCredential, outbound, limits, log, signal: closing.signal, redact }
  const sessionFor = ({ tool, urgency }: Pick<Work<unknown>, "tool" | "urgency">) => ({
    key: name,
    fingerprint: name,
    target,
    urgency,
    tool,
    onToolsChanged() {},
    onNotice() {},
  })

  const run = async <T>(work: Work<T>, context: McpRequestContext): Promise<T> => {
    const startedAtMs = performance.now()
    const scope = openScope(work.tool ?? "", context, { limits, callMs, name, log, redact })
    let ending: SessionEnding | null = null
    const attempt = (): Promise<T> =>
      pool.use(sessionFor(work), (session) =>
        session.calls
          .run(scope.inFlight, async () => {
            scope.signal.throwIfAborted()
            return work.perform(session, scope)
          })
          .catch((error: unknown) => {
            ending = session.ending()
            if (isSessionLost(error)) void session.close()
            throw error
          }),
      )
    const mayRepeat = (error: unknown): boolean => !scope.signal.aborted && (isSessionLost(error) || (work.isRead && ending !== null))
    try {
      return await untilAborted(
        attempt().catch((error: unknown) => {
          if (!mayRepeat(error)) throw error
          return attempt()
        }),
        context.signal,
      )
    } catch (error) {
      const failure = toFailure(scope.reason() ?? error, {
        startedAtMs,
        isRead: work.isRead,
        ending,
        isCancelled: context.signal.aborted,
        slowStartAdvice: options.slowStartAdvice,
        redact,
      }).error
      if (failure.code === "timeout" && !context.signal.aborted) pool.retire(name)
      throw new McpRequestError(failure.code, failure.message)
    } finally {
      scope.close()
    }
  }

  const rounds = <T>(scope: CallScope, send: (params: RoundParams) => Promise<T>): Promise<T> =>
    inRounds((params) => scope.sending(() => send(params)), { limits, state: null, signal: scope.signal, ask: scope.ask })
  const requestOptions = (scope: CallScope): RequestOptions => ({
    signal: scope.signal,
    // The scope ends it in time, which knows when an answer has arrived and waits for its turn.
    timeout: Math.min(callMs + limits.executionWallMsMax, longMs),
    onprogress: (progress) => scope.progress(progress),
    allowInputRequired: true,
  })
  const read = <T>(perform: Work<T>["perform"], context: McpRequestContext): Promise<T> =>
    run({ tool: null, isRead: true, urgency: "patient", perform }, context)

  return {
    tools: (freshness, context) =>
      run(
        {
          tool: null,
          isRead: true,
          urgency: freshness === "now" ? "now" : "patient",
          // A server that cannot say what it has is not ready.
          perform: (session) => session.tools(freshness, { timeout: options.startMs }),
        },
        context,
      ),
    callTool: ({ tool, args }, context) =>
      run(
        {
          tool: tool.name,
          isRead: tool.annotations?.readOnlyHint === true,
          urgency: "patient",
          perform: (session, scope) =>
            rounds<CallToolResult>(scope, (params) => {
              // Servers break their own output schemas; what they sent is worth more than a complaint.
              const { outputSchema: _, ...toolDefinition } = tool
              return session.client.callTool({ name: tool.name, arguments: args, ...params }, { ...requestOptions(scope), toolDefinition })
            }),
        },
        context,
      ),
    resources: (cursor, context) =>
      read(async ({ client }, scope) => {
        if (client.getServerCapabilities()?.resources === undefined) return { resources: [] }
        return scope.sending(() => client.request({ method: "resources/list", params: pageParams(cursor) }, requestOptions(scope)))
      }, context),
    resourceTemplates: (cursor, context) =>
      read(async ({ client }, scope) => {
        if (client.getServerCapabilities()?.resources === undefined) return { resourceTemplates: [] }
        return scope.sending(() =>
          client.request({ method: "resources/templates/list", params: pageParams(cursor) }, requestOptions(scope)),
        )
      }, context),
    readResource: (uri, context) =>
      read(
        ({ client }, scope) =>
          rounds<ReadResourceResult>(scope, (params) =>
            client.readResource({ uri, ...params }, { ...requestOptions(scope), cacheMode: "refresh" }),
          ),
        context,
      ),
    close() {
      closing.abort(new McpRequestError("upstream_unreachable", "The session was closed"))
      return pool.close()
    },
  }
}

const pageParams = (cursor: string | null) => (cursor === null ? {} : { cursor })

type ScopeParts = {
  readonly limits: Limits
  readonly callMs: number
  readonly name: string
  readonly log: Log
  redact(text: string): string
}

/** While the human thinks, the time of a request does not count. */
function openScope(tool: string, context: McpRequestContext, { limits, callMs, name, log, redact }: ScopeParts): CallScope {
  const answerTurn = openAnswerTurn(`mcp ${name}`, limits)
  const elicit = async (question: ElicitRequest): Promise<ElicitAnswer> => {
    if (context.onElicitation === undefined) return { action: "decline" }
    const resumeClock = scope.inFlight.stopClock()
    try {
      const { state: _, ...asked } = question
      return await context.onElicitation(asked, scope.signal)
    } catch (error) {
      log.warn({ server: name, error: String(error) }, "The question of an MCP server could not be put to the human")
      return { action: "cancel" }
    } finally {
      resumeClock()
    }
  }
  const notify: Parameters<typeof openCallScope>[0]["notify"] = (notice) => {
    if (notice.type === "log") return
    const { type: _, ...progress } = notice
    context.onProgress?.(progress)
  }
  const scope = openCallScope({ signal: context.signal, limits, log, elicit, answerTurn, notify }, tool, callMs, redact)
  return {
    ...scope,
    close() {
      scope.close()
      answerTurn.end()
    },
  }
}

/** Whoever cancels is answered at once, also while a server starts or stops. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(new Error("The call was cancelled"))
  signal.addEventListener("abort", abort, { once: true })
  if (signal.aborted) abort()
  // Of the two that race, the loser must not count as unhandled.
  work.catch(() => {})
  aborted.promise.catch(() => {})
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener("abort", abort)
  }
}
