// Cuts a description to the sentence or two that help to choose a tool.

/** Plain text of the first sentences, at most `charsMax` long. Markup, links and notes on scopes are left out. */
export function describeShort(text: string, charsMax: number): string {
  const plain = plainText(text.slice(0, charsMax * 8))
  if (plain.length <= charsMax) return plain
  let cut = ""
  for (const sentence of sentencesOf(plain)) {
    if (cut.length + sentence.length > charsMax) break
    cut += sentence
  }
  return cut.length >= charsMax / 3 ? cut.trimEnd() : cutAtWord(plain, charsMax)
}

/** The text without Markdown and HTML, on one line. */
export function plainText(text: string): string {
  return text
    .replaceAll(/```[\s\S]{0,2000}?```/g, " ")
    .replaceAll(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, "$1")
    .replaceAll(/<\/?[a-zA-Z][^<>]{0,200}>/g, " ")
    .replaceAll(/(^|\n)\s{0,3}(?:#{1,6}|[-*+>]|\d{1,2}\.)\s+/g, "$1")
    .replaceAll(/\*\*|__|`/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()
}

/** A full stop ends a sentence when a space and no small letter follow: not in "e.g. this" or "v1.2". */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?。！？]["')\]]?\s)(?=[^\p{Ll}])/u)
}

function cutAtWord(text: string, charsMax: number): string {
  const room = text.slice(0, charsMax - 1)
  const space = room.lastIndexOf(" ")
  return `${(space > charsMax / 2 ? room.slice(0, space) : room).replace(/[\s,;:.]+$/, "").replace(/[\uD800-\uDBFF]$/, "")}…`
}
