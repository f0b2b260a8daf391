// Writes the names of a document as segments of a tool name.

const separators = /[/.#:]+/
const notAlphanumeric = /[^A-Za-z0-9]+/

/** `repos/create-for-authenticated-user` → `["repos", "createForAuthenticatedUser"]`. */
export const segmentsOf = (text: string): string[] =>
  plain(text)
    .split(separators)
    .map((part) => segmentOf(part))
    .filter((segment) => segment !== "")

/** True where the author grouped the name already, so that no tag goes in front. */
export const hasSeparator = (text: string): boolean => separators.test(text)

/** `userId` → `UserId`: a word that follows others. */
export const capitalisedWords = (text: string): string => plain(text).split(notAlphanumeric).filter(Boolean).map(capitalise).join("")

function segmentOf(part: string): string {
  const [first, ...rest] = part.split(notAlphanumeric).filter(Boolean)
  return first === undefined ? "" : `${lowerLeadingCapitals(first)}${rest.map(capitalise).join("")}`
}

/** `GetCustomers` → `getCustomers`, `URLList` → `urlList`, `ID` → `id`. */
function lowerLeadingCapitals(word: string): string {
  const run = /^[A-Z]+/.exec(word)?.[0].length ?? 0
  // The last capital of the run begins the next word, if a small letter follows it.
  const length = run > 1 && /[a-z]/.test(word.charAt(run)) ? run - 1 : run
  return `${word.slice(0, length).toLowerCase()}${word.slice(length)}`
}

const capitalise = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** Letters lose their accents rather than their place. */
const plain = (text: string): string => text.normalize("NFKD").replaceAll(/\p{M}/gu, "")
