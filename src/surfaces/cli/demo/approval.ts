// The moment in the demo at which a human is asked: in the browser, at this terminal, or by `--yes`.
import type { ExecutorApi } from "../../../core/executor-api.ts"
import { hasDesktop, openBrowser } from "../../../io/open-browser.ts"
import { drainInput } from "../prompt/input-drain.ts"
import { isYes } from "../prompt/prompt.ts"
import type { Screen } from "../print/screen.ts"
import type { DemoStage } from "./stage.ts"
import type { Typing } from "./typing.ts"

/** As long as a sign-in link lasts. */
const waitMs = 600_000
const lookEveryMs = 250

export type ApprovalOptions = { readonly executionId: string; readonly yes: boolean }
type Parts = { readonly api: ExecutorApi; readonly stage: DemoStage; readonly typing: Typing; readonly screen: Screen }

/** Answers when it is decided. */
export async function decide({ executionId, yes }: ApprovalOptions, parts: Parts): Promise<void> {
  const { api, stage, typing, screen } = parts
  const answerHere = async (action: "accept" | "decline"): Promise<void> =>
    void (await typing.asHuman("resume", executionId, "--action", action))
  if (yes) return answerHere("accept")
  const { code } = await api.sessions.create()
  const link = `${stage.serverUrl}/signin?code=${code}&next=${encodeURIComponent(`/approve/${executionId}`)}`
  const isOpen = hasDesktop(process.env) && (await openBrowser(link))
  if (!isOpen && !screen.canPrompt) {
    typing.say("There is no terminal to ask on, so the demo approves the call with this command:")
    return answerHere("accept")
  }
  typing.say(`${isOpen ? "Your browser shows the approval. If it does not, open" : "To answer in your browser, open"}\n  ${link}`)
  if (screen.canPrompt) {
    await drainInput(process.stdin)
    screen.note("Or answer here. Approve? [y/N]")
  }
  const answer = await untilAnswered(executionId, parts)
  if (answer === "accept" || answer === "decline") return answerHere(answer)
  if (answer === "late") typing.say("Nobody answered. An approval can wait for seven days, but this demo ends here.")
}

async function untilAnswered(executionId: string, { api, screen }: Parts): Promise<"elsewhere" | "accept" | "decline" | "late"> {
  const { stdin } = process
  let typed: string | null = null
  const enter = (line: Buffer): void => void (typed = line.toString())
  if (screen.canPrompt) stdin.once("data", enter).resume()
  try {
    for (const endMs = Date.now() + waitMs; Date.now() < endMs;) {
      if (typed !== null) return isYes(typed) ? "accept" : "decline"
      if ((await api.executions.get(executionId)).status !== "paused") return "elsewhere"
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    }
    return "late"
  } finally {
    // Otherwise it would keep the process alive.
    stdin.off("data", enter).pause()
  }
}
