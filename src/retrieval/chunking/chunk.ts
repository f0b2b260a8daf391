// Cuts a text into chunks that stand for themselves: along headings, then paragraphs, then sentences.
//
// A section that is not tiny begins a chunk of its own, so that a chunk is about one thing. What does not fit goes on in the
// next chunk, which begins with the end of the one before, so that a sentence at the edge is found in both. A heading never
// stands alone at the end of a chunk.
import type { DocumentFormat } from "../../core/retrieval/document.ts"
import type { Chunking } from "../../core/retrieval/pipeline.ts"
import type { ChunkWrite } from "../../store/retrieval/retrieval-store.ts"
import { blocksOf } from "./blocks.ts"

/** On average over languages and models. */
const bytesPerToken = 4
const headingCharsMax = 500

/** Null now and then, where a text goes on for long without a chunk: whoever takes turns may give way. */
export function* chunksOf(text: string, format: DocumentFormat, { tokens, overlap }: Chunking): Generator<ChunkWrite | null> {
  const bytesMax = tokens * bytesPerToken
  const overlapBytes = overlap * bytesPerToken
  const path: { level: number; title: string }[] = []
  let pieces: Piece[] = []
  let bytes = 0
  let hasContent = false
  let heading = ""

  const add = (piece: Piece): void => {
    if (pieces.length === 0) heading = headingOf(path)
    pieces.push(piece)
    hasContent ||= !piece.isHeading
    bytes += piece.bytes + separatorBytes
  }
  const take = function* (next: readonly Piece[]): Generator<ChunkWrite> {
    const done = { heading, body: pieces.map((piece) => piece.text).join("\n\n") }
    pieces = []
    bytes = 0
    hasContent = false
    for (const piece of next) add(piece)
    if (done.body.trim() !== "") yield done
  }
  /** What does not fit is carried on with the end of what did. */
  const goOn = function* (): Generator<ChunkWrite> {
    const lastContent = pieces.findLastIndex((piece) => !piece.isHeading)
    const headings = pieces.slice(lastContent + 1)
    pieces.length = lastContent + 1
    const tail = headings.length > 0 ? "" : tailOf(pieces[lastContent]?.text ?? "", overlapBytes)
    yield* take(headings.length > 0 ? headings : tail === "" ? [] : [pieceOf(tail)])
  }

  for (const block of blocksOf(text, format)) {
    if (block.kind === "pause") {
      yield null
      continue
    }
    if (block.kind === "heading") {
      if (hasContent && bytes > bytesMax / 4) yield* take([])
      while ((path.at(-1)?.level ?? 0) >= block.level) path.pop()
      path.push({ level: block.level, title: block.title.slice(0, headingCharsMax) })
      for (const piece of fitting(block.text, bytesMax / 2)) {
        // Headings without anything below them are a chunk, too.
        if (!hasContent && bytes + piece.bytes > bytesMax) yield* take([])
        add({ ...piece, isHeading: true })
      }
      if (!hasContent) heading = headingOf(path)
      continue
    }
    for (const piece of fitting(block.text, bytesMax - overlapBytes)) {
      if (bytes + piece.bytes > bytesMax && hasContent) yield* goOn()
      // Headings that leave no room go before.
      if (bytes + piece.bytes > bytesMax * 1.5) yield* take([])
      add(piece)
    }
  }
  yield* take([])
}

type Piece = { readonly text: string; readonly bytes: number; readonly isHeading: boolean }
const separatorBytes = 2

const pieceOf = (text: string): Piece => ({ text, bytes: Buffer.byteLength(text), isHeading: false })

const headingOf = (path: readonly { readonly title: string }[]): string =>
  path
    .map(({ title }) => title)
    .filter((title) => title !== "")
    .join(" › ")
    .slice(0, headingCharsMax)
    .toWellFormed()

/** In pieces of at most so many bytes, cut where it hurts least. */
function* fitting(text: string, bytesMax: number): Generator<Piece> {
  let at = 0
  while (at < text.length) {
    // No text of so many bytes has more characters.
    let end = Math.min(text.length, at + Math.floor(bytesMax))
    for (;;) {
      const bytes = Buffer.byteLength(text.slice(at, end))
      if (bytes <= bytesMax || end - at <= 1) break
      end = at + Math.max(1, Math.floor(((end - at) * bytesMax) / bytes) - 1)
    }
    if (end < text.length) end = at + cutOf(text.slice(at, end))
    const piece = text.slice(at, end).trim()
    if (piece !== "") yield pieceOf(piece.toWellFormed())
    at = end
  }
}

/** After a line, a sentence or a word in the second half; else between two characters. */
function cutOf(text: string): number {
  const half = text.length / 2
  for (const end of [text.lastIndexOf("\n") + 1, lastSentence(text), text.lastIndexOf(" ") + 1]) if (end > half) return end
  const isBetween = /[\ud800-\udbff]$/.test(text) && text.length > 1
  return isBetween ? text.length - 1 : Math.max(1, text.length)
}

function lastSentence(text: string): number {
  for (let at = text.length - 2; at > text.length / 2; at -= 1) {
    const character = text[at] ?? ""
    if ("。！？".includes(character)) return at + 1
    if (".!?".includes(character) && text[at + 1] === " ") return at + 2
  }
  return 0
}

/** The end of a text, from the beginning of a word on. */
function tailOf(text: string, bytesMax: number): string {
  if (bytesMax <= 0) return ""
  let from = Math.max(0, text.length - bytesMax)
  while (from < text.length && Buffer.byteLength(text.slice(from)) > bytesMax) from += Math.max(1, Math.floor((text.length - from) / 20))
  if (from === 0) return text
  const word = text.slice(from).search(/\s\S/)
  return word === -1 ? "" : text.slice(from + word + 1).toWellFormed()
}
