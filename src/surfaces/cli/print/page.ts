// Prints lists: a table for people with how to see more, the API's own page for machines.
import type { Page } from "../../../core/page.ts"
import type { CommandContext } from "../command-action.ts"
import { formatTable } from "./table.ts"
import type { Column } from "./table.ts"
import { safeLine } from "../../../core/text/safe.ts"

/** `empty`: what to do where there is nothing. */
export function printPage<Row>(page: Page<Row>, columns: readonly Column<Row>[], empty: string, context: CommandContext): void {
  const { screen } = context
  if (context.printsJson || page.items.length > 0)
    context.print(page, () => formatTable(columns, page.items, { columns: screen.columns, heading: screen.out.bold }))
  if (context.printsJson) return
  if (page.items.length === 0 && empty !== "") screen.note(empty)
  if (page.nextCursor !== null) screen.note(screen.err.dim(`More results are available: --cursor ${safeLine(page.nextCursor)}`))
}

/** `2026-11-16 03:10:22`, in UTC as the API says it. */
export const shortTime = (iso: string | null): string => (iso === null ? "" : iso.slice(0, 19).replace("T", " "))
