// Text as lines that keep their own line breaks, so that a change of one leaves the others as they were.

export type TextLines = {
  readonly texts: readonly string[]
  /** The break after each line; only the last may have none. */
  readonly breaks: readonly LineBreak[]
  /** The break that most lines have, for new ones. */
  readonly usual: LineBreak
  readonly hasByteOrderMark: boolean
}

export type LineBreak = "\n" | "\r\n" | ""

const byteOrderMark = "\ufeff"

export function splitLines(text: string): TextLines {
  const hasByteOrderMark = text.startsWith(byteOrderMark)
  const texts: string[] = []
  const breaks: LineBreak[] = []
  let returns = 0
  for (let at = hasByteOrderMark ? 1 : 0; at < text.length;) {
    const found = text.indexOf("\n", at)
    const end = found === -1 ? text.length : found
    const isReturn = found > at && text[found - 1] === "\r"
    if (isReturn) returns += 1
    texts.push(text.slice(at, isReturn ? end - 1 : end))
    breaks.push(found === -1 ? "" : isReturn ? "\r\n" : "\n")
    at = end + 1
  }
  return { texts, breaks, usual: returns * 2 > texts.length ? "\r\n" : "\n", hasByteOrderMark }
}

/** A line without a break gets the usual one, unless it is the last. */
export function joinLines(
  lines: readonly { readonly text: string; readonly break: LineBreak }[],
  { usual, hasByteOrderMark }: TextLines,
): string {
  const last = lines.length - 1
  const body = lines.map((line, index) => line.text + (line.break === "" && index < last ? usual : line.break)).join("")
  return hasByteOrderMark ? byteOrderMark + body : body
}
