// Files in what code returned or emitted, as content blocks of their own types instead of text.
import type { ContentBlock } from "@modelcontextprotocol/server"
import { isBase64, takeFilesOut } from "../../../core/call/result-files.ts"
import type { WithoutFiles } from "../../../core/call/result-files.ts"
import type { ToolFile } from "../../../core/result.ts"

const brokenCharsMax = 2000

/** The value without the bytes of its files, and the files as blocks, in the order in which they occur. */
export const takeFiles = (value: unknown, uri: string): WithoutFiles<ContentBlock> =>
  takeFilesOut(value, (file, index) => toBlock(file, `${uri}/${index}`))

export function toBlock(file: ToolFile, uri: string): ContentBlock {
  const mimeType = typeof file.mimeType === "string" ? file.mimeType : "application/octet-stream"
  // A client would refuse the whole answer for the sake of one file that is none.
  if (!isBase64(file.data)) return { type: "text", text: `A file (${mimeType.slice(0, 100)}) whose data is not base64: ${cut(file.data)}` }
  if (mimeType.startsWith("image/")) return { type: "image", data: file.data, mimeType }
  if (mimeType.startsWith("audio/")) return { type: "audio", data: file.data, mimeType }
  const name = typeof file.name === "string" && file.name !== "" ? file.name : "file"
  return { type: "resource", resource: { uri: `${uri}/${encodeURIComponent(name)}`, mimeType, blob: file.data } }
}

const cut = (data: string): string => (data.length > brokenCharsMax ? `${data.slice(0, brokenCharsMax)}… (cut)` : data)
