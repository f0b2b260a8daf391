// Writes an object as a multipart body: files as file parts, lists as repeated parts, objects as JSON parts.
import { isToolFile } from "../../../core/result.ts"
import { newId } from "../../../io/ids.ts"
import type { BoundBody } from "../binding.ts"
import { fileBytes } from "./body-file.ts"
import { encodingOf } from "./body-form.ts"
import { safeType } from "../../media-type.ts"
import { isPresent, textOf } from "./serialize-style.ts"

type Part = { readonly head: string; readonly content: Buffer | string }

export function multipartBody(value: unknown, body: BoundBody): { readonly boundary: string; readonly bytes: Buffer } {
  const boundary = newId("executor")
  const chunks: Buffer[] = []
  for (const [name, member] of Object.entries(typeof value === "object" && value !== null ? value : {})) {
    const contentType = singleType(encodingOf(body.encoding, name)?.contentType ?? null)
    for (const item of Array.isArray(member) ? member : [member]) {
      if (!isPresent(item)) continue
      const { head, content } = partOf(name, item, contentType)
      chunks.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from("\r\n"))
    }
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`))
  return { boundary, bytes: Buffer.concat(chunks) }
}

function partOf(name: string, value: unknown, contentType: string | null): Part {
  const disposition = `content-disposition: form-data; name="${escapeName(name)}"`
  if (isToolFile(value)) {
    const head = `${disposition}; filename="${escapeName(value.name ?? name)}"\r\ncontent-type: ${contentType ?? safeType(value.mimeType)}`
    return { head, content: fileBytes(value, name) }
  }
  const type = contentType ?? (typeof value === "object" ? "application/json" : null)
  return { head: type === null ? disposition : `${disposition}\r\ncontent-type: ${type}`, content: textOf(value) }
}

/** A document may name several types or a range, of which the file's own then is one. */
const singleType = (contentType: string | null): string | null =>
  contentType === null || /[,*]/.test(contentType) ? null : safeType(contentType)

/** As browsers do, so that no name can end its header. */
const escapeName = (name: string): string =>
  name.toWellFormed().replace(/[\r\n"]/g, (character) => (character === '"' ? "%22" : character === "\r" ? "%0D" : "%0A"))
