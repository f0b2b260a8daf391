// Verifies an exported audit line by line: its first line says what must follow, every other one is an entry.
//
// Lines come in the order of the chain. What is found first is told in full, because a removed entry may well make
// others look wrong; the check goes on behind it, and counts.
import { chainText } from "./chain.ts"
import type { AuditEntry, ChainLink, ChainPlace } from "./chain.ts"
import { ExecutorError } from "../errors.ts"
import { isRecord } from "../json/record.ts"

/** The first line of an export. */
export type ExportHeader = {
  readonly tenant: string
  /** Behind this place and up to that one nothing is missing. */
  readonly after: ChainPlace
  readonly through: ChainPlace
  /** Entries before this time may be outside of the chain, because earlier versions wrote them; '' where none did. */
  readonly beginsAt: string
  readonly from: string | null
  readonly to: string | null
}

/** `omitted`: an entry that was not asked for, of which only its place in the chain is told. */
export type ExportLine =
  | { readonly export: ExportHeader }
  | { readonly omitted: ChainLink }
  /** Everything up to here was deleted for its age while it was exported. */
  | { readonly pruned: ChainPlace }
  | (AuditEntry & ChainLink)
  | (AuditEntry & { readonly position: null; readonly previousHash: null; readonly hash: null })

type ExportedEntry = Extract<ExportLine, AuditEntry>

export type ChainBreak = {
  readonly kind: "changed" | "removed" | "inserted"
  readonly position: number | null
  /** Unknown for a removed entry. */
  readonly id: string | null
  readonly message: string
}

export type ChainReport = {
  readonly isIntact: boolean
  readonly rows: number
  /** Of the entries, also those outside of the chain. */
  readonly from: string | null
  readonly to: string | null
  /** Written by earlier versions, so that nothing is known about them. */
  readonly outside: number
  readonly omitted: number
  /** What was deleted for its age, before the export and meanwhile; unknown, and empty, where only some time was exported. */
  readonly pruned: readonly PositionRange[]
  readonly head: ChainPlace | null
  readonly breaks: number
  readonly firstBreak: ChainBreak | null
}

/** Both are part of it. */
export type PositionRange = { readonly from: number; readonly to: number }

export interface ChainCheck {
  /** One line, without its end. */
  add(text: string): void
  end(): ChainReport
}

type Seen = { readonly position: number; readonly hash: string; readonly at: string | null; readonly id: string | null }

