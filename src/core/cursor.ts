// Opaque page cursors: the key of the last row, so that every page costs the same.
import { ExecutorError } from "./errors.ts"
import type { Limits } from "./limits.ts"
import type { Page, PageRequest } from "./page.ts"

const pageSizeDefault = 100

export const encodeCursor = (key: readonly string[]): string => Buffer.from(JSON.stringify(key)).toString("base64url")

/** The key in the cursor, checked to have `size` texts. */
export function decodeCursor(cursor: string | undefined, size: number): readonly string[] | null {
  if (cursor === undefined) return null
  const key = parse(Buffer.from(cursor, "base64url").toString("utf8"))
  if (Array.isArray(key) && key.length === size && key.every((part) => typeof part === "string")) return key
  throw new ExecutorError("invalid_request", "The cursor is not from this list; start again without it")
}

export function pageSize(page: PageRequest, limits: Limits): number {
  const size = page.limit ?? pageSizeDefault
  if (Number.isInteger(size) && size >= 1 && size <= limits.pageSizeMax) return size
  throw new ExecutorError("invalid_request", `limit must be a whole number from 1 to ${limits.pageSizeMax}`)
}

/** `rows` has up to one more row than the page; the extra row shows that there is a next page. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  size: number,
  keyOf: (row: Row) => readonly string[],
  view: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  return { items: shown.map(view), nextCursor: rows.length > size && last !== undefined ? encodeCursor(keyOf(last)) : null }
}

/** A page of rows that are ordered by one text. */
export async function readPage<Row>(
  request: PageRequest,
  limits: Limits,
  list: (page: { readonly after: string | null; readonly limit: number }) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): Promise<Page<Row>> {
  const size = pageSize(request, limits)
  const rows = await list({ after: decodeCursor(request.cursor, 1)?.[0] ?? null, limit: size + 1 })
  return toPage(
    rows,
    size,
    (row) => [keyOf(row)],
    (row) => row,
  )
}

/** The same page with its rows as others see them. */
export const viewPage = <Row, Item>({ items, nextCursor }: Page<Row>, view: (row: Row) => Item): Page<Item> => ({
  items: items.map((row) => view(row)),
  nextCursor,
})

/** Reads rows until the page is full or reaches its size limit; in that case it is shorter than requested and has a next page. */
export async function pageWithin<Row>(
  size: number,
  bytesMax: number,
  read: (last: Row | null, limit: number) => Promise<readonly Row[]>,
  bytesOf: (row: Row) => number,
): Promise<{ readonly rows: readonly Row[]; readonly size: number }> {
  const rows: Row[] = []
  let bytes = 0
  while (rows.length <= size) {
    const limit = Math.min(rowsPerRead, size + 1 - rows.length)
    const more = await read(rows.at(-1) ?? null, limit)
    for (const row of more) {
      bytes += bytesOf(row)
      rows.push(row)
      if (bytes > bytesMax && rows.length > 1) return { rows, size: Math.min(size, rows.length - 1) }
    }
    if (more.length < limit) break
  }
  return { rows, size }
}

const rowsPerRead = 50

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
