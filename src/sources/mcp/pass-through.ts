// Passes a request of a client that speaks the protocol on to the server, and returns the server's response unchanged.
import { CLIENT_CAPABILITIES_META_KEY, LOG_LEVEL_META_KEY } from "@modelcontextprotocol/client"
import type { Client, CompleteRequestParams, RequestOptions, Tool } from "@modelcontextprotocol/client"
import type { McpPassThrough } from "../../core/call/pass-through.ts"
import type { McpMethod } from "./binding.ts"

export type PassThroughRequest = {
  readonly passThrough: McpPassThrough
  readonly args: Record<string, unknown>
  readonly options: RequestOptions
}

export function passTool(
  client: Client,
  tool: Omit<Tool, "outputSchema">,
  { passThrough, args, options }: PassThroughRequest,
): Promise<unknown> {
  return client.callTool({ name: tool.name, arguments: args, ...said(client, passThrough) }, { ...options, toolDefinition: tool })
}

export function passMethod(client: Client, method: McpMethod, request: PassThroughRequest): Promise<unknown> {
  const { passThrough, args, options } = request
  if (passThrough.instead !== null) return passInstead(client, passThrough.instead, options)
  const fresh = { ...options, cacheMode: "refresh" as const }
  switch (method) {
    case "resources.list":
      return client.listResources(undefined, fresh)
    case "resources.templates":
      return client.listResourceTemplates(undefined, fresh)
    case "resources.read":
      return client.readResource({ uri: String(args["uri"]), ...said(client, passThrough) }, fresh)
    case "prompts.list":
      return client.listPrompts(undefined, fresh)
    case "prompts.get": {
      const filled = (args["arguments"] ?? {}) as Record<string, string> // checked against the schema
      return client.getPrompt({ name: String(args["name"]), arguments: filled, ...said(client, passThrough) }, options)
    }
  }
}

async function passInstead(
  client: Client,
  { method, params }: NonNullable<McpPassThrough["instead"]>,
  options: RequestOptions,
): Promise<unknown> {
  if (method === "completion/complete") return client.complete(params as CompleteRequestParams, options) // the host has checked it
  // In the newest revision those who listen hear of changes, and nothing is subscribed to.
  if (client.getProtocolEra() === "modern") return {}
  const uri = { uri: String(params["uri"]) }
  return method === "resources/subscribe" ? client.subscribeResource(uri, options) : client.unsubscribeResource(uri, options)
}

/** What the client can do and has answered; servers of older revisions were told once what we can. */
function said(client: Client, { capabilities, logLevel, inputResponses, requestState }: McpPassThrough) {
  const meta = { [CLIENT_CAPABILITIES_META_KEY]: capabilities, ...(logLevel === null ? {} : { [LOG_LEVEL_META_KEY]: logLevel }) }
  return {
    ...(client.getProtocolEra() === "modern" ? { _meta: meta } : {}),
    ...(inputResponses === null ? {} : { inputResponses }),
    ...(requestState === null ? {} : { requestState }),
  }
}