/** `known`: a place as it was at an earlier check, so that a chain that was written anew is found, too. */
export function createChainCheck(known: ChainPlace | null, sha256: (text: string) => string): ChainCheck {
  let lines = 0
  let header: ExportHeader | null = null
  let last: Seen = { position: 0, hash: "", at: null, id: null }
  let [rows, outside, omitted, breaks] = [0, 0, 0, 0]
  let firstBreak: ChainBreak | null = null
  let from: string | null = null
  let to: string | null = null
  const pruned: PositionRange[] = []

  function found(kind: ChainBreak["kind"], position: number | null, id: string | null, message: string): void {
    breaks += 1
    firstBreak ??= { kind, position, id, message }
  }
  function checkPlace(next: Seen, previousHash: string): void {
    if (next.position <= last.position) {
      found("inserted", next.position, next.id, `${nameOf(next)} was inserted: the chain has no other entry at this place`)
      return
    }
    if (next.position > last.position + 1) missing(next.position - 1, next)
    else if (previousHash !== last.hash && isAnchor(last))
      found("removed", last.position, null, `The entries up to position ${last.position} were removed, or changed first: ${noAnchor}`)
    else if (previousHash !== last.hash)
      found("changed", last.position, last.id, `${nameOf(last)} was changed: the entry behind it names another hash`)
    last = next
    if (known !== null && next.position === known.position && next.hash !== known.hash)
      found("changed", next.position, next.id, `${nameOf(next)} was changed together with its hash: it was ${known.hash}`)
  }
  /** Whether retention has left off there. */
  const isAnchor = ({ position }: Pick<Seen, "position">): boolean => pruned.some((range) => range.to === position)
  const isWhole = (): boolean => header?.from === null && header.to === null
  function notePruned(first: number, through: number): void {
    if (through >= first) pruned.push({ from: first, to: through })
  }
  function missing(through: number, next: Seen | null): void {
    const first = last.position + 1
    const which = first === through ? `The entry at position ${first} was` : `The entries at positions ${first} to ${through} were`
    const by = isAnchor(last) ? `only up to position ${last.position}` : "nothing"
    const cause = last.at === null && isWhole() ? `; retention deleted ${by}` : ""
    const between = [last.at === null ? null : `after ${last.at}`, next?.at == null ? null : `before ${next.at}`]
    found("removed", first, null, `${which} removed${between.map((one) => (one === null ? "" : `, ${one}`)).join("")}${cause}`)
  }
  function addEntry(line: ExportedEntry, head: ExportHeader): void {
    rows += 1
    if (from === null || line.at < from) from = line.at
    if (to === null || line.at > to) to = line.at
    if (line.position === null) {
      outside += 1
      if (line.at >= head.beginsAt) found("inserted", null, line.id, `Entry ${line.id} of ${line.at} was inserted: it is not in the chain`)
      return
    }
    const next: Seen = { position: line.position, hash: line.hash, at: line.at, id: line.id }
    if (line.tenant !== head.tenant || sha256(chainText(line, line)) !== line.hash)
      found("changed", line.position, line.id, `${nameOf(next)} was changed: its content does not match its hash`)
    checkPlace(next, line.previousHash)
  }

  return {
    add(text) {
      lines += 1
      const line = readLine(text)
      if (line === null && header !== null) return found("changed", null, null, `Line ${lines} was changed: it is not a line of an export`)
      if (line === null) throw notAnExport()
      if ("export" in line) {
        if (header !== null) throw new ExecutorError("invalid_request", "The file has two first lines: verify one export at a time")
        header = line.export
        last = { ...header.after, at: null, id: null }
        if (isWhole()) notePruned(1, last.position)
        if (known !== null && known.position === last.position && known.hash !== last.hash)
          found("changed", last.position, null, `${nameOf(last)} was changed before it was deleted: its hash was ${known.hash}`)
        return
      }
      if (header === null) throw notAnExport()
      if ("omitted" in line) {
        omitted += 1
        checkPlace({ ...line.omitted, at: null, id: null }, line.omitted.previousHash)
      } else if ("pruned" in line) {
        notePruned(last.position + 1, line.pruned.position)
        last = { ...line.pruned, at: null, id: null }
      } else addEntry(line, header)
    },
    end() {
      if (header === null) throw notAnExport()
      const { through } = header
      if (known !== null && known.position > Math.max(through.position, last.position))
        found("removed", through.position + 1, null, `The chain ends at position ${through.position}; it had reached ${known.position}`)
      if (last.position < through.position) missing(through.position, null)
      else if (last.position === through.position && last.hash !== through.hash)
        found("changed", last.position, last.id, `${nameOf(last)} was changed: the chain ends with another hash`)
      else if (last.position > through.position)
        found("inserted", last.position, last.id, `${nameOf(last)} was inserted: the chain ends at position ${through.position}`)
      return { isIntact: breaks === 0, rows, from, to, outside, omitted, pruned, head: header.through, breaks, firstBreak }
    },
  }
}

const noAnchor = "what retention noted of the last one that it deleted does not fit the entry behind it"

const entryKeys = 16

/** Null for what no export has. */
function readLine(text: string): ExportLine | null {
  const line = parse(text)
  if (!isRecord(line)) return null
  if ("export" in line)
    return isRecord(line["export"]) && isPlace(line["export"]["after"]) && isPlace(line["export"]["through"]) ? (line as ExportLine) : null // as just checked; its other fields are shown or compared as text
  if ("omitted" in line) return isPlace(line["omitted"]) ? (line as ExportLine) : null // as just checked; its previous hash is only compared
  if ("pruned" in line) return isPlace(line["pruned"]) ? (line as ExportLine) : null // as just checked
  const isEntry = typeof line["at"] === "string" && typeof line["id"] === "string" && Object.keys(line).length === entryKeys
  return isEntry && (line["position"] === null || isPlace(line)) ? (line as ExportLine) : null // its other fields are hashed, whatever they are
}

const isPlace = (value: unknown): boolean => isRecord(value) && Number.isSafeInteger(value["position"]) && typeof value["hash"] === "string"

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

const nameOf = ({ position, id, at }: Seen): string =>
  id === null ? `The entry at position ${position}` : `Entry ${id} of ${at ?? ""} at position ${position}`

const notAnExport = (): ExecutorError =>
  new ExecutorError("invalid_request", "This is no audit export: its first line must be the one that 'audit export --format ndjson' writes")
