// The life of a call from its name to its handler's answer: find the handler, check the payload, wait for the gate, handle.
import { FunctionCallError } from "./function-call-error.ts"
import type { ToolRegistry } from "./registry.ts"
import { isToolOutput } from "./tool-output.ts"
import type { ToolHandler, ToolInvocation, ToolOutput, ToolPayload } from "./tool.ts"

/** What the runtime learns on the way: a call that is cancelled after its handler ended keeps its answer. */
export type DispatchObserver = { handlerEnded(): void }

export async function dispatch(invocation: ToolInvocation, registry: ToolRegistry, observer?: DispatchObserver): Promise<ToolOutput> {
  const { toolName, payload, turn, signal } = invocation
  const handler = registry.handler(toolName)
  if (handler === undefined) throw FunctionCallError.respondToModel(unsupportedText(toolName, payload))
  if (!matchesKind(handler, payload)) throw FunctionCallError.fatal(`tool ${toolName} invoked with incompatible payload`)
  try {
    if ((await handler.isMutating?.(invocation)) === true) await untilAborted(turn.toolCallGate.waitReady(), signal)
    signal.throwIfAborted()
    return checked(await handled(handler, invocation, observer), toolName)
  } catch (error) {
    throw toCallError(error)
  }
}

async function handled(handler: ToolHandler, invocation: ToolInvocation, observer?: DispatchObserver): Promise<ToolOutput> {
  try {
    return await handler.handle(invocation)
  } finally {
    observer?.handlerEnded()
  }
}

/** Handlers are written by strangers, not all of them in TypeScript. */
function checked(output: ToolOutput, toolName: string): ToolOutput {
  if (isToolOutput(output)) return output
  throw FunctionCallError.fatal(`the handler of tool ${toolName} must return { type: "function", content } or { type: "mcp", result }`)
}

const unsupportedText = (name: string, payload: ToolPayload): string =>
  payload.type === "custom" ? `unsupported custom tool call: ${name}` : `unsupported call: ${name}`

export function matchesKind(handler: ToolHandler, payload: ToolPayload): boolean {
  return handler.matchesKind?.(payload) ?? handler.kind === payload.type
}

/** A gate knows nothing of cancellation, and may stay closed for as long as a human takes. */
async function untilAborted(ready: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, resolve } = Promise.withResolvers<void>()
  const leave = (): void => resolve()
  signal.addEventListener("abort", leave, { once: true })
  await Promise.race([ready, aborted]).finally(() => signal.removeEventListener("abort", leave))
}

function toCallError(error: unknown): FunctionCallError {
  if (error instanceof FunctionCallError) return error
  return FunctionCallError.respondToModel(error instanceof Error ? error.message : String(error))
}
