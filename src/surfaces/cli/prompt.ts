// Asks a person at a terminal; anywhere else it says which flag would have answered.
import type { Readable, Writable } from "node:stream"
import type { Screen } from "./screen.ts"
import { safeLine } from "./text-safe.ts"
import { UsageError } from "./usage-error.ts"

export type Question = {
  readonly message: string
  /** What to give instead, e.g. "--secret-stdin or --env NAME". */
  readonly flag: string
}

export type Choice<Value> = { readonly value: Value; readonly label: string; readonly hint?: string }

/** Questions go to stderr, because stdout is for data. */
export type Streams = { readonly input: Readable; readonly output: Writable }
type Prompts = typeof import("@clack/prompts")

export const askSecret = (question: Question, screen: Screen, streams?: Streams): Promise<string> =>
  ask<string>(
    question,
    screen,
    (prompts, common) => prompts.password({ ...common, validate: (value) => (value ? undefined : "It is empty") }),
    streams,
  )

export const askText = (question: Question, screen: Screen, streams?: Streams): Promise<string> =>
  ask<string>(question, screen, (prompts, common) => prompts.text({ ...common, defaultValue: "" }), streams)

export const askYesNo = (question: Question, screen: Screen, streams?: Streams): Promise<boolean> =>
  ask<boolean>(question, screen, (prompts, common) => prompts.confirm({ ...common, initialValue: false }), streams)

export async function askChoice<Value>(
  question: Question,
  choices: readonly Choice<Value>[],
  screen: Screen,
  streams?: Streams,
): Promise<Value> {
  const options = choices.map(({ label, hint }, at) => ({ value: at, label: safeLine(label), ...(hint ? { hint: safeLine(hint) } : {}) }))
  const at = await ask<number>(question, screen, (prompts, common) => prompts.select<number>({ ...common, options }), streams)
  const chosen = choices[at]
  if (chosen === undefined) throw new UsageError("Nothing was chosen")
  return chosen.value
}

async function ask<Answer>(
  question: Question,
  screen: Screen,
  put: (prompts: Prompts, common: { message: string; signal: AbortSignal } & Streams) => Promise<Answer | symbol>,
  streams: Streams = { input: process.stdin, output: process.stderr },
): Promise<Answer> {
  if (!screen.canPrompt) throw new UsageError(`${question.message} This is not a terminal, so pass ${question.flag}`)
  const prompts = await import("@clack/prompts")
  // A terminal that goes away answers nothing, and must not leave the question waiting.
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  streams.input.once("end", leave).once("close", leave)
  const answer = await put(prompts, { message: safeLine(question.message), signal: gone.signal, ...streams })
  streams.input.off("end", leave).off("close", leave)
  if (typeof answer === "symbol") throw new UsageError("Nothing was done")
  return answer
}
