// What the command line writes to: data on stdout, everything else on stderr, colours where a person sees them.
import { createColors } from "./colors.ts"
import type { Colors } from "./colors.ts"

export type Screen = {
  /** What was asked for, with a line break behind it. */
  data(text: string): void
  /** What is said beside it. */
  note(text: string): void
  readonly out: Colors
  readonly err: Colors
  /** How wide stdout is; null where it is no terminal. */
  readonly columns: number | null
  readonly isErrTerminal: boolean
  /** Whether somebody can be asked. */
  readonly canPrompt: boolean
}

export function openScreen(): Screen {
  const { stdin, stdout, stderr } = process
  for (const stream of [stdout, stderr]) stream.off("error", quitWhenUnread).on("error", quitWhenUnread)
  return {
    data: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    out: createColors(stdout.isTTY),
    err: createColors(stderr.isTTY),
    columns: stdout.isTTY ? stdout.columns || 80 : null,
    isErrTerminal: stderr.isTTY,
    canPrompt: stdin.isTTY && stderr.isTTY,
  }
}

/** Whoever reads the output may have seen enough. */
function quitWhenUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error
  process.exit(0)
}
