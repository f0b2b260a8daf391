// Takes names and sentences apart into words that can be compared.

const emptyWords = new Set(
  "a about an and any are as at be by can contains defines describes details each for from has have holds if in indicates information is it its list may of on or represents set specified specifies that the their this to unique used value when which whether will with your".split(
    " ",
  ),
)
const sameWord: ReadonlyMap<string, string> = new Map([
  ["identifier", "id"],
  ["ids", "id"],
  ["uri", "url"],
  ["href", "url"],
  ["link", "url"],
  ["repo", "repository"],
  ["org", "organization"],
  ["descr", "description"],
])

/** Small words in one spelling, without those that carry no meaning. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  eachWord(text, (word) => {
    words.push(word)
    return "go on"
  })
  return words
}

/** Stops when the visitor says so. */
export function eachWord(text: string, visit: (word: string) => "go on" | "stop"): void {
  let start = -1
  let before: CharKind = "other"
  for (let at = 0; at <= text.length; at++) {
    const kind = at < text.length ? charKind(text.charCodeAt(at)) : "other"
    if (start >= 0 && (kind === "other" || (kind === "capital" && before === "small"))) {
      const word = plainWord(text.slice(start, at).toLowerCase())
      if (word !== "" && visit(word) === "stop") return
      start = -1
    }
    if (kind !== "other" && start < 0) start = at
    before = kind
  }
}

type CharKind = "small" | "capital" | "other"

function charKind(code: number): CharKind {
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)) return "small"
  if (code >= 0x41 && code <= 0x5a) return "capital"
  return code >= 0xaa ? "small" : "other"
}

function plainWord(text: string): string {
  if (emptyWords.has(text)) return ""
  const word = sameWord.get(text) ?? text
  return word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word
}
