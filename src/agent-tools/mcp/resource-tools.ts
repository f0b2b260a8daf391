// The tools with which a model lists and reads the resources of MCP servers.
import { readArguments } from "../call-arguments.ts"
import { FunctionCallError } from "../function-call-error.ts"
import type { ToolRegistryBuilder } from "../registry-builder.ts"
import type { JsonSchema, ToolHandler, ToolInvocation, ToolOutput } from "../tool.ts"
import { messageOf } from "./connection-error.ts"
import type { McpResources } from "./resource-types.ts"

type Arguments = Readonly<Record<string, unknown>>

type ResourceTool = {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  answer(args: Arguments, resources: McpResources, signal: AbortSignal): Promise<unknown>
}

const text = (description: string): JsonSchema => ({ type: "string", description })
const parameters = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
})
const pageParameters = parameters({
  server: text("Name of an MCP server. Without it, all servers are listed."),
  cursor: text("The nextCursor of the page before, from the same server."),
})

const resourceTools: readonly ResourceTool[] = [
  {
    name: "list_mcp_resources",
    description:
      "Lists resources of MCP servers: files, database schemas and other data that servers offer as context. Prefer resources to web search where possible.",
    parameters: pageParameters,
    answer: async (args, resources, signal) => resources.listResources({ ...pageOf(args), signal }),
  },
  {
    name: "list_mcp_resource_templates",
    description: "Lists URI templates of MCP servers. Fill in the parameters of a template to get the URI of a resource.",
    parameters: pageParameters,
    answer: async (args, resources, signal) => resources.listResourceTemplates({ ...pageOf(args), signal }),
  },
  {
    name: "read_mcp_resource",
    description: "Reads a resource of an MCP server by the server's name and the resource's URI.",
    parameters: parameters(
      {
        server: text("Name of the MCP server, exactly as list_mcp_resources gives it."),
        uri: text("URI of the resource, from list_mcp_resources or a filled-in template."),
      },
      ["server", "uri"],
    ),
    async answer(args, resources, signal) {
      const [server, uri] = [needed(args, "server"), needed(args, "uri")]
      return { server, uri, ...(await resources.readResource(server, uri, { signal })) }
    },
  },
]

export function addMcpResourceTools(builder: ToolRegistryBuilder, resources: McpResources): void {
  for (const tool of resourceTools) {
    const { name, description, parameters: schema } = tool
    builder.pushSpecWithParallelSupport({ type: "function", name, description, parameters: schema }, true)
    builder.registerHandler(name, resourceHandler(tool, resources))
  }
}

const resourceHandler = (tool: ResourceTool, resources: McpResources): ToolHandler => ({
  kind: "function",
  matchesKind: (payload) => payload.type === "function",
  isMutating: () => Promise.resolve(false),
  async handle({ toolName, payload, signal }: ToolInvocation): Promise<ToolOutput> {
    if (payload.type !== "function") throw FunctionCallError.fatal(`tool ${toolName} invoked with incompatible payload`)
    try {
      const answer = await tool.answer(readArguments(payload.arguments), resources, signal)
      return { type: "function", content: JSON.stringify(answer), success: true }
    } catch (error) {
      throw error instanceof FunctionCallError ? error : FunctionCallError.respondToModel(messageOf(error))
    }
  },
})

function pageOf(args: Arguments): { server?: string; cursor?: string } {
  const [server, cursor] = [optional(args, "server"), optional(args, "cursor")]
  return { ...(server === null ? {} : { server }), ...(cursor === null ? {} : { cursor }) }
}

/** Models fill in blanks for what they leave out. */
function optional(args: Arguments, name: string): string | null {
  const value = args[name] ?? ""
  if (typeof value !== "string") throw FunctionCallError.respondToModel(`failed to parse function arguments: ${name} must be a string`)
  return value.trim() === "" ? null : value.trim()
}

function needed(args: Arguments, name: string): string {
  const value = optional(args, name)
  if (value === null) throw FunctionCallError.respondToModel(`${name} must be provided`)
  return value
}
