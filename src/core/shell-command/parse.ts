// Reads a shell script as a list of plain commands, or not at all.
//
// Only words, quoted text and the operators `&&`, `||`, `;`, `|` and line ends are understood, with redirections that write
// nothing. Whatever a shell would expand, substitute, assign or loop over is not: what such a script does is decided when it
// runs, and its text could be written to mislead.

export type ShellWord = { readonly text: string; /** A shell replaces it by names of files. */ readonly isPattern: boolean }

/** The commands of the script, in order, each with its arguments; null if the script is not understood. */
export function parsePlainScript(script: string): readonly (readonly ShellWord[])[] | null {
  const commands: ShellWord[][] = []
  let command: ShellWord[] = []
  let mayEnd = false
  for (let rest = skipBlanks(script); ; rest = skipBlanks(rest)) {
    const operator = operatorPattern.exec(rest)?.[0] ?? (rest === "" ? "" : null)
    if (operator !== null) {
      const isOptional = operator === "" || operator === ";" || operator === "\n"
      if (command.length === 0 && !(isOptional && (mayEnd || operator === "\n"))) return null
      if (command.length > 0) commands.push(command)
      command = []
      if (operator === "") return commands.length > 0 ? commands : null
      mayEnd = isOptional
      rest = rest.slice(operator.length)
      continue
    }
    const harmless = harmlessRedirection.exec(rest)?.[0]
    if (harmless !== undefined) {
      if (command.length === 0) return null
      rest = rest.slice(harmless.length)
      continue
    }
    const read = readWord(rest)
    if (read === null) return null
    command.push(read.word)
    rest = rest.slice(read.length)
  }
}

const skipBlanks = (text: string): string => text.replace(/^[ \t]+/, "")
const operatorPattern = /^(?:&&|\|\||;(?!;)|\|(?!&)|\n)/
/** To nowhere, or one output to the other. */
const harmlessRedirection = /^(?:[12]?>{1,2}[ \t]*\/dev\/null|&>[ \t]*\/dev\/null|2>&1|1>&2|>&2)(?=[ \t\n;|]|$)/

/** A word ends at a blank or an operator. It may be made of several quoted and unquoted parts. */
function readWord(text: string): { readonly word: ShellWord; readonly length: number } | null {
  let at = 0
  let value = ""
  let isPattern = false
  while (at < text.length) {
    const part = partPattern.exec(text.slice(at))
    if (part === null) break
    const [whole, single, double, plain] = part
    if (plain !== undefined && /[*?[\]]/.test(plain)) isPattern = true
    value += single ?? double ?? plain ?? ""
    at += whole.length
  }
  const next = text[at]
  const hasEnded = next === undefined || /[ \t\n;|]/.test(next) || text.startsWith("&&", at)
  return at > 0 && hasEnded && !hasMeaning(text.slice(0, at)) ? { word: { text: value, isPattern }, length: at } : null
}

/** Quotes without anything that a shell replaces, or characters that mean themselves. */
const partPattern = /^(?:'([^']*)'|"([^"$`\\!]*)"|([\w@%+=:,./^*?[\]-]+))/

/** Assignments change what follows; words of the grammar are none that name a program. */
const hasMeaning = (raw: string): boolean =>
  /^\w+\+?=/.test(raw) || /^(?:if|then|else|elif|fi|do|done|case|esac|while|until|for|in|function|select|time|coproc|\[\[|\]\])$/.test(raw)
