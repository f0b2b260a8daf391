// What an MCP upstream has besides tools, through the same gate: resources, templates, prompts and completion.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import type {
  CompleteResult,
  GetPromptResult,
  InputRequiredResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server"
import type { McpPassThrough } from "../../../core/call/pass-through.ts"
import { callDirect } from "./call.ts"
import type { DirectListing, DirectMethod } from "./listing.ts"
import { rethrown, throwProtocolError } from "../protocol-failure.ts"
import { askerOf } from "../request-principal.ts"
import type { Asker } from "../request-principal.ts"
import type { HostCallParts } from "../tools/execute.ts"

type Instead = McpPassThrough["instead"]

export function addDirectMethods(server: Server, asker: Asker, listing: DirectListing, parts: HostCallParts): void {
  // The answers are the upstream's own, which its source has read with the protocol's schemas.
  const pass = <T>(method: DirectMethod, args: Record<string, unknown>, ctx: ServerContext, instead: Instead = null): Promise<T> =>
    rethrown(() => passOn(method, args, instead, { server, asker, ctx }, listing, parts)) as Promise<T>

  if (listing.methods.has("resources.read")) {
    server.setRequestHandler("resources/list", (_request, ctx) => pass<ListResourcesResult>("resources.list", {}, ctx))
    server.setRequestHandler("resources/templates/list", (_request, ctx) =>
      pass<ListResourceTemplatesResult>("resources.templates", {}, ctx),
    )
    server.setRequestHandler("resources/read", ({ params: { uri } }, ctx) =>
      pass<ReadResourceResult | InputRequiredResult>("resources.read", { uri }, ctx),
    )
    for (const method of ["resources/subscribe", "resources/unsubscribe"] as const)
      server.setRequestHandler(method, ({ params: { uri } }, ctx) => pass("resources.read", { uri }, ctx, { method, params: { uri } }))
  }
  if (listing.methods.has("prompts.get")) {
    server.setRequestHandler("prompts/list", (_request, ctx) => pass<ListPromptsResult>("prompts.list", {}, ctx))
    server.setRequestHandler("prompts/get", ({ params }, ctx) =>
      pass<GetPromptResult | InputRequiredResult>("prompts.get", { name: params.name, arguments: params.arguments ?? {} }, ctx),
    )
  }
  if (listing.methods.size === 0) return
  server.setRequestHandler("completion/complete", ({ params }, ctx) => {
    const instead: Instead = {
      method: "completion/complete",
      params: { ref: params.ref, argument: params.argument, ...(params.context === undefined ? {} : { context: params.context }) },
    }
    // Who may fill in a prompt or read a resource may complete its arguments.
    return params.ref.type === "ref/prompt"
      ? pass<CompleteResult>("prompts.get", { name: params.ref.name }, ctx, instead)
      : pass<CompleteResult>("resources.read", { uri: params.ref.uri }, ctx, instead)
  })
}

async function passOn(
  method: DirectMethod,
  args: Record<string, unknown>,
  instead: Instead,
  { server, asker, ctx }: { readonly server: Server; readonly asker: Asker; readonly ctx: ServerContext },
  listing: DirectListing,
  parts: HostCallParts,
): Promise<unknown> {
  const tool = listing.methods.get(method)
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The upstream does not have this item")
  const call = { asker: { principal: askerOf(ctx).principal, options: asker.options }, server, ctx }
  const answer = await callDirect({ tool, args, kind: listing.kind, instead }, call, parts)
  if ("question" in answer) return answer.question
  if (answer.result.ok) return answer.result.data
  throwProtocolError(answer.result)
  const { code, message } = answer.result.error
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, { code, ...("uri" in args ? { uri: args["uri"] } : {}) })
}
