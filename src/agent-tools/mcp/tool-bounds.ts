// Keeps what a server says of a tool within what a model can be shown.
import type { Tool } from "@modelcontextprotocol/client"
import { isRecord } from "../../core/json/record.ts"
import { mapTexts } from "../../core/json/texts.ts"
import { plainText } from "../../core/text/plain.ts"
import type { McpLimits } from "./limits.ts"

export type BoundTool = { readonly kind: "tool"; readonly tool: Tool } | { readonly kind: "refused"; readonly reason: string }

export function boundTool(tool: Tool, limits: McpLimits): BoundTool {
  if (tool.name.length > limits.toolNameCharsMax)
    return refuse(`a tool's name is longer than ${limits.toolNameCharsMax} characters: ${tool.name.slice(0, 60)}…`)
  const { inputSchema, outputSchema, description, title, annotations } = tool
  if (!isShallow(inputSchema, limits.schemaDepthMax) || JSON.stringify(inputSchema).length > limits.schemaBytesMax)
    return refuse(`the schema of the tool '${shown(tool.name)}' is too large or too deep`)
  return {
    kind: "tool",
    tool: {
      name: tool.name,
      ...(title === undefined ? {} : { title: boundText(title, limits.titleCharsMax) }),
      ...(description === undefined ? {} : { description: boundText(description, limits.descriptionCharsMax) }),
      inputSchema: objectSchema(mapTexts(inputSchema, plainText)),
      ...(outputSchema !== undefined && isSmall(outputSchema, limits) ? { outputSchema } : {}),
      ...(annotations === undefined ? {} : { annotations }),
    },
  }
}

const refuse = (reason: string): BoundTool => ({ kind: "refused", reason })

/** Model APIs refuse a schema of arguments that is not one of an object with properties. */
function objectSchema(schema: unknown): Tool["inputSchema"] {
  const fields = isRecord(schema) ? schema : {}
  const properties = isRecord(fields["properties"]) ? fields["properties"] : {}
  return { ...fields, type: "object", properties } as Tool["inputSchema"] // its two fixed fields are set here
}

const isSmall = (schema: unknown, limits: McpLimits): boolean =>
  isShallow(schema, limits.schemaDepthMax) && JSON.stringify(schema).length <= limits.schemaBytesMax

function isShallow(value: unknown, depthMax: number): boolean {
  if (typeof value !== "object" || value === null) return true
  return depthMax > 0 && Object.values(value).every((item) => isShallow(item, depthMax - 1))
}

export function boundText(text: string, charsMax: number): string {
  const plain = plainText(text).trim()
  return (plain.length <= charsMax ? plain : `${plain.slice(0, charsMax - 1)}…`).toWellFormed()
}

const shown = (name: string): string => boundText(name, 60)
