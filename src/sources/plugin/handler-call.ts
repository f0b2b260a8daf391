// Performs one call of a plugin's tool: validates input and output, and ends in time whatever the handler does.
//
// The handler is code of this process, so it cannot be stopped; but nobody waits for it longer than the deadline, the
// cancellation of the execution or its own question to the human. Whatever it does after that reaches nobody.
import type { Credential } from "../../core/auth.ts"
import type { CallNotice } from "../../core/call/notice.ts"
import type { Elicit } from "../../core/call/elicit.ts"
import type { Limits } from "../../core/limits.ts"
import { fail, succeed } from "../../core/result.ts"
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import type { AnswerTurn } from "../../io/answer-turn.ts"
import { silentLog } from "../../io/log.ts"
import type { Log } from "../../io/log.ts"
import type { Outbound } from "../../io/network/outbound.ts"
import type { Plugin, PluginTool } from "../../plugin/definition.ts"
import { createContext } from "./handler-context.ts"
import { handlerFailure } from "./handler-error.ts"
import { validateInput, validateOutput } from "./handler-validate.ts"
import { toJson } from "./output-json.ts"

export type HandlerCall = {
  readonly plugin: Plugin
  readonly tool: PluginTool
  readonly args: Record<string, unknown>
  readonly credential: Credential
  readonly outbound: Outbound
  readonly limits: Limits
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly elicit: Elicit
  readonly answerTurn: AnswerTurn
  notify(notice: CallNotice): void
  readonly log: Log
}

/** What the context may still do; over means that the call has been answered. */
export type HandlerRun = {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  isOver(): boolean
  end(failure: ToolFailure): void
}

export async function callHandler(call: HandlerCall): Promise<ToolResult> {
  const timeoutMs = Math.min(call.tool.timeoutMs ?? Number.POSITIVE_INFINITY, call.timeoutMs)
  const stop = new AbortController()
  const { promise: ended, resolve } = Promise.withResolvers<ToolFailure>()
  let isOver = false
  const end = (failure: ToolFailure): void => {
    isOver = true
    resolve(failure)
  }
  const cancel = (): void => end(fail("timeout", "The call was cancelled", { retryable: false }))
  const late = setTimeout(() => end(timedOut(call, timeoutMs)), timeoutMs)
  call.signal.addEventListener("abort", cancel, { once: true })
  if (call.signal.aborted) cancel()
  const run: HandlerRun = { signal: stop.signal, timeoutMs, isOver: () => isOver, end }
  try {
    return await Promise.race([ended, perform(call, run)])
  } finally {
    isOver = true
    clearTimeout(late)
    call.signal.removeEventListener("abort", cancel)
    stop.abort(new Error("The call is over"))
  }
}

async function perform(call: HandlerCall, run: HandlerRun): Promise<ToolResult> {
  const { plugin, tool, limits } = call
  try {
    const input = await validateInput(tool, call.args, limits)
    if (!input.ok) return input
    const answer: unknown = await tool.handler(createContext(call, run), input.value as never) // the value that the tool's own schema gave
    const output = await validateOutput(plugin, tool, answer, limits)
    if (!output.ok) return output
    const json = toJson(output.value, limits.responseBytesMax)
    return json.ok ? succeed(json.value) : refusedOutput(call, json.reason)
  } catch (error) {
    return handlerFailure(error, run.isOver() ? { ...call, log: silentLog } : call)
  }
}

function refusedOutput({ plugin, tool, limits }: HandlerCall, reason: "too_large" | "response"): ToolFailure {
  if (reason === "response")
    return fail(
      "upstream_error",
      `The plugin '${plugin.id}' returned a Response from '${tool.path}'; its handler must read it, e.g. with response.json()`,
    )
  return fail("response_too_large", `The result of '${tool.path}' is larger than ${limits.responseBytesMax} bytes, or nested too deeply`)
}

const timedOut = ({ plugin, tool }: HandlerCall, timeoutMs: number): ToolFailure =>
  fail("timeout", `'${tool.path}' of the plugin '${plugin.id}' did not answer within ${timeoutMs} ms`)
