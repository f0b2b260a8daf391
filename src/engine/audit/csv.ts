// Lines of the audit as CSV, which a spreadsheet opens without taking a stranger's text for a formula.
import type { ExportLine } from "../../core/audit/check.ts"

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
  "previousHash",
  "hash",
]

export const csvHead = `${columns.join(",")}\r\n`

/** Nothing for a line that is no entry. */
export function csvLine(line: ExportLine): string {
  if (!("id" in line)) return ""
  const fields: Readonly<Record<string, string | number | null>> = { ...line, details: JSON.stringify(line.details) }
  return `${columns.map((name) => cell(fields[name])).join(",")}\r\n`
}

/** An apostrophe before it makes it text: spreadsheets run what begins so, also in quotes. */
const isFormula = /^[=+\-@\t\r\n]/

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ""
  const text = String(value)
  return `"${(typeof value === "string" && isFormula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
