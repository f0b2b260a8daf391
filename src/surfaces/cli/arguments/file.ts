// Reads `@file` where it stands as the value of an argument, in the form that the tool's schema wants.
import { readFileSync } from "node:fs"
import { basename, extname } from "node:path"
import { toolFile } from "../../../core/result.ts"
import type { ToolFile } from "../../../core/result.ts"
import type { JsonSchema } from "../../../core/tool.ts"
import { partsOf, schemaAt } from "../../../core/json/schema.ts"
import type { Definitions } from "../../../core/json/schema.ts"
import { fileTrouble } from "../prompt/input-read.ts"
import { UsageError } from "../usage-error.ts"

/** What stands for a value: still a text, which is converted like any other, or a file whole. */
export type ArgValue = { readonly kind: "text"; readonly text: string } | { readonly kind: "file"; readonly file: ToolFile }

/** `@@` begins a text with one `@`. */
export function readArgValue(key: string, text: string, schema: JsonSchema | null, definitions: Definitions): ArgValue {
  if (!text.startsWith("@")) return { kind: "text", text }
  if (text.startsWith("@@")) return { kind: "text", text: text.slice(1) }
  const path = text.slice(1)
  const bytes = readBytes(key, path)
  if (takesFile(schema, definitions)) return { kind: "file", file: toolFile(bytes, mimeTypeOf(path), basename(path)) }
  if (takesBase64(schema, definitions)) return { kind: "text", text: bytes.toString("base64") }
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) }
  } catch {
    throw new UsageError(`'${key}' must be text, but '${path}' is not valid UTF-8`)
  }
}

function readBytes(key: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new UsageError(
      `'${key}' cannot be read from '${path}': ${fileTrouble(error)}. To pass text that begins with @, write ${key}=@@${path}`,
    )
  }
}

/** Itself, or each of its items. */
function takesFile(schema: JsonSchema | null, definitions: Definitions): boolean {
  return isFile(schema, definitions) || isFile(schemaAt(schema, ["0"], definitions), definitions)
}

export const isFile = (schema: JsonSchema | null, definitions: Definitions): boolean =>
  schemaAt(schema, ["_tag"], definitions)?.["const"] === "ToolFile"

function takesBase64(schema: JsonSchema | null, definitions: Definitions): boolean {
  const parts = schema === null ? [] : partsOf(schema, definitions)
  return parts.some((part) => part["contentEncoding"] === "base64" || part["format"] === "byte" || part["format"] === "base64")
}

const mimeTypeOf = (path: string): string => mimeTypes.get(extname(path).toLowerCase()) ?? "application/octet-stream"

/** What people upload; of anything else the bytes must tell. */
const mimeTypes = new Map([
  [".csv", "text/csv"],
  [".gif", "image/gif"],
  [".html", "text/html"],
  [".jpeg", "image/jpeg"],
  [".jpg", "image/jpeg"],
  [".json", "application/json"],
  [".md", "text/markdown"],
  [".mp3", "audio/mpeg"],
  [".mp4", "video/mp4"],
  [".pdf", "application/pdf"],
  [".png", "image/png"],
  [".svg", "image/svg+xml"],
  [".txt", "text/plain"],
  [".wav", "audio/wav"],
  [".webp", "image/webp"],
  [".xml", "application/xml"],
  [".zip", "application/zip"],
])
