// `executor audit verify`: finds entries of the audit log that were changed, removed or inserted.
import { createReadStream } from "node:fs"
import type { Command } from "commander"
import type { ChainPlace } from "../../../../core/audit/chain.ts"
import { createChainCheck } from "../../../../core/audit/check.ts"
import type { ChainReport, PositionRange } from "../../../../core/audit/check.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { sha256 } from "../../../../io/ids.ts"
import { act } from "../../command-action.ts"
import { exitCodes } from "../../exit-code.ts"
import { counted } from "../../print/count.ts"
import { withProgress } from "../../print/progress.ts"
import { fileTrouble } from "../../prompt/input-read.ts"
import { openExecutor } from "../../server/open-executor.ts"
import { UsageError } from "../../usage-error.ts"

type Options = { readonly file?: string; readonly head?: string }

export function configure(command: Command): void {
  command
    .description("Check that no entry of the audit log was changed, removed or inserted. Exits with 1 if one was.")
    .option("--file <path>", "Verify an export (JSON lines) instead, without a server.")
    .option("--head <position:hash>", "A head that an earlier check printed: also finds a log that was written anew.")
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} audit verify\n  $ ${executorCommand} audit verify --file audit.ndjson\n`)
  act<[], Options>(command, async (_args, { file, head }, context) => {
    const known = head === undefined ? null : readHead(head)
    const verify = (): Promise<ChainReport> => (file === undefined ? verifyServer(known) : verifyPieces(readPieces(file), known))
    const report = await withProgress("Verifying the audit", context.screen, verify)
    context.print(report, () => reportText(report))
    return report.isIntact ? exitCodes.done : exitCodes.failed
  })
}

function readHead(text: string): ChainPlace {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (position === undefined || hash === undefined)
    throw new UsageError("--head must be a position and a hash as 'audit verify' prints them, e.g. 12:0a1b…")
  return { position: Number(position), hash }
}

async function verifyServer(known: ChainPlace | null): Promise<ChainReport> {
  const { api, close } = await openExecutor(process.env, {})
  try {
    return await verifyPieces(api.audit.export({ format: "ndjson" }), known)
  } finally {
    await close()
  }
}

async function verifyPieces(pieces: AsyncIterable<string>, known: ChainPlace | null): Promise<ChainReport> {
  const check = createChainCheck(known, sha256)
  let rest = ""
  for await (const piece of pieces) {
    const lines = (rest + piece).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) check.add(line)
  }
  if (rest !== "") check.add(rest)
  return check.end()
}

async function* readPieces(path: string): AsyncGenerator<string> {
  try {
    for await (const piece of createReadStream(path, "utf8")) yield piece as string // with an encoding, a stream gives text
  } catch (error) {
    throw new UsageError(`The export cannot be read from '${path}': ${fileTrouble(error)}`)
  }
}

function reportText({ isIntact, rows, from, to, outside, omitted, pruned, head, breaks, firstBreak }: ChainReport): string {
  const span = from === null || to === null ? "" : ` from ${from} to ${to}`
  return [
    isIntact
      ? `${countedRows(rows)}${span}: none was changed, removed or inserted.`
      : `The audit log is broken. ${firstBreak?.message ?? ""}.`,
    ...(isIntact ? [] : [`${countedRows(rows)}${span} were checked; ${counted(breaks, "place")} ${breaks === 1 ? "is" : "are"} broken.`]),
    ...(outside === 0
      ? []
      : [`${countedRows(outside)} outside of the chain: written before it began, so that nothing is known about them.`]),
    ...(omitted === 0 ? [] : [`${countedRows(omitted)} that were not asked for are not in this export; only their places were checked.`]),
    ...pruned.map((range) => `${positions(range)} deleted by retention; what follows was checked.`),
    ...(head === null ? [] : [`Head: ${head.position}:${head.hash}`]),
  ]
    .map((line) => safeLine(line))
    .join("\n")
}

const positions = ({ from, to }: PositionRange): string =>
  from === to ? `The entry at position ${from} was` : `The entries at positions ${from} to ${to} were`

const countedRows = (count: number): string => (count === 1 ? "1 entry" : `${count} entries`)
