// Calls a handler as the product would, for tests of what handlers may do.
import { z } from "zod"
import { noCredential } from "../../../core/auth.ts"
import type { Credential } from "../../../core/auth.ts"
import type { CallNotice } from "../../../core/call/notice.ts"
import type { Elicit } from "../../../core/call/elicit.ts"
import { withLimits } from "../../../core/limits.ts"
import type { ToolResult } from "../../../core/result.ts"
import { openAnswerTurn } from "../../../io/answer-turn.ts"
import { createNetwork } from "../../../io/network/guarded-fetch.ts"
import { silentLog } from "../../../io/log.ts"
import type { Network } from "../../../io/network/outbound.ts"
import { definePlugin, defineTool } from "../../../plugin/define.ts"
import type { AuthProvider, ToolContext } from "../../../plugin/definition.ts"
import type { StandardSchema } from "../../../plugin/standard-schema.ts"
import { callHandler } from "../handler-call.ts"

const limits = withLimits({ responseBytesMax: 100_000, callTimeoutMs: 60_000 })
const networkOf = (allowPrivateHosts: string[]): Network =>
  createNetwork({ allowPrivateHosts, trustLiteralUrls: true, limits, log: silentLog })

/** One that the operator opened for this machine, and one that they did not. */
export const openNetwork: Network = networkOf(["127.0.0.1"])
export const closedNetwork: Network = networkOf([])

export type Setup = {
  readonly args?: Record<string, unknown>
  readonly inputSchema?: StandardSchema
  readonly outputSchema?: StandardSchema
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  readonly elicit?: Elicit
  readonly notices?: CallNotice[]
  readonly providers?: readonly AuthProvider[]
  readonly credential?: Credential
  readonly network?: Network
}

export function call(handler: (ctx: ToolContext, input: unknown) => unknown, setup: Setup = {}): Promise<ToolResult> {
  const { inputSchema = z.object({}), outputSchema, timeoutMs } = setup
  const tool = defineTool({
    path: "odd.things.do",
    name: "Do Things",
    description: "Does.",
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    handler,
  })
  const plugin = definePlugin({ id: "odd", name: "Odd", description: "Odd.", tools: [tool], authProviders: setup.providers ?? [] })
  return callHandler({
    plugin,
    tool,
    args: setup.args ?? {},
    credential: setup.credential ?? noCredential,
    outbound: (setup.network ?? openNetwork).outbound({ literalUrls: [] }),
    limits,
    signal: setup.signal ?? new AbortController().signal,
    timeoutMs: 60_000,
    answerTurn: openAnswerTurn("nobody", limits),
    elicit: setup.elicit ?? (() => Promise.resolve({ action: "cancel" })),
    notify: (notice) => setup.notices?.push(notice),
    log: silentLog,
  })
}
