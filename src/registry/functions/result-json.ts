// Turns what a function returned, or threw, into a message of JSON.
import type { FunctionAnswer } from "./thread-message.ts"

const messageCharsMax = 1000

export async function answerOf(work: () => unknown, resultBytesMax: number): Promise<FunctionAnswer> {
  let value: unknown
  try {
    value = await work()
  } catch (error) {
    return { ok: false, reason: "threw", message: textOf(error) }
  }
  try {
    const json = JSON.stringify(value) ?? "null"
    if (json.length > resultBytesMax) return { ok: false, reason: "too_large", message: "" }
    return { ok: true, json }
  } catch (error) {
    return { ok: false, reason: "no_json", message: textOf(error) }
  }
}

/** Anything can be thrown, also what throws when it is looked at. */
function textOf(error: unknown): string {
  try {
    return (error instanceof Error ? error.message : String(error)).slice(0, messageCharsMax)
  } catch {
    return ""
  }
}
