// Colours where a terminal shows them: never against NO_COLOR, and not in files and pipes unless FORCE_COLOR asks.
import picocolors from "picocolors"

export type Colors = ReturnType<typeof picocolors.createColors>

export function createColors(isTerminal: boolean, env: Readonly<Record<string, string | undefined>> = process.env): Colors {
  const isForced = env["FORCE_COLOR"] !== undefined && env["FORCE_COLOR"] !== "" && env["FORCE_COLOR"] !== "0"
  const isRefused = env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== ""
  return picocolors.createColors(!isRefused && (isForced || (isTerminal && env["TERM"] !== "dumb")))
}
