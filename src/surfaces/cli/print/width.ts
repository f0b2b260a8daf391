// How many columns of a terminal a text takes, and where to cut it to fit.

const plain = /^[\u0020-\u007e]*$/
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u
// Made when it is needed: it costs more than most commands do otherwise.
let segmenter: Intl.Segmenter | undefined
const graphemesOf = (text: string): Intl.Segments =>
  (segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })).segment(text)

export function textWidth(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemesOf(text)) width += wide.test(segment) ? 2 : 1
  return width
}

/** At most so wide; what was cut ends with `…`. */
export function fitText(text: string, widthMax: number): string {
  if (textWidth(text) <= widthMax) return text
  let kept = ""
  let width = 1
  for (const { segment } of graphemesOf(text)) {
    width += wide.test(segment) ? 2 : 1
    if (width > widthMax) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

export const padText = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - textWidth(text)))
