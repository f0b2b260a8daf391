// A table for people: it fits the terminal, and is whole where the output goes elsewhere.
import { safeLine } from "../../../core/text/safe.ts"
import { fitText, padText, textWidth } from "./width.ts"

export type Column<Row> = {
  readonly title: string
  /** What strangers wrote may be given as it is. */
  value(row: Row): string
  /** Colours a cell after it was measured; widths stay. */
  paint?(cell: string, row: Row): string
  /** Identifiers are copied from tables, and are never cut. */
  readonly keeps?: boolean
  /** Cut to this width wherever the table goes: one long cell would push the other columns out of sight. */
  readonly widthMax?: number
  /** Where the table is too wide, it stands whole below its row, and leaves its room to the others. */
  readonly breaks?: boolean
}

export type TableStyle = {
  /** Null: as wide as its content. */
  readonly columns: number | null
  heading(text: string): string
}

const gap = "  "
const cutWidthMin = 8

export function formatTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], style: TableStyle): string {
  const below = columns.filter((column) => column.breaks === true)
  if (below.length === 0 || fitsIn(style.columns, measureTable(columns, rows))) return formatLines(columns, rows, style).join("\n")
  const above = columns.filter((column) => column.breaks !== true)
  const isOneLine = fitsIn(style.columns, [0, ...measureTable(below, rows)])
  const blocks = (isOneLine ? [below] : below.map((column) => [column])).map((some) =>
    formatLines(some, rows, { ...style, columns: null }).map((line) => `${gap}${line}`),
  )
  return formatLines(above, rows, style)
    .map((line, at) => [line, ...blocks.map((lines) => lines[at] ?? "")].join("\n"))
    .join("\n")
}

const fitsIn = (total: number | null, widths: readonly number[]): boolean =>
  total === null || widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1)) <= total

function measureTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): number[] {
  return columns.map((column) => Math.max(textWidth(column.title), ...rows.map((row) => textWidth(cellOf(column, row)))))
}

function cellOf<Row>(column: Column<Row>, row: Row): string {
  const cell = safeLine(column.value(row))
  return column.widthMax === undefined ? cell : fitText(cell, column.widthMax)
}

function formatLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[], style: TableStyle): string[] {
  const cells = rows.map((row) => columns.map((column) => cellOf(column, row)))
  const widths = measureTable(columns, rows)
  const fitted = style.columns === null ? widths : fitWidths(widths, columns, style.columns)
  const lay = (line: readonly string[], paint: (cell: string, at: number) => string): string =>
    line
      .map((cell, at) => {
        const cut = fitText(cell, fitted[at] ?? 0)
        return paint(at === line.length - 1 ? cut : padText(cut, fitted[at] ?? 0), at)
      })
      .join(gap)
      .trimEnd()
  const head = lay(
    columns.map((column) => column.title),
    style.heading,
  )
  const body = rows.map((row, index) => lay(cells[index] ?? [], (cell, at) => columns[at]?.paint?.(cell, row) ?? cell))
  return [head, ...body]
}

/** The widest gives way first. What is kept is never cut: a line that is too long wraps, and can still be copied. */
function fitWidths<Row>(widths: readonly number[], columns: readonly Column<Row>[], total: number): number[] {
  const fitted = [...widths]
  const room = total - gap.length * (widths.length - 1)
  let excess = fitted.reduce((sum, width) => sum + width, 0) - room
  while (excess > 0) {
    const cuttable = fitted.map((width, at) => (columns[at]?.keeps !== true && width > cutWidthMin ? width : 0))
    const widest = Math.max(...cuttable)
    if (widest === 0) break
    const next = Math.max(cutWidthMin, ...cuttable.filter((width) => width < widest))
    const at = cuttable.indexOf(widest)
    const step = Math.min(excess, Math.max(1, widest - next))
    fitted[at] = widest - step
    excess -= step
  }
  return fitted
}
