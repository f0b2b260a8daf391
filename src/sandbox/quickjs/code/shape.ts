// Recognises the forms in which code may be written, and wraps each so that it evaluates to one async function.
//
// Two lines come before the code in every wrapper, and evaluation starts at line -1, so that the guest's own lines
// count from 1 in every message and stack.

export type CodeShape = "body" | "expression" | "module"

export const wrapperFirstLine = -1
export const wrapperLines = 2

type Wrapper = readonly [before: string, after: string]

const wrappers: Record<CodeShape, Wrapper> = {
  body: ["(async()=>{\n\n", "\n})"],
  expression: ["(async()=>(\n\n", "\n))"],
  module: ["(async(exports,require)=>{\n\n", "\n})"],
}

/** No code that closes its wrapper and opens it again can do that in both: what may follow the closing bracket differs. */
const otherWrappers: Record<Exclude<CodeShape, "module">, Wrapper> = {
  body: ["async function a(){\n\n", "\n}"],
  expression: ["(async()=>[\n\n", "\n])"],
}

export const wrapCode = (code: string, shape: CodeShape): string => wrappers[shape][0] + code + wrappers[shape][1]
export const wrapOtherwise = (code: string, shape: Exclude<CodeShape, "module">): string =>
  otherWrappers[shape][0] + code + otherWrappers[shape][1]

/** The code without what people and models put around it: a byte order mark, a Markdown fence, the line that names an interpreter. */
export function bareCode(source: string): string {
  const code = withoutFence(source.startsWith("\uFEFF") ? source.slice(1) : source)
  return /^\s*#!/.test(code) ? code.replace(/#![^\n]*/, "") : code
}

/**
 * Drops a Markdown fence with what is written around it, when there is only one; the lines stay as empty ones, so that
 * the others keep their numbers. By lines and not by one expression, because hostile text makes such an expression
 * take minutes.
 */
export function withoutFence(code: string): string {
  if (!/(?:^|\n)[ \t]*(?:```|~~~)/.test(code)) return code
  const lines = code.trimEnd().split("\n")
  const first = lines.findIndex((line) => openingFence.test(line))
  const fence = openingFence.exec(lines[first] ?? "")?.[1]
  if (fence === undefined) return code
  const last = lines.findIndex((line, index) => index > first && isClosing(line.trim(), fence))
  if (last < 0 || ![...lines.slice(0, first), ...lines.slice(last + 1)].every(isProse)) return code
  return [...Array.from({ length: first + 1 }, () => ""), ...lines.slice(first + 1, last)].join("\n")
}

/** What is wrong with the Markdown fences that are left: several blocks would run as one odd template. */
export function fenceProblem(code: string): string | null {
  if (!/(?:^|\n)[ \t]*(?:```|~~~)/.test(code)) return null
  let fence: string | undefined
  let blocks = 0
  for (const line of code.trimEnd().split("\n")) {
    if (fence !== undefined) {
      if (isClosing(line.trim(), fence)) fence = undefined
      continue
    }
    fence = openingFence.exec(line)?.[1]
    if (fence !== undefined) blocks += 1
    else if (!isProse(line)) return null
  }
  if (blocks > 1) return "There are several Markdown blocks; send one."
  return fence !== undefined && /^\s*(?:```|~~~)/.test(code) ? "The Markdown block is not closed." : null
}

const openingFence = /^[ \t]*(`{3,}|~{3,})[^`]*$/

/** What stands around a fence is no code, no template that the fence is a part of, and no second fence. */
const isProse = (line: string): boolean =>
  !/`{3}|~{3}|[;{}]\s*$|\/\*|=>|^\s*(?:const|let|var|return|await|function)\b/.test(line) && line.split("`").length % 2 === 1

const isClosing = (line: string, fence: string): boolean => line.startsWith(fence) && line === (fence[0] ?? "").repeat(line.length)

const leadingTrivia = /^(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/
const statementWord =
  /^(?:const|let|var|return|if|for|while|do|try|throw|switch|break|continue|import(?!\s*[(.])|export|interface|enum|declare|namespace|abstract)\b/
const statementStart = new RegExp(`${statementWord.source}|^type\\s+[\\w$]+\\s*[=<]|^@`)

/** Whether the text could be one expression at all; only then is it tried as one. */
export function mayBeExpression(code: string): boolean {
  const start = code.slice(leadingTrivia.exec(code)?.[0].length ?? 0)
  return start !== "" && !statementStart.test(start)
}

/** An expression may end with semicolons and comments, which cannot stand inside the wrapper's parentheses. */
export function asExpression(code: string): string {
  const lines = code.trimEnd().split("\n")
  while (lines.length > 1 && /^\s*(?:\/\/|$)/.test(lines.at(-1) ?? "")) lines.pop()
  const last = (lines.pop() ?? "").replace(/;[ \t]*\/\/[^"'`]*$/, ";")
  const text = [...lines, last].join("\n")
  let end = text.length
  while (end > 0 && /[;\s]/.test(text[end - 1] ?? "")) end -= 1
  return text.slice(0, end)
}

/** An `export` that begins a line, or follows a statement, makes the text a module. */
export const mayBeModule = (code: string): boolean =>
  /(?:^|[;\n}])[ \t]*export\s+(?:default\b|const\b|let\b|var\b|async\b|function\b|class\b|\{)/.test(code)

/** Text that is valid JavaScript and means something else in TypeScript: `f<T>(x)` is two comparisons there. */
export const mayHaveTypeArguments = (code: string): boolean => /[^=\s]\s*>\s*[(`]/.test(code) && code.includes("<")

/** Signs of types: such code is stripped at once, because as JavaScript it would only fail first. */
export const hasSignsOfTypes = (code: string): boolean =>
  /\b(?:const|let|var)\s+[\w$]+\s*:|\)\s*:\s*[\w$]|\binterface\s+[\w$]|\btype\s+[\w$]+\s*[=<]|\bas\s+(?:const|any|unknown|[A-Z{])/.test(
    code,
  )
