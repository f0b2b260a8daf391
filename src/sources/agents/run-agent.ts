// Runs an agent for a call: the payload in the forms that callers send, and the compact answer that they get.
import type { AgentBinding, AgentInput, AgentMessage, AgentProgram } from "../../core/agents/agent.ts"
import { toCallAnswer } from "../../core/agents/call-answer.ts"
import { ownUses } from "../../core/agents/own-uses.ts"
import { isRecord } from "../../core/json/record.ts"
import type { ToolResult } from "../../core/result.ts"
import type { CallRequest } from "../source-adapter.ts"

export type AgentCall = { readonly agent: AgentBinding; /** Null: the agent's own. */ readonly timeoutMs: number | null }

export async function runAgent({ agent, timeoutMs }: AgentCall, request: CallRequest<unknown>): Promise<ToolResult> {
  const { user } = request.connection.scope
  // An agent of others reaches of the caller's own connections only what it names.
  const own = agent.writtenBy === user ? "all" : ownUses(agent.definition.tools)
  const program: AgentProgram = { agent, input: readPayload(request.args), own }
  const wallMs = agent.definition.limits.wallMs ?? request.limits.agentWallMs
  const result = await request.runCode({
    kind: "agent",
    code: JSON.stringify(program),
    input: null,
    reach: { own },
    timeoutMs: Math.min(wallMs, timeoutMs ?? wallMs),
  })
  return toCallAnswer(agent, result)
}

/** `input`, `text`, `messages` and `context`; other arguments are the input itself. */
function readPayload(args: Readonly<Record<string, unknown>>): AgentInput {
  const { input, text, messages, context, ...rest } = args
  const whole = Object.keys(rest).length === 0 ? input : { ...args }
  if (whole !== input) return { input: whole }
  return {
    ...(input === undefined ? {} : { input }),
    ...(typeof text === "string" ? { text } : {}),
    ...(Array.isArray(messages) ? { messages: messages.flatMap(toMessage) } : {}),
    ...(isRecord(context) ? { context } : {}),
  }
}

/** Models also write `content`. */
function toMessage(message: unknown): AgentMessage[] {
  if (typeof message === "string") return [{ role: "user", text: message }]
  if (!isRecord(message)) return []
  const text = message["text"] ?? message["content"]
  return typeof text === "string" ? [{ role: message["role"] === "assistant" ? "assistant" : "user", text }] : []
}
