// Checks the brackets of code before anything parses it: whether they are balanced, and how deep they go.

const closers: Record<string, string> = { "}": "{", ")": "(", "]": "[" }

/** `own`: it closes only what it opened. `foreign`: the bracket at this position is not its own. `unsure`: a parser must tell. */
export type Balance = { readonly is: "own" | "unsure" } | { readonly is: "foreign"; readonly at: number }

/**
 * Reads texts, templates and comments. It cannot tell a division from a regular expression, nor see the comments of
 * HTML, so that it is unsure where one may be.
 */
export function bracketBalance(code: string): Balance {
  const open: string[] = []
  let at = 0
  while (at < code.length) {
    const char = code[at] ?? ""
    if (char === '"' || char === "'") at = endOfText(code, at, char)
    else if (char === "`" || (char === "}" && open.at(-1) === "`")) at = endOfTemplate(code, at, open)
    else if (char === "/") at = endOfComment(code, at)
    else if ((char === "<" && code.startsWith("<!--", at)) || (char === "-" && code.startsWith("-->", at))) at = unknown
    else {
      if (char === "{" || char === "(" || char === "[") open.push(char)
      else if (closers[char] !== undefined && open.pop() !== closers[char]) return { is: "foreign", at }
      at += 1
    }
    if (at === unknown) return { is: "unsure" }
  }
  return { is: "own" }
}

const unknown = -1

function endOfText(code: string, start: number, quote: string): number {
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === "\\") at += 1
    else if (code[at] === quote) return at + 1
    else if (code[at] === "\n") return unknown
  }
  return unknown
}

/** From a backtick, or from the brace that ends an expression inside, to the end or the next expression. */
function endOfTemplate(code: string, start: number, open: string[]): number {
  if (code[start] === "}") open.pop()
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === "\\") at += 1
    else if (code[at] === "`") return at + 1
    else if (code[at] === "$" && code[at + 1] === "{") {
      open.push("`")
      return at + 2
    }
  }
  return unknown
}

function endOfComment(code: string, start: number): number {
  const next = code[start + 1]
  if (next === "*") {
    const end = code.indexOf("*/", start + 2)
    return end < 0 ? unknown : end + 2
  }
  if (next !== "/") return unknown
  lineEnd.lastIndex = start
  return lineEnd.exec(code)?.index ?? code.length
}

const lineEnd = /[\n\r\u2028\u2029]/g

/** The deepest that the engine itself can read; parsers of types take far longer to find that out. */
const nestingMax = 4000

/** Counted without regard to texts, which would have to hold thousands of brackets that are never closed. */
export function isNestedTooDeeply(code: string): boolean {
  let brackets = 0
  let typeArguments = 0
  if (code.length < nestingMax) return false
  for (let at = 0; at < code.length; at++) {
    const char = code[at] ?? ""
    if (char === "(" || char === "[" || char === "{") brackets += 1
    else if (closers[char] !== undefined) brackets = Math.max(0, brackets - 1)
    else if (char === "<" && /\w/.test(code[at - 1] ?? "")) typeArguments += 1
    else if (char === ">") typeArguments = Math.max(0, typeArguments - 1)
    else if (char === ";") typeArguments = 0
    if (brackets > nestingMax || typeArguments > nestingMax) return true
  }
  return false
}
