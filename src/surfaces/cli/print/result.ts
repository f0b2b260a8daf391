// Writes a result to where it was asked for: a file, a pipe, or a person's terminal.
import { writeFileSync } from "node:fs"
import { isToolFile } from "../../../core/result.ts"
import type { CommandContext } from "../command-action.ts"
import { counted } from "./count.ts"
import { safeJson, safeLine, safeText } from "../../../core/text/safe.ts"
import { UsageError } from "../usage-error.ts"

export function writeResult(value: unknown, output: string | undefined, context: CommandContext): void {
  if (output !== undefined) return writeOutput(value, output, context)
  const { screen } = context
  if (screen.columns !== null && isToolFile(value)) {
    const bytes = counted(Buffer.byteLength(value.data, "base64"), "byte")
    // Code may return anything that looks like a file.
    const mimeType = typeof value.mimeType === "string" ? safeLine(value.mimeType) : "of no type"
    screen.note(`A file of ${bytes} (${mimeType}). To save it, pass --output <file>`)
    return
  }
  if (value === undefined) return
  // A pipe gets what was answered; a terminal would obey it.
  if (typeof value === "string") return screen.data(screen.columns === null ? value : safeText(value))
  screen.data(safeJson(value, 2))
}

function writeOutput(value: unknown, output: string, { screen }: CommandContext): void {
  const content = isToolFile(value) ? Buffer.from(value.data, "base64") : typeof value === "string" ? value : `${safeJson(value, 2)}\n`
  try {
    writeFileSync(output, content)
  } catch (error) {
    throw new UsageError(`Could not write the result to '${output}': ${error instanceof Error ? error.message : String(error)}`)
  }
  screen.note(`Wrote ${counted(Buffer.byteLength(content), "byte")} to ${output}`)
}
