// The stderr output of a stdio server: each line goes to the log, and the last ones are kept for error messages.
import type { Readable } from "node:stream"
import type { Log } from "../../../io/log.ts"

export type StderrTail = { text(): string }
export type StderrParts = {
  readonly label: string
  readonly log: Log
  readonly charsMax: number
  /** Without the secrets that the program was given. */
  redact(text: string): string
}

const lineCharsMax = 1000
const restCharsMax = 4 * lineCharsMax
/** A program that floods its stderr must not flood our log. */
const linesPerWindowMax = 200
const windowMs = 10_000

/** Of a line without an end; a word that is cut is left out, because it may be a secret that nobody would recognise. */
const endOf = (line: string): string => (line.length <= restCharsMax ? line : line.slice(-restCharsMax).replace(/^\S*/, ""))

export function followStderr(stream: Readable, parts: StderrParts): StderrTail {
  let tail = ""
  let rest = ""
  let windowEndsMs = 0
  let linesInWindow = 0
  const log = (line: string): void => {
    const now = performance.now()
    if (now > windowEndsMs) {
      windowEndsMs = now + windowMs
      linesInWindow = 0
    }
    linesInWindow += 1
    if (linesInWindow > linesPerWindowMax) return
    const note = linesInWindow === linesPerWindowMax ? " (more lines follow, which are not logged)" : ""
    parts.log.info({ server: parts.label, stderr: `${line.slice(0, lineCharsMax)}${note}` }, "An MCP server wrote to stderr")
  }
  stream.setEncoding("utf8")
  stream.on("data", (chunk: string) => {
    // A secret may be cut by the border of two chunks, so only whole lines are redacted and shown.
    const lines = `${rest}${chunk}`.split("\n")
    rest = endOf(lines.pop() ?? "")
    for (const line of lines.map((one) => parts.redact(one.trimEnd())).filter((one) => one !== "")) {
      tail = `${tail}${line}\n`.slice(-parts.charsMax)
      log(line)
    }
  })
  return { text: () => `${tail}${parts.redact(rest)}`.slice(-parts.charsMax).trim() }
}
