// The blocks of a text: headings, paragraphs and code, in order.
import type { DocumentFormat } from "../../core/retrieval/document.ts"

export type Block =
  /** `text`: as it is written; `title`: what it says. */
  | { readonly kind: "heading"; readonly level: number; readonly title: string; readonly text: string }
  | { readonly kind: "content"; readonly text: string }

const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/
const fence = /^ {0,3}(`{3,}|~{3,})/
const underline = /^ {0,3}(=+|-{2,})[ \t]*$/

/** Plain text has paragraphs only. */
export function* blocksOf(text: string, format: DocumentFormat): Generator<Block> {
  let lines: string[] = []
  let closing: string | null = null
  const paragraph = function* (): Generator<Block> {
    const content = lines.join("\n").trimEnd()
    lines = []
    if (content.trim() !== "") yield { kind: "content", text: content }
  }
  for (const line of linesOf(text)) {
    if (closing !== null) {
      lines.push(line)
      if (line.trim().startsWith(closing) && line.trim().replaceAll(closing[0] ?? "", "") === "") {
        closing = null
        yield* paragraph()
      }
      continue
    }
    if (line.trim() === "") {
      yield* paragraph()
      continue
    }
    if (format === "text") {
      lines.push(line)
      continue
    }
    const [, opened] = fence.exec(line) ?? []
    const [isHeading, marks, title = ""] = atxHeading.exec(line) ?? []
    const [, drawn] = lines.length === 1 ? (underline.exec(line) ?? []) : []
    if (opened !== undefined) {
      yield* paragraph()
      closing = opened
      lines.push(line)
    } else if (isHeading !== undefined && marks !== undefined) {
      yield* paragraph()
      yield { kind: "heading", level: marks.length, title: title.trim(), text: line.trim() }
    } else if (drawn !== undefined) {
      const written = lines.join("").trim()
      lines = []
      yield { kind: "heading", level: drawn.startsWith("=") ? 1 : 2, title: written, text: `${written}\n${line.trim()}` }
    } else lines.push(line)
  }
  yield* paragraph()
}

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at <= text.length;) {
    const end = text.indexOf("\n", at)
    yield text.slice(at, end === -1 ? text.length : end)
    if (end === -1) return
    at = end + 1
  }
}
