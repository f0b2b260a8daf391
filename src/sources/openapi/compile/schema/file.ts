// How files look in schemas: one shared definition, named `ToolFile` as in results.
import { isObject, own } from "../../../document-value.ts"
import type { SchemaObject } from "./keywords.ts"

export const toolFileName = "ToolFile"

export const toolFileDefinition: SchemaObject = {
  title: toolFileName,
  description: "A file: its bytes in base64, and what they are.",
  type: "object",
  properties: {
    _tag: { const: "ToolFile" },
    name: { type: "string", description: "The file's name." },
    mimeType: { type: "string", description: "The media type of the bytes." },
    encoding: { const: "base64" },
    data: { type: "string", contentEncoding: "base64" },
    byteLength: { type: "integer", minimum: 0 },
  },
  required: ["_tag", "mimeType", "encoding", "data"],
}

export const toolFileRef = (): SchemaObject => ({ $ref: `#/$defs/${toolFileName}` })

/** What an input accepts where the document wants bytes. */
export const fileInput = (description: string): SchemaObject => ({
  description:
    description === "" ? "A ToolFile, or text that is sent as it is." : `${description}\n\nA ToolFile, or text that is sent as it is.`,
  anyOf: [toolFileRef(), { type: "string" }],
})

/** True for a schema that stands for bytes in a form: `file` (2.0), `format: binary` (3.0), `contentMediaType` or `contentEncoding` (3.1). */
export function isFileSchema(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const type = own(schema, "type")
  if (type === "file") return true
  if (type !== undefined && type !== "string" && !(Array.isArray(type) && type.includes("string"))) return false
  const format = own(schema, "format")
  if (type !== undefined && (format === "binary" || format === "byte" || format === "base64")) return true
  return typeof own(schema, "contentEncoding") === "string" || isFileMediaType(own(schema, "contentMediaType"))
}

const isFileMediaType = (mediaType: unknown): boolean =>
  typeof mediaType === "string" && !/^(text\/|application\/(.*\+)?(json|xml))/i.test(mediaType)
