// Reads the commands of a Markdown document, and what it says they print.
//
// ```sh             is run, and ends with 0, or with 3 where a human is waited for
// ```sh exit=5      ends with that code
// ```sh no-run: …   is not run, for the reason given
// ```text           after one of them is what it prints, line by line; `…` stands for anything

export type CommandBlock = {
  /** The line at which it stands. */
  readonly line: number
  readonly commands: string
  readonly printed: readonly string[]
} & ({ readonly kind: "run"; readonly exitCodes: readonly number[] } | { readonly kind: "no-run"; readonly reason: string })

type Fence = { readonly line: number; readonly info: string; readonly text: string }

export function readCommandBlocks(markdown: string): CommandBlock[] {
  const fences = readFences(markdown)
  return fences.flatMap((fence, at) => {
    const [language, ...rest] = fence.info.split(" ")
    if (language !== "sh") return []
    const next = fences[at + 1]
    const printed = next?.info === "text" ? next.text.split("\n") : []
    const common = { line: fence.line, commands: fence.text, printed }
    return [{ ...common, ...readKind(rest.join(" "), fence.line) }]
  })
}

/** The blocks of one language, as text. */
export const readSnippets = (markdown: string, language: string): string[] =>
  readFences(markdown)
    .filter((fence) => fence.info.split(" ")[0] === language)
    .map((fence) => fence.text)

function readKind(words: string, line: number): Pick<CommandBlock, "kind"> & { exitCodes: number[]; reason: string } {
  const reason = /^no-run: (\S.*)$/.exec(words)?.[1]
  if (reason !== undefined) return { kind: "no-run", exitCodes: [], reason }
  const code = /^exit=(\d+)$/.exec(words)?.[1]
  if (words !== "" && code === undefined) throw new Error(`Line ${line}: 'sh ${words}' is not understood`)
  return { kind: "run", exitCodes: code === undefined ? [0, 3] : [Number(code)], reason: "" }
}

function readFences(markdown: string): Fence[] {
  const fences: Fence[] = []
  let open: { line: number; info: string; lines: string[] } | null = null
  for (const [at, line] of markdown.split("\n").entries()) {
    const [, indent = "", info = ""] = /^( *)```(.*)$/.exec(line) ?? []
    const isFence = /^ *```/.test(line)
    if (open === null && isFence) open = { line: at + 1, info: info.trim(), lines: [] }
    else if (open !== null && isFence) {
      fences.push({ line: open.line, info: open.info, text: open.lines.map((one) => one.replace(indent, "")).join("\n") })
      open = null
    } else open?.lines.push(line)
  }
  return fences
}

/** The first line that a document promises and the output does not have, in its order; null when all are there. */
export function missingLine(printed: readonly string[], output: string): string | null {
  const lines = output.split("\n")
  let from = 0
  for (const line of printed) {
    const pattern = linePattern(line)
    const at = lines.findIndex((one, index) => index >= from && pattern.test(one))
    if (at === -1) return line
    from = at + 1
  }
  return null
}

const ids = /\b(exe|apr|pol|tok)_123\b/g

const linePattern = (line: string): RegExp =>
  new RegExp(
    `^${line
      .trim()
      .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll(ids, "$1_\\w+")
      .replaceAll("…", ".*")
      .replaceAll(/ +/g, "\\s+")}$`.replace("^", "^\\s*"),
  )

/** What was printed last is what a reader would copy: `exe_123` in a command stands for it. */
export const fillIds = (commands: string, output: string): string =>
  commands.replaceAll(ids, (placeholder, kind: string) => output.match(new RegExp(`\\b${kind}_\\w{10,}`, "g"))?.at(-1) ?? placeholder)
