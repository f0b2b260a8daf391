// The words of a text, the same for both databases: their own tokenizers split what punctuation joins in different places.

/** What is longer is no word that anybody asks for, such as a key or an image. */
const wordCharsMax = 64

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
/** Scripts without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu
const hasUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** `maxRetries` and `HTTPServer` are found by their parts, too. */
const camelParts = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

export function* wordsOf(text: string): Generator<string> {
  for (const [word] of text.matchAll(wordPattern)) {
    if (hasUnspaced.test(word)) {
      yield* unspacedWords(word)
      continue
    }
    yield* folded(word)
    const parts = word.split(camelParts)
    if (parts.length > 1) for (const part of parts) yield* folded(part)
  }
}

/** Without marks and case. A ligature may stand for several words, which a database would read as an expression. */
function* folded(word: string): Generator<string> {
  if (isAscii.test(word)) yield shortened(word)
  else
    for (const [part] of word
      .normalize("NFKD")
      .replaceAll(/\p{M}+/gu, "")
      .matchAll(/[\p{L}\p{N}]+/gu))
      yield shortened(part)
}
const isAscii = /^[\x20-\x7e]*$/
const shortened = (word: string): string => word.toLowerCase().slice(0, wordCharsMax).toWellFormed()

/** Each two characters that stand together, and the words of other scripts between them. */
function* unspacedWords(run: string): Generator<string> {
  let at = 0
  for (const match of run.matchAll(unspaced)) {
    if (match.index > at) yield* folded(run.slice(at, match.index))
    const characters = Array.from(match[0])
    if (characters.length === 1) yield match[0]
    for (let first = 0; first + 1 < characters.length; first += 1) yield `${characters[first]}${characters[first + 1]}`
    at = match.index + match[0].length
  }
  if (at < run.length) yield* folded(run.slice(at))
}

/** As text that both databases split at the same places. */
export function wordText(text: string): string {
  let words = ""
  for (const word of wordsOf(text)) words += words === "" ? word : ` ${word}`
  return words
}

/** More would only add what is common; the first ones of a long question say what it is about. */
const termsMax = 32

/** What a question looks for: words that say something, or else all of them. */
export function termsOf(query: string): string[] {
  const terms = new Set<string>()
  const common = new Set<string>()
  for (const word of wordsOf(query)) {
    if (commonWords.has(word)) common.add(word)
    else terms.add(word)
    if (terms.size >= termsMax) break
  }
  return [...(terms.size === 0 ? common : terms)].slice(0, termsMax)
}

const commonWords = new Set(
  (
    "a about after all also am an and any are as at be because been before being between both but by can could did do does doing don down " +
    "during each few for from further had has have having he her here hers him his how i if in into is it its itself just me more most my " +
    "no nor not now of off on once only or other our out over own s same she should so some such t than that the their them then there " +
    "these they this those through to too under until up very was we were what when where which while who whom why will with would you your"
  ).split(" "),
)
