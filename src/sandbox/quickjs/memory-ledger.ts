// Counts the memory of all guests, by thread and principal, in cells that every thread sees.
//
// Each thread writes its own row and reads everyone's, so that it knows at once, inside a batch, whether a principal or
// the process holds too much. A thread that dies leaves nothing behind: its row is emptied before another one takes it.

/** `resident`: in memory, beyond what an idle instance has. `spilled`: on disk. Both in pages. */
const kinds = ["resident", "spilled"] as const
export type MemoryKind = (typeof kinds)[number]

/** The first column of a row is its total. */
export const wholeProcess = 0

export type MemoryCells = { readonly shared: SharedArrayBuffer; readonly rows: number; readonly columns: number }

/** The part of one thread. */
export type MemoryRow = {
  add(column: number, kind: MemoryKind, pages: number): void
  /** What all threads hold. */
  pagesOf(column: number, kind: MemoryKind): number
}

export function createMemoryCells(rows: number, principals: number): MemoryCells {
  const columns = principals + 1
  return { shared: new SharedArrayBuffer(rows * columns * kinds.length * Int32Array.BYTES_PER_ELEMENT), rows, columns }
}

export function openMemoryRow({ shared, rows, columns }: MemoryCells, row: number): MemoryRow {
  const cells = new Int32Array(shared)
  const indexOf = (at: number, column: number, kind: MemoryKind): number => (at * columns + column) * kinds.length + kinds.indexOf(kind)
  return {
    add(column, kind, pages) {
      Atomics.add(cells, indexOf(row, column, kind), pages)
      Atomics.add(cells, indexOf(row, wholeProcess, kind), pages)
    },
    pagesOf(column, kind) {
      let pages = 0
      for (let at = 0; at < rows; at++) pages += Atomics.load(cells, indexOf(at, column, kind))
      return pages
    },
  }
}

/** The pool's side: who has which row and which column. */
export type MemoryLedger = {
  readonly cells: MemoryCells
  takeRow(): number
  /** Once its thread is gone. */
  freeRow(row: number): void
  /** The principal's column while it has executions; the same for all of them. */
  columnOf(principal: string): number
  /** The principal has no executions any more. */
  forget(principal: string): void
  pagesOf(principal: string | null, kind: MemoryKind): number
}

/** Threads that were ended, and are not gone yet, have rows of their own. */
const rowsPerThread = 3

export function createMemoryLedger(threads: number, principals: number): MemoryLedger {
  const rows = threads * rowsPerThread
  const cells = createMemoryCells(rows, principals)
  const reader = openMemoryRow(cells, 0)
  /** For threads that find no row of their own; what they hold when they die stays counted. */
  const sharedRow = rows - 1
  const freeRows = Array.from({ length: sharedRow }, (_, row) => row)
  const columns = new Map<string, number>()
  const freeColumns: number[] = []
  let columnsMade = 0

  return {
    cells,
    takeRow: () => freeRows.shift() ?? sharedRow,
    freeRow(row) {
      if (row === sharedRow) return
      const perRow = cells.columns * kinds.length
      new Int32Array(cells.shared).fill(0, row * perRow, (row + 1) * perRow)
      freeRows.push(row)
    },
    columnOf(principal) {
      const known = columns.get(principal)
      if (known !== undefined) return known
      const column = freeColumns.shift() ?? Math.min(++columnsMade, cells.columns - 1)
      columns.set(principal, column)
      return column
    },
    forget(principal) {
      const column = columns.get(principal)
      if (column === undefined) return
      columns.delete(principal)
      freeColumns.push(column)
    },
    pagesOf(principal, kind) {
      const column = principal === null ? wholeProcess : columns.get(principal)
      return column === undefined ? 0 : reader.pagesOf(column, kind)
    },
  }
}
