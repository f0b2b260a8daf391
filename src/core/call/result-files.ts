// Takes the files out of a result, so that they are shown as what they are instead of as text.
import { isToolFile } from "../result.ts"
import type { ToolFile } from "../result.ts"

const depthMax = 6
const filesMax = 50

export type WithoutFiles<Block> = { readonly value: unknown; readonly blocks: readonly Block[] }

/** The value without the bytes of its files, and what `show` makes of each file, in the order in which they occur. */
export function takeFilesOut<Block extends { readonly type: string }>(
  value: unknown,
  show: (file: ToolFile, index: number) => Block,
): WithoutFiles<Block> {
  const blocks: Block[] = []
  const walk = (item: unknown, depth: number): unknown => {
    if (typeof item !== "object" || item === null || depth > depthMax) return item
    if (isToolFile(item) && blocks.length < filesMax) {
      const block = show(item, blocks.length)
      blocks.push(block)
      const { data: _data, encoding: _encoding, ...described } = item
      return { ...described, shownAs: block.type }
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

/** Written without repeated groups, because files are long. */
export function isBase64(data: string): boolean {
  const padAt = data.indexOf("=")
  const isPadded = padAt === -1 || (padAt >= data.length - 2 && data.endsWith("="))
  return data.length % 4 === 0 && isPadded && !/[^A-Za-z0-9+/=]/.test(data)
}
