// `executor audit export`: writes the audit log to a file or to stdout, as JSON lines or CSV.
import { createWriteStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import { Option } from "commander"
import type { Command } from "commander"
import type { AuditExportRequest } from "../../../../core/audit/entry.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { actWithExecutor } from "../../command-action.ts"
import { withProgress } from "../../print/progress.ts"
import { writeTrouble } from "../../prompt/input-read.ts"
import { UsageError } from "../../usage-error.ts"
import { addAuditFilters, auditFilterOf } from "../../audit-options.ts"

type Options = AuditExportRequest & { readonly output?: string }

export function configure(command: Command): void {
  command
    .description("Export all calls and changes, oldest first, with the hashes that chain them.")
    .addOption(new Option("--format <format>", "JSON lines, which can be verified, or CSV.").choices(["ndjson", "csv"]).default("ndjson"))
    .option("-o, --output <path>", "Write to this file instead of stdout.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} audit export --from 2026-11-01 -o audit.ndjson\n`)
  addAuditFilters(command)
  actWithExecutor<[], Options>(command, async (_args, { format, output, ...filter }, context) => {
    const pieces = context.api.audit.export({ format, ...auditFilterOf(filter) })
    if (output === undefined) return pipeline(pieces, process.stdout, { end: false })
    const counter = createEntryCounter(format)
    await withProgress("Exporting the audit", context.screen, () => write(counter.count(pieces), output))
    const entries = counter.entries()
    context.print({ output, entries }, () => `Wrote ${entries === 1 ? "1 entry" : `${entries} entries`} to ${output}`)
  })
}

/** Counts what passes through. In CSV a line ends outside of quotes; of JSON lines some stand for entries that were left out. */
function createEntryCounter(format: AuditExportRequest["format"]) {
  let entries = format === "csv" ? -1 : 0
  let rest = ""
  const read = (piece: string): void => {
    if (format === "csv") {
      const parts = piece.split('"')
      for (const [at, part] of parts.entries()) if ((at % 2 === 0) === (rest === "")) entries += part.split("\n").length - 1
      if (parts.length % 2 === 0) rest = rest === "" ? '"' : ""
      return
    }
    const lines = (rest + piece).split("\n")
    rest = lines.pop() ?? ""
    entries += lines.filter((line) => !/^\{"(?:export|omitted|pruned)":/.test(line)).length
  }
  return {
    entries: () => entries,
    async *count(pieces: AsyncIterable<string>): AsyncGenerator<string> {
      for await (const piece of pieces) {
        read(piece)
        yield piece
      }
    },
  }
}

/** A refusal leaves no file. For the owner alone: it tells what everybody did. */
async function write(pieces: AsyncIterable<string>, output: string): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  const rest = async function* (): AsyncGenerator<string> {
    for (let piece = first; piece.done !== true; piece = await iterator.next()) yield piece.value
  }
  const file = createWriteStream(output, { mode: 0o600 })
  const opened = new Promise<void>((resolve, reject) => file.once("open", () => resolve()).once("error", reject))
  await opened.catch((error: unknown) => {
    throw new UsageError(`Could not write the audit to '${output}': ${writeTrouble(error)}`)
  })
  await pipeline(rest(), file)
}
