// The blocks of a text: headings, paragraphs and code, in order.
import type { DocumentFormat } from "../../core/retrieval/document.ts"

export type Block =
  /** `text`: as it is written; `title`: what it says. */
  | { readonly kind: "heading"; readonly level: number; readonly title: string; readonly text: string }
  | { readonly kind: "content"; readonly text: string }
  /** Nothing yet: whoever takes turns may give way. */
  | { readonly kind: "pause" }

const headingMarks = /^ {0,3}(#{1,6})(?=[ \t]|$)/
const fence = /^ {0,3}(`{3,}|~{3,})/
const underline = /^ {0,3}(=+|-{2,})[ \t]*$/

const linesPerPause = 1000

/** Plain text has paragraphs only. */
export function* blocksOf(text: string, format: DocumentFormat): Generator<Block> {
  let lines: string[] = []
  let closing: string | null = null
  const paragraph = function* (): Generator<Block> {
    const content = lines.join("\n").trimEnd()
    lines = []
    if (content.trim() !== "") yield { kind: "content", text: content }
  }
  let count = 0
  for (const line of linesOf(text)) {
    if ((count += 1) % linesPerPause === 0) yield { kind: "pause" }
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
    const [upToMarks = "", marks] = headingMarks.exec(line) ?? []
    const [, drawn] = lines.length === 1 ? (underline.exec(line) ?? []) : []
    if (opened !== undefined) {
      yield* paragraph()
      closing = opened
      lines.push(line)
    } else if (marks !== undefined) {
      yield* paragraph()
      yield { kind: "heading", level: marks.length, title: titleIn(line.slice(upToMarks.length)), text: line.trim() }
    } else if (drawn !== undefined) {
      const written = lines.join("").trim()
      lines = []
      yield { kind: "heading", level: drawn.startsWith("=") ? 1 : 2, title: written, text: `${written}\n${line.trim()}` }
    } else lines.push(line)
  }
  yield* paragraph()
}

/** Without the marks that may close it. By hand, because an expression that looks for both ends takes ages for some lines. */
function titleIn(rest: string): string {
  const title = rest.trim()
  let end = title.length
  while (title[end - 1] === "#") end -= 1
  return end === 0 || /\s/.test(title[end - 1] ?? "") ? title.slice(0, end).trimEnd() : title
}

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at <= text.length;) {
    const end = text.indexOf("\n", at)
    yield text.slice(at, end === -1 ? text.length : end)
    if (end === -1) return
    at = end + 1
  }
}
