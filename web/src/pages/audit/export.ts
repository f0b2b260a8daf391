// What the filters show, as a file. The whole audit comes from the server as its chain; a part of it is made of the pages of the list.
import type { AuditFilter, AuditView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { saveFile } from "../../ui/text/save-file.ts"

export type ExportFormat = "ndjson" | "csv"

/** More does not belong into the memory of a browser; the command line exports any number. */
const entriesMax = 50_000
const pageSize = 100

const columns = [
  "position",
  "id",
  "at",
  "user",
  "kind",
  "tokenId",
  "action",
  "subject",
  "executionId",
  "decision",
  "rule",
  "outcome",
  "details",
]

export async function exportAudit(filter: AuditFilter, format: ExportFormat): Promise<void> {
  const parts: string[] = []
  if (Object.keys(filter).length === 0) for await (const piece of client.audit.export({ format })) parts.push(piece)
  else {
    if (format === "csv") parts.push(`${columns.join(",")}\r\n`)
    for await (const entry of entriesOf(filter)) parts.push(format === "csv" ? csvLine(entry) : `${JSON.stringify(entry)}\n`)
  }
  saveFile(new Blob(parts, { type: format === "csv" ? "text/csv" : "application/x-ndjson" }), `audit.${format}`)
}

async function* entriesOf(filter: AuditFilter): AsyncGenerator<AuditView> {
  let cursor: string | null = null
  for (let count = 0; ; count += pageSize) {
    if (count >= entriesMax)
      throw new Error(`More than ${entriesMax.toLocaleString("en")} entries fit: filter further, or run executor audit export`)
    const page: Awaited<ReturnType<typeof client.audit.list>> = await client.audit.list({
      ...filter,
      limit: pageSize,
      ...(cursor === null ? {} : { cursor }),
    })
    yield* page.items
    cursor = page.nextCursor
    if (cursor === null) return
  }
}

/** A field that a spreadsheet would read as a formula gets an apostrophe. */
export function csvLine({ principal, details, ...entry }: AuditView): string {
  const fields: Readonly<Record<string, unknown>> = {
    ...entry,
    user: principal.user,
    kind: principal.kind,
    tokenId: principal.tokenId,
    details: JSON.stringify(details),
  }
  const cell = (name: string): string => {
    const value = fields[name]
    const text = typeof value === "string" || typeof value === "number" ? String(value) : ""
    return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
  }
  return `${columns.map(cell).join(",")}\r\n`
}
