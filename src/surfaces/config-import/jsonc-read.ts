// Reads JSON as editors write it: with comments and trailing commas.

/** Throws a `SyntaxError`, with the place in the text as it was given. */
export const parseJsonc = (text: string): unknown => JSON.parse(blank(text.replace(/^\uFEFF/, "")))

/**
 * Comments and trailing commas become spaces of the same length, so that places in messages stay true. Every character is
 * looked at once, whatever stands there: a comma is remembered until what follows it tells whether it was a trailing one.
 */
function blank(text: string): string {
  const pieces: string[] = []
  let copied = 0
  let comma: number | null = null
  const replace = (from: number, to: number, by: string): void => {
    pieces.push(text.slice(copied, from), by)
    copied = to
  }
  for (let at = 0; at < text.length;) {
    const char = text[at] ?? ""
    const end = char === "/" ? commentEnd(text, at) : char === '"' ? stringEnd(text, at) : at + 1
    if (char === "/" && end > at + 1) {
      replace(at, end, text.slice(at, end).replaceAll(/[^\n\r]/g, " "))
    } else if (char === ",") {
      replace(at, end, ",")
      comma = pieces.length - 1
    } else if (!isSpace(char)) {
      if (comma !== null && (char === "}" || char === "]")) pieces[comma] = " "
      comma = null
    }
    at = end
  }
  pieces.push(text.slice(copied))
  return pieces.join("")
}

/** A lone slash is left for the parser to complain of; a comment that nobody closes ends with the file. */
function commentEnd(text: string, at: number): number {
  const next = text[at + 1]
  if (next === "*") {
    const end = text.indexOf("*/", at + 2)
    return end === -1 ? text.length : end + 2
  }
  if (next !== "/") return at + 1
  let end = at + 2
  while (end < text.length && text[end] !== "\n" && text[end] !== "\r") end += 1
  return end
}

/** A string ends at its quote; one without ends with its line, which is no JSON. */
function stringEnd(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && text[end] !== '"' && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1
  return Math.min(end + 1, text.length)
}

const isSpace = (char: string): boolean => char === " " || char === "\t" || char === "\n" || char === "\r"
