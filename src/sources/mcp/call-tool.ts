// Performs the call of one tool of a server, on the session that its connection shares.
import type { CallToolResult, GetPromptResult, ReadResourceResult, RequestOptions } from "@modelcontextprotocol/client"
import { LOG_LEVEL_META_KEY } from "@modelcontextprotocol/client"
import { fail, succeed } from "../../core/result.ts"
import type { ToolResult } from "../../core/result.ts"
import type { CallRequest } from "../source-adapter.ts"
import { hashTool, readBinding } from "./binding.ts"
import type { McpBinding } from "./binding.ts"
import { openCallScope } from "./session/call-scope.ts"
import type { CallScope } from "./session/call-scope.ts"
import type { McpConfig } from "./config.ts"
import { isSessionLost, toFailure } from "./failure.ts"
import { passMethod, passTool } from "./pass-through.ts"
import { readPrompt, readResource, readToolResult } from "./result-read.ts"
import { inRounds } from "./rounds.ts"
import type { RoundParams } from "./rounds.ts"
import type { SessionPool } from "./session/pool.ts"
import { sessionRefusal, sessionRequest } from "./session/request.ts"
import type { RequestParts } from "./session/request.ts"
import type { Session, SessionEnding } from "./session/session.ts"

type Call = CallRequest<McpConfig>

export async function callMcpTool(call: Call, pool: SessionPool, parts: RequestParts): Promise<ToolResult> {
  const refusal = sessionRefusal(call, parts)
  if (refusal !== null) return fail(refusal.code, refusal.message, { details: refusal.details })
  const binding = readBinding(call.tool.binding)
  const isRead = binding.kind !== "tool" || binding.effect === "read"
  const timeoutMs = call.config.timeoutSeconds === null ? call.limits.callTimeoutMs : call.config.timeoutSeconds * 1000
  const request = sessionRequest(call, binding, parts)
  const scope = openCallScope(call, request.tool ?? call.tool.name, timeoutMs, request.target.redact)
  const startedAtMs = performance.now()
  let ending: SessionEnding | null = null
  const attempt = (): Promise<ToolResult> =>
    pool.use(request, (session) =>
      session.calls
        .run(scope.inFlight, () => perform(session, binding, { call, scope, timeoutMs, parts }))
        .catch((error: unknown) => {
          ending = session.ending()
          // The next one who calls gets another.
          if (isSessionLost(error)) void session.close()
          throw error
        }),
    )
  try {
    return await attempt().catch((error: unknown) => {
      if (scope.isPaused() || !isRead || !isSessionLost(error)) throw error
      return attempt()
    })
  } catch (error) {
    // The engine knows that a human was asked, and looks no further.
    if (scope.isPaused()) return fail("approval_required", "A human was asked; the call continues once they answer")
    const isCancelled = call.signal.aborted
    return toFailure(scope.reason() ?? error, { startedAtMs, isRead, ending, isCancelled, redact: request.target.redact })
  } finally {
    scope.close()
  }
}

type Performance = { readonly call: Call; readonly scope: CallScope; readonly timeoutMs: number; readonly parts: RequestParts }

async function perform(session: Session, binding: McpBinding, performance: Performance): Promise<ToolResult> {
  const { call, scope, timeoutMs } = performance
  const { client } = session
  const { args, limits } = call
  const options: RequestOptions = {
    signal: scope.signal,
    // The scope ends it in time; the library does not know when an answer has arrived and waits for its turn.
    timeout: timeoutMs + limits.executionWallMsMax,
    allowInputRequired: true,
    onprogress: (progress) => scope.progress(progress),
  }
  const rounds = <T>(send: (params: RoundParams) => Promise<T>): Promise<T> =>
    inRounds((params) => scope.sending(() => send(params)), {
      limits,
      state: call.elicit.state ?? null,
      signal: scope.signal,
      ask: scope.ask,
    })
  const one = { signal: scope.signal, timeout: timeoutMs, cacheMode: "refresh" as const }

  const { passThrough } = call
  if (passThrough !== undefined && binding.kind !== "tool")
    return succeed(await scope.sending(() => passMethod(client, binding.kind, { passThrough, args, options })))
  switch (binding.kind) {
    case "tool":
      return callTool(session, binding, options, rounds, performance)
    case "resources.list":
      return succeed({ resources: (await client.listResources(undefined, one)).resources })
    case "resources.templates":
      return succeed({ resourceTemplates: (await client.listResourceTemplates(undefined, one)).resourceTemplates })
    case "resources.read": {
      const uri = String(args["uri"])
      return readResource(
        await rounds<ReadResourceResult>((params) => client.readResource({ uri, ...params }, { ...options, cacheMode: "refresh" })),
      )
    }
    case "prompts.list":
      return succeed({ prompts: (await client.listPrompts(undefined, one)).prompts })
    case "prompts.get": {
      const prompt = { name: String(args["name"]), arguments: (args["arguments"] ?? {}) as Record<string, string> } // checked against the schema
      return readPrompt(await rounds<GetPromptResult>((params) => client.getPrompt({ ...prompt, ...params }, options)))
    }
  }
}

async function callTool(
  session: Session,
  binding: Extract<McpBinding, { kind: "tool" }>,
  options: RequestOptions,
  rounds: <T>(send: (params: RoundParams) => Promise<T>) => Promise<T>,
  { call, scope, timeoutMs, parts }: Performance,
): Promise<ToolResult> {
  const tool = (await session.tools("known", { timeout: timeoutMs })).get(binding.name)
  if (tool === undefined || hashTool(tool) !== binding.hash) {
    await parts.onToolsChanged(call.connection)
    return changed(call.tool.name, tool === undefined)
  }
  // Servers break their own output schemas; what they sent is worth more than a complaint.
  const { outputSchema: _, ...toolDefinition } = tool
  const { passThrough } = call
  if (passThrough !== undefined)
    return succeed(await scope.sending(() => passTool(session.client, toolDefinition, { passThrough, args: call.args, options })))
  const meta = session.client.getProtocolEra() === "modern" ? { _meta: { [LOG_LEVEL_META_KEY]: "info" } } : {}
  const result = await rounds<CallToolResult>((params) =>
    session.client.callTool({ name: binding.name, arguments: call.args, ...meta, ...params }, { ...options, toolDefinition }),
  )
  return readToolResult(result, call.limits)
}

const changed = (name: string, isGone: boolean): ToolResult =>
  isGone
    ? fail("tool_not_found", `The server no longer has the tool '${name}'; its tools were reloaded`)
    : fail(
        "upstream_error",
        `The server has changed the tool '${name}' since its tools were read, so it was not called. The tools were reloaded; check its definition and call it again`,
        {
          retryable: true,
        },
      )
