// Lists a server's tools under our names, and its other capabilities.
import { ExecutorError } from "../../core/errors.ts"
import type { ErrorCode } from "../../core/errors.ts"
import { boundedText } from "../document-value.ts"
import type { ListRequest, ListedTools } from "../source-adapter.ts"
import { originsOf } from "./config.ts"
import type { McpConfig } from "./config.ts"
import { toFailure } from "./failure.ts"
import type { SessionPool } from "./session/pool.ts"
import { sessionRefusal, sessionRequest } from "./session/request.ts"
import type { RequestParts } from "./session/request.ts"
import type { Session, SessionEnding } from "./session/session.ts"
import { listTool } from "./tool-facts.ts"
import { listMethods } from "./tool-methods.ts"
import { nameTools } from "./tool-name.ts"

export async function listMcpTools(request: ListRequest<McpConfig>, pool: SessionPool, parts: RequestParts): Promise<ListedTools> {
  const refusal = sessionRefusal(request, parts)
  if (refusal !== null) throw refusal
  const wanted = sessionRequest(request, null, parts)
  const timeoutMs = request.limits.callTimeoutMs
  const startedAtMs = performance.now()
  let ending: SessionEnding | null = null
  try {
    return await pool.use(wanted, async (session) => {
      try {
        return await readTools(session, request, timeoutMs)
      } catch (error) {
        ending = session.ending()
        throw error
      }
    })
  } catch (error) {
    if (error instanceof ExecutorError) throw error
    const context = { startedAtMs, isRead: true, ending, isCancelled: false, redact: wanted.target.redact }
    const failure = toFailure(error, context).error
    throw new ExecutorError(failure.code satisfies ErrorCode, failure.message, failure.details)
  }
}

async function readTools(session: Session, { config, limits }: ListRequest<McpConfig>, timeoutMs: number): Promise<ListedTools> {
  const { client } = session
  const tools = [...(await session.tools("now", { timeout: timeoutMs })).values()]
  const methods = listMethods(client.getServerCapabilities() ?? {})
  const names = nameTools(
    tools.map((tool) => tool.name),
    new Set<string>(methods.map((method) => method.name)),
  )
  const listed = [...tools.flatMap((tool, index) => (names[index] === undefined ? [] : [listTool(tool, names[index], limits)])), ...methods]
  const bytes = listed.reduce((sum, tool) => sum + tool.inputSchema.length + (tool.outputSchema?.length ?? 0), 0)
  if (bytes > limits.documentBytesMax)
    throw new ExecutorError(
      "payload_too_large",
      `The schemas of the server's tools are ${bytes} bytes; the maximum is ${limits.documentBytesMax}`,
    )
  const server = client.getServerVersion()
  return {
    facts: {
      title: boundedText(server?.title ?? server?.name, limits.nameCharsMax),
      version: boundedText(server?.version, limits.nameCharsMax),
      description: boundedText(client.getInstructions(), limits.descriptionCharsMax),
      origins: originsOf(config),
      auth: [],
      warnings: [],
      toolCount: listed.length,
    },
    tools: listed.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    definitions: new Map(),
    document: null,
  }
}
