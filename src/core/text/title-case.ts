// Title Case for the names of tools: checks a name, or derives one from a sentence or an identifier.

/** Words that stay small inside a title. */
const smallWords = new Set(
  "a an and as at but by for from in into nor of off on onto or over per so than the to up via vs with within without yet".split(" "),
)

/** Written small in identifiers, and never in a title. */
const acronyms = new Map(
  "AI API AWS CLI CPU CRM CSS CSV DNS FAQ GPU HTML HTTP HTTPS IAM IBAN ID IDs IP IPs IPv4 IPv6 JSON JWT LLM MCP MFA OAuth PDF PNG QR SDK SKU SKUs SMS SQL SSH SSL SSO SVG TLS UI URI URL URLs UUID VAT VM VMs VPC VPN XML YAML ZIP"
    .split(" ")
    .map((word) => [word.toLowerCase(), word]),
)

/** `List Items of a Cart`, `Get IPv6 Address`; not `list items`, and not `LIST_ITEMS`. */
export function isTitleCase(name: string): boolean {
  const words = name.split(" ")
  return words.every((word, at) => word !== "" && !word.includes("_") && (startsLarge(word) || (at > 0 && smallWords.has(word))))
}

/** A word of another script, or one that starts with a digit or a sign, has no small form. */
const startsLarge = (word: string): boolean => !/^[("'“‘[]*\p{Ll}/u.test(word)

/** The same words in Title Case: `Create an issue` → `Create an Issue`. */
export const titleOfText = (text: string): string => titleWords(text.trim().split(/\s+/))

/** `read_file` → `Read File`, `getHTMLPage` → `Get HTML Page`, `ns.dotted-name` → `Ns Dotted Name`; empty where it has no words. */
export function titleOfIdentifier(identifier: string): string {
  const words = identifier
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
  const isShouted = !/\p{Ll}/u.test(words)
  return titleWords((isShouted ? words.toLowerCase() : words).split(" "))
}

const titleWords = (words: readonly string[]): string =>
  words.map((word, at) => titleWord(word, at === 0 || at === words.length - 1)).join(" ")

function titleWord(word: string, isAtEdge: boolean): string {
  const known = acronyms.get(word.toLowerCase())
  if (known !== undefined) return known
  // A word with capitals inside is a name, and one with signs inside is code.
  if (/^.+\p{Lu}/u.test(word) || /[_`/\\.@#=<>{}$]./.test(word)) return word
  const small = word.toLowerCase()
  if (!isAtEdge && smallWords.has(small) && word !== "A") return small
  return word.replaceAll(/(?<=^[("'“‘[]*|\p{L}-)\p{Ll}/gu, (letter) => letter.toUpperCase())
}
