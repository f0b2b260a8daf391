// Forgets what was typed before a question was asked: it cannot be an answer to it.
import type { Readable } from "node:stream"

/** What a terminal has in store comes within a few turns of the event loop. */
const quietMs = 50

export async function drainInput(input: Readable): Promise<void> {
  let heardAtMs = Date.now()
  const forget = (): void => void (heardAtMs = Date.now())
  input.on("data", forget)
  while (Date.now() - heardAtMs < quietMs) await new Promise((resolve) => setTimeout(resolve, quietMs))
  input.off("data", forget).pause()
}
