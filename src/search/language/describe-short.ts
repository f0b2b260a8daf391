// Cuts a description to the sentence or two that help to choose a tool.

/** The first sentences of a text without its markup, at most `charsMax` characters. */
export const describeShort = (text: string, charsMax: number): string => firstSentences(plainText(text.slice(0, charsMax * 8)), charsMax)

/** As many whole sentences of a plain text as fit; of a long first sentence its beginning. */
export function firstSentences(plain: string, charsMax: number): string {
  if (plain.length <= charsMax) return plain
  let end = 0
  for (const { index, 0: stop } of plain.slice(0, charsMax + 2).matchAll(sentenceEnd)) {
    if (index + stop.trimEnd().length > charsMax) break
    end = index + stop.trimEnd().length
  }
  return end >= charsMax / 3 ? plain.slice(0, end) : cutAtWord(plain, charsMax)
}

/** A full stop ends a sentence when a space and no small letter follow: not in "e.g. this" or "v1.2". */
const sentenceEnd = /[.!?][")'\]]?\s(?=\P{Ll})|[。！？]/gu

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

/** The beginning of a text, without the half word that a limit would leave. */
export function wholeWords(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const head = text.slice(0, charsMax)
  return /[\p{L}\p{N}]/u.test(text.charAt(charsMax)) ? head.replace(/[\p{L}\p{N}]+$/u, "") : head
}

function cutAtWord(text: string, charsMax: number): string {
  const room = text.slice(0, Math.max(0, charsMax - 1))
  const space = room.lastIndexOf(" ")
  const cut = space > charsMax / 2 ? room.slice(0, space) : room
  return `${cut.replace(/[\uD800-\uDBFF]$/, "").replace(/[\s,;:.]+$/, "")}…`
}
