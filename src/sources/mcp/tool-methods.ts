// Offers a server's resources, resource templates and prompts as tools.
import type { ServerCapabilities } from "@modelcontextprotocol/client"
import { ToolName } from "../../core/address.ts"
import type { JsonSchema } from "../../core/tool.ts"
import type { ListedTool } from "../source-adapter.ts"
import { writeBinding } from "./binding.ts"
import type { McpMethod } from "./binding.ts"

type MethodTool = {
  readonly method: McpMethod
  readonly needs: "resources" | "prompts"
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema | null
}

const nothing: JsonSchema = { type: "object", properties: {}, additionalProperties: false }
const listOf = (field: string, item: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties: { [field]: { type: "array", items: { type: "object", properties: item } } },
  required: [field],
})
const text: JsonSchema = { type: "string" }

const methodTools: readonly MethodTool[] = [
  {
    method: "resources.list",
    needs: "resources",
    title: "List Resources",
    description: "Lists the resources that the server offers; read one with resources.read.",
    inputSchema: nothing,
    outputSchema: listOf("resources", { uri: text, name: text, title: text, description: text, mimeType: text }),
  },
  {
    method: "resources.read",
    needs: "resources",
    title: "Read Resource",
    description: "Reads one resource by its URI: text as { uri, mimeType, text }, bytes as a file. Several parts come as an array.",
    inputSchema: {
      type: "object",
      properties: { uri: { type: "string", description: "A URI from resources.list, or a filled-in template." } },
      required: ["uri"],
      additionalProperties: false,
    },
    outputSchema: null,
  },
  {
    method: "resources.templates",
    needs: "resources",
    title: "List Resource Templates",
    description: "Lists the URI templates for addresses of resources.",
    inputSchema: nothing,
    outputSchema: listOf("resourceTemplates", { uriTemplate: text, name: text, title: text, description: text, mimeType: text }),
  },
  {
    method: "prompts.list",
    needs: "prompts",
    title: "List Prompts",
    description: "Lists the prompts that the server offers, with their arguments.",
    inputSchema: nothing,
    outputSchema: listOf("prompts", {
      name: text,
      title: text,
      description: text,
      arguments: { type: "array", items: { type: "object" } },
    }),
  },
  {
    method: "prompts.get",
    needs: "prompts",
    title: "Get Prompt",
    description: "Fills in a prompt of the server and returns its messages.",
    inputSchema: {
      type: "object",
      properties: { name: text, arguments: { type: "object", additionalProperties: { type: "string" } } },
      required: ["name"],
      additionalProperties: false,
    },
    outputSchema: null,
  },
]

export function listMethods(capabilities: ServerCapabilities): ListedTool[] {
  return methodTools
    .filter((tool) => capabilities[tool.needs] !== undefined)
    .map((tool) => ({
      name: ToolName.make(tool.method),
      title: tool.title,
      summary: "",
      description: tool.description,
      effect: "read",
      requiresApproval: false,
      approvalDescription: null,
      mayElicit: true,
      deprecated: false,
      tags: [],
      inputSchema: JSON.stringify(tool.inputSchema),
      outputSchema: tool.outputSchema === null ? null : JSON.stringify(tool.outputSchema),
      binding: writeBinding({ kind: tool.method }),
    }))
}
