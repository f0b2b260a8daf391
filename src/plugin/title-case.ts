// Tells whether a name is in Title Case, as the names of tools are.

/** Words that stay small inside a title. */
const smallWords = new Set(
  "a an and as at but by for from in into nor of off on onto or over per so than the to up via vs with within without yet".split(" "),
)

/** `List Items of a Cart`, `Get IPv6 Address`; not `list items`, and not `LIST_ITEMS`. */
export function isTitleCase(name: string): boolean {
  const words = name.split(" ")
  return words.every((word, at) => word !== "" && !word.includes("_") && (startsLarge(word) || (at > 0 && smallWords.has(word))))
}

/** A word of another script, or one that starts with a digit or a sign, has no small form. */
const startsLarge = (word: string): boolean => !/^[("'“‘[]*\p{Ll}/u.test(word)
