// Files in what code returned or emitted, as content blocks of their own types instead of text.
import type { ContentBlock } from "@modelcontextprotocol/server"
import { isToolFile } from "../../../core/result.ts"
import type { ToolFile } from "../../../core/result.ts"

const depthMax = 6
const filesMax = 50
const brokenCharsMax = 2000

export type Shown = { readonly value: unknown; readonly blocks: readonly ContentBlock[] }

/** The value without the bytes of its files, and the files as blocks, in the order in which they occur. */
export function takeFiles(value: unknown, uri: string): Shown {
  const blocks: ContentBlock[] = []
  const walk = (item: unknown, depth: number): unknown => {
    if (typeof item !== "object" || item === null || depth > depthMax) return item
    if (isToolFile(item) && blocks.length < filesMax) {
      blocks.push(toBlock(item, `${uri}/${blocks.length}`))
      const { data: _data, encoding: _encoding, ...described } = item
      return { ...described, shownAs: blocks.at(-1)?.type ?? "resource" }
    }
    if (Array.isArray(item)) return item.map((one) => walk(one, depth + 1))
    return Object.fromEntries(Object.entries(item).map(([key, one]) => [key, walk(one, depth + 1)]))
  }
  const walked = hasFile(value, 0) ? walk(value, 0) : value
  return { value: walked, blocks }
}

/** Most results hold no file, and are passed on as they are. */
function hasFile(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null || depth > depthMax) return false
  return isToolFile(value) || Object.values(value).some((item) => hasFile(item, depth + 1))
}

export function toBlock(file: ToolFile, uri: string): ContentBlock {
  const mimeType = typeof file.mimeType === "string" ? file.mimeType : "application/octet-stream"
  // A client would refuse the whole answer for the sake of one file that is none.
  if (!isBase64(file.data)) return { type: "text", text: `A file (${mimeType.slice(0, 100)}) whose data is not base64: ${cut(file.data)}` }
  if (mimeType.startsWith("image/")) return { type: "image", data: file.data, mimeType }
  if (mimeType.startsWith("audio/")) return { type: "audio", data: file.data, mimeType }
  const name = typeof file.name === "string" && file.name !== "" ? file.name : "file"
  return { type: "resource", resource: { uri: `${uri}/${encodeURIComponent(name)}`, mimeType, blob: file.data } }
}

/** Written without repeated groups, because files are long. */
function isBase64(data: string): boolean {
  const padAt = data.indexOf("=")
  const isPadded = padAt === -1 || (padAt >= data.length - 2 && data.endsWith("="))
  return data.length % 4 === 0 && isPadded && !/[^A-Za-z0-9+/=]/.test(data)
}

const cut = (data: string): string => (data.length > brokenCharsMax ? `${data.slice(0, brokenCharsMax)}… (cut)` : data)
