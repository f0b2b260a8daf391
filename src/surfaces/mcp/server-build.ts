// Builds the MCP server that answers one request of the modern era, or one session of an older one.
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server"
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker"
import { ExecutorError } from "../../core/errors.ts"
import { newId } from "../../io/ids.ts"
import { instructionsText } from "../../core/text/inventory.ts"
import { askerOf } from "./request-principal.ts"
import type { Asker } from "./request-principal.ts"
import { toFailure } from "./tools/result-content.ts"
import { callRead, callSearch } from "./tools/discovery.ts"
import { toolDefinitions } from "./tools/definitions.ts"
import { callExecute } from "./tools/execute.ts"
import type { HostCall, HostCallParts, HostResult } from "./tools/execute.ts"
import { callResume } from "./tools/resume.ts"

/** The default makes a code generator for each server; nothing here validates through it. */
export const sharedValidator = new CfWorkerJsonSchemaValidator()

/** A pause may follow a pause many times within one call. */
export const roundsMax = 100

export type ServerParts = HostCallParts & {
  /** Told whenever somebody has been shown the tools, so that they hear of changes. */
  onListed(asker: Asker): void
}

export async function buildServer(asker: Asker, parts: ServerParts): Promise<Server> {
  const server = new Server(
    { name: "executor", title: "Executor", version: parts.version },
    {
      capabilities: { tools: { listChanged: true }, logging: {} },
      instructions: instructionsText(await parts.hostApi.inventory(asker.principal)),
      jsonSchemaValidator: sharedValidator,
      requestState: { verify: parts.rounds.verify },
      inputRequired: { maxRounds: roundsMax },
    },
  )
  server.setRequestHandler("tools/list", async (_request, ctx) => {
    const { principal } = askerOf(ctx)
    const inventory = await parts.hostApi.inventory(principal)
    parts.onListed(asker)
    return { tools: toolDefinitions(inventory, asker.options, parts.limits) }
  })
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    // The principal of this request, whose token may have lost a mode since the session began.
    const call: HostCall = { asker: { principal: askerOf(ctx).principal, options: asker.options }, server, ctx }
    return answerSafely(() => callTool(params.name, params.arguments, call, parts), parts)
  })
  return server
}

function callTool(name: string, given: unknown, call: HostCall, parts: ServerParts): Promise<HostResult> {
  const { mode, discovery } = call.asker.options
  if (name === "execute") return callExecute(given, call, parts)
  if (name === "resume" && mode !== "native") return callResume(given, call, parts)
  if (name === "search_tools" && discovery === "tools") return callSearch(given, call, parts)
  if (name === "read_tool" && discovery === "tools") return callRead(given, call, parts)
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name.slice(0, 80)} not found`)
}

/** What is thrown goes to the client word for word, so a bug's message stays here. */
export async function answerSafely(work: () => Promise<HostResult>, parts: Pick<HostCallParts, "log">): Promise<HostResult> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    if (error instanceof ExecutorError) return toFailure(error.message, error.code)
    if (error instanceof DOMException && error.name === "AbortError") return toFailure("The request was cancelled")
    const id = newId("err")
    parts.log.error({ id, err: error }, "An MCP request failed unexpectedly")
    return toFailure(`The server failed unexpectedly; look up the reason in its log under ${id}`, "internal")
  }
}
