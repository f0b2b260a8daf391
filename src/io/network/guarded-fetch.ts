// The only door to the network: every outbound request of every source passes here.
//
// An exchange consists of hops (redirects) and retries under one deadline. Each hop goes to one of two pools. Sockets of the
// open pool were connected with no grant at all; the granted pool is entered only with a URL whose host and port are granted to the
// asking integration. So a socket that was opened on one integration's grant serves only integrations with that grant, and a
// reused socket needs neither a lookup nor a new decision.
import { lookup as systemLookup } from "node:dns"
import { Agent, Pool } from "undici"
import type { Limits } from "../../core/limits.ts"
import type { Standing } from "./address-guard.ts"
import { createAddressGuard, showTarget, targetOf } from "./address-guard.ts"
import { systemClock } from "../clock.ts"
import type { Lookup } from "./connect-guard.ts"
import { createConnector } from "./connect-guard.ts"
import { acceptedEncodings } from "./content-decode.ts"
import type { Deadline } from "./deadline.ts"
import { startDeadline } from "./deadline.ts"
import type { Answer, ExchangeOutcome, Hop } from "./exchange.ts"
import { exchange } from "./exchange.ts"
import { openExchange } from "./exchange-stream.ts"
import type { Log } from "../log.ts"
import { isReset, networkFailure, sent, unreachable } from "./failure.ts"
import type { Network, Outbound, OutboundFailure, OutboundRequest, OutboundResponse } from "./outbound.ts"
import { isRead, redirectOf } from "./redirect.ts"
import { retryAfterMs } from "./retry-after.ts"

export type NetworkOptions = {
  /** Hosts, `host:port` and CIDR ranges that everyone may reach although they are private. */
  readonly allowPrivateHosts: readonly string[]
  /** True when we listen on loopback only: then what an admin wrote literally is allowed. */
  readonly trustLiteralUrls: boolean
  readonly limits: Limits
  readonly log: Log
  /** The operating system's resolver unless a test brings its own. */
  readonly lookup?: Lookup
}

const retriesMax = 2
const retryAfterMsMax = 5000

export function createNetwork(options: NetworkOptions): Network {
  const guard = createAddressGuard(options.allowPrivateHosts)
  const connecting = { lookup: options.lookup ?? systemLookup, connectTimeoutMs: options.limits.connectTimeoutMs }
  const createPools = (standing: Standing): Agent =>
    new Agent({
      factory: (origin) =>
        new Pool(origin, {
          connections: options.limits.upstreamConnectionsMax,
          allowH2: false,
          connect: createConnector(origin, standing, guard, connecting),
        }),
    })
  const pools = { ungranted: createPools("ungranted"), granted: createPools("granted") }
  return {
    forbid: (host, port) => guard.forbid(host, port),
    outbound(grants) {
      const granted = new Set(options.trustLiteralUrls ? grants.literalUrls.flatMap(grantedTarget) : [])
      const poolFor = (url: URL): Agent => pools[granted.has(showTarget(targetOf(url))) ? "granted" : "ungranted"]
      return createOutbound(poolFor, options)
    },
    close: async () => void (await Promise.all([pools.ungranted.destroy(), pools.granted.destroy()])),
  }
}

const grantedTarget = (literal: string): string[] => {
  const url = URL.parse(literal)
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? [showTarget(targetOf(url))] : []
}

function createOutbound(poolFor: (url: URL) => Agent, { limits, log }: NetworkOptions): Outbound {
  return {
    async send(request) {
      const hop = firstHop(request)
      if ("ok" in hop) return hop
      const deadline = startDeadline(request.timeoutMs, request.signal, systemClock)
      try {
        return await converse(hop, request, deadline, poolFor, limits)
      } catch (error) {
        log.error({ error, host: hop.url.host }, "an outbound request failed for an unknown reason")
        return networkFailure(error, targetOf(hop.url))
      } finally {
        deadline.release()
      }
    },
    async open(request) {
      const hop = firstHop(request)
      return "ok" in hop ? hop : openExchange(hop, poolFor(hop.url), request)
    },
  }
}

function firstHop(request: Pick<OutboundRequest, "method" | "url" | "headers" | "body">): Hop | OutboundFailure {
  const url = URL.parse(request.url)
  if (url === null) return unreachable("The request has no valid URL", "final")
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return unreachable(`Only http and https are supported, not ${url.protocol}`, "final")
  if (url.username !== "" || url.password !== "")
    return unreachable("A URL with user info is not allowed; put the credential in the connection", "final")
  const headers: Record<string, string> = { "accept-encoding": acceptedEncodings, "user-agent": "executor" }
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value
  return { url, method: request.method.toUpperCase(), headers, body: request.body ?? null }
}

async function converse(
  first: Hop,
  request: OutboundRequest,
  deadline: Deadline,
  poolFor: (url: URL) => Agent,
  limits: Limits,
): Promise<OutboundResponse | OutboundFailure> {
  const reading = { bytesMax: request.responseBytesMax, stream: request.stream ?? null, arrive: request.arrive ?? null }
  let hop = first
  let redirects = 0
  for (let retries = 0; ;) {
    const outcome = await exchange(hop, poolFor(hop.url), reading, deadline)
    const pauseMs = retries < retriesMax && isRead(hop.method) ? retryPauseMs(outcome) : null
    if (pauseMs !== null && pauseMs < deadline.remainingMs() && (await deadline.sleep(pauseMs))) {
      retries += 1
      continue
    }
    if (outcome.kind !== "answer") return failureOf(outcome, hop, request)
    const redirect = redirectOf(hop, outcome, request.redirects)
    if (redirect.kind === "none") return responseOf(outcome, hop)
    if (redirect.kind === "refused") return unreachable(`${showTarget(targetOf(hop.url))} ${redirect.reason}`, "final")
    if (redirects === limits.redirectsMax)
      return unreachable(`${showTarget(targetOf(first.url))} redirected more than ${limits.redirectsMax} times`, "final")
    redirects += 1
    hop = redirect.hop
  }
}

/** When to try a read again; null when its outcome stands. */
function retryPauseMs(outcome: ExchangeOutcome): number | null {
  if (outcome.kind === "broken") return outcome.isUnanswered && isReset(outcome.error) ? 0 : null
  if (outcome.kind !== "answer" || (outcome.status !== 429 && outcome.status !== 503)) return null
  const pauseMs = retryAfterMs(outcome.headers["retry-after"], systemClock)
  return pauseMs !== null && pauseMs <= retryAfterMsMax ? pauseMs : null
}

const responseOf = ({ status, statusText, headers, bytes, isComplete }: Answer, hop: Hop): OutboundResponse => ({
  ok: true,
  status,
  statusText,
  headers,
  bytes,
  isComplete,
  url: hop.url.href,
})

function failureOf(outcome: Exclude<ExchangeOutcome, Answer>, hop: Hop, request: OutboundRequest): OutboundFailure {
  const host = showTarget(targetOf(hop.url))
  if (outcome.kind === "broken") return networkFailure(outcome.error, targetOf(hop.url))
  if (outcome.kind === "undecodable") return sent(unreachable(`The response from ${host} could not be decompressed`))
  if (outcome.kind === "too_large") {
    const message = `The response from ${host} is larger than ${request.responseBytesMax} bytes`
    return { ok: false, code: "response_too_large", message, retryable: false }
  }
  const isLate = outcome.ending === "timeout"
  const message = isLate ? `${host} did not respond within ${request.timeoutMs} ms` : `The request to ${host} was cancelled`
  return sent({ ok: false, code: "timeout", message, retryable: isLate })
}
