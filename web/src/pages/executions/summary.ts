// One line that tells an execution from the others in a list.
import type { ExecutionSummary } from "toolplane/client"

type Ran = Pick<ExecutionSummary, "code" | "program">

/** The first line, and of an agent's run, whose text begins alike each time, what it was asked. */
export function summaryOf({ code, program }: Ran): string {
  const first = code.split("\n").find((line) => line.trim() !== "") ?? ""
  const agent = program === "agent" ? /^Agent [^,]+/.exec(first)?.[0] : undefined
  const input = inputOf({ code })?.trim().split("\n")[0]
  return agent === undefined || input === undefined ? first.trim() : `${agent}: ${input}`
}

/** The input of a run as the server writes it into its text. */
export const inputOf = ({ code }: Pick<Ran, "code">): string | undefined => /\n\nInput:\n([\s\S]*?)\n\nInstructions:\n/.exec(code)?.[1]
