// Builds the MCP server of the pass-through: one integration's tools under their own names, and for MCP upstreams the rest of the protocol.
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server"
import type { ServerCapabilities } from "@modelcontextprotocol/server"
import { callDirect } from "./call.ts"
import type { DirectAnswer } from "./call.ts"
import { pageOfTools, readListing } from "./listing.ts"
import type { DirectListing } from "./listing.ts"
import { addDirectMethods } from "./methods.ts"
import { toDirectResult } from "./result.ts"
import { rethrown, throwProtocolError } from "../protocol-failure.ts"
import { askerOf } from "../request-principal.ts"
import type { Asker } from "../request-principal.ts"
import { answerSafely, roundsMax, sharedValidator } from "../server-build.ts"
import type { ServerParts } from "../server-build.ts"
import type { HostCall, HostResult } from "../tools/execute.ts"

export async function buildDirectServer(asker: Asker, parts: ServerParts): Promise<Server> {
  const listing = await readListing(asker, parts)
  const server = new Server(
    { name: `executor-${asker.options.direct?.integration ?? ""}`, title: "Executor", version: parts.version },
    {
      capabilities: capabilitiesOf(listing),
      jsonSchemaValidator: sharedValidator,
      requestState: { verify: parts.rounds.verify },
      inputRequired: { maxRounds: roundsMax },
    },
  )
  server.setRequestHandler("tools/list", async ({ params }, ctx) => {
    const current = { principal: askerOf(ctx).principal, options: asker.options }
    parts.onListed(current)
    return rethrown(async () => pageOfTools(await readListing(current, parts), params?.cursor))
  })
  server.setRequestHandler("tools/call", ({ params }, ctx) => {
    const call: HostCall = { asker: { principal: askerOf(ctx).principal, options: asker.options }, server, ctx }
    return answerSafely(() => callTool(params.name, params.arguments ?? {}, call, parts), parts)
  })
  addDirectMethods(server, asker, listing, parts)
  return server
}

async function callTool(name: string, args: Record<string, unknown>, call: HostCall, parts: ServerParts): Promise<HostResult> {
  const { kind, tools } = await readListing(call.asker, parts)
  const tool = tools.get(name)
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name.slice(0, 140)} not found`)
  const answer: DirectAnswer = await callDirect({ tool, args, kind, instead: null }, call, parts)
  if ("question" in answer) return answer.question
  if (kind === "mcp") throwProtocolError(answer.result)
  return toDirectResult(answer.result, kind, tool.address, parts.limits)
}

function capabilitiesOf({ methods }: DirectListing): ServerCapabilities {
  const hasPrompts = methods.has("prompts.get")
  const hasResources = methods.has("resources.read")
  return {
    tools: { listChanged: true },
    logging: {},
    ...(hasPrompts ? { prompts: { listChanged: true } } : {}),
    ...(hasResources ? { resources: { listChanged: true, subscribe: true } } : {}),
    ...(hasPrompts || hasResources ? { completions: {} } : {}),
  }
}
