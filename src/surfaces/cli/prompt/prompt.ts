// Asks a person at a terminal; anywhere else it says which flag would have answered.
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import { drainInput } from "./input-drain.ts"
import type { Screen } from "../print/screen.ts"
import { safeLine } from "../../../core/text/safe.ts"
import { UsageError } from "../usage-error.ts"

export type Question = {
  readonly message: string
  /** What to give instead, e.g. "--secret-stdin or --env NAME". */
  readonly flag: string
}

export type Choice<Value> = { readonly value: Value; readonly label: string; readonly hint?: string }

/** Questions go to stderr, because stdout is for data. */
export type Streams = { readonly input: Readable; readonly output: Writable }
type Prompts = typeof import("@clack/prompts")

const terminal: Streams = { input: process.stdin, output: process.stderr }

/** Somebody left the question. */
export class Unanswered extends UsageError {
  constructor() {
    super("Nothing was done")
  }
}

function requirePerson({ message, flag }: Question, screen: Screen): void {
  if (!screen.canPrompt) throw new UsageError(`${message} This is not a terminal, so pass ${flag}`)
}

export const askSecret = (question: Question, screen: Screen, streams?: Streams): Promise<string> =>
  ask<string>(
    question,
    screen,
    (prompts, common) => prompts.password({ ...common, validate: (value) => (value ? undefined : "It is empty") }),
    streams,
  )

export const askText = (question: Question, screen: Screen, streams?: Streams): Promise<string> =>
  ask<string>(question, screen, (prompts, common) => prompts.text({ ...common, defaultValue: "" }), streams)

/** `y` is a yes, `n` or nothing a no; anything else is asked again. */
export async function askYesNo(question: Question, screen: Screen, streams: Streams = terminal): Promise<boolean> {
  requirePerson(question, screen)
  // What was typed before the question was there cannot be its answer.
  await drainInput(streams.input)
  const lines = createInterface({ ...streams, terminal: true })
  const left = new Promise<null>((resolve) => lines.once("SIGINT", () => resolve(null)).once("close", () => resolve(null)))
  const put = (hint: string): Promise<string | null> =>
    Promise.race([left, new Promise<string>((resolve) => lines.question(`${hint}${safeLine(question.message)} [y/N] `, resolve))])
  let answer = await put("")
  while (answer !== null && !isYes(answer) && !isNo(answer)) answer = await put("Type y or n; Ctrl-C leaves the question unanswered. ")
  lines.close()
  if (answer === null) {
    // What is said next is not a part of the question.
    streams.output.write("\n")
    throw new Unanswered()
  }
  return isYes(answer)
}

export const isYes = (answer: string): boolean => /^y(?:es)?$/i.test(answer.trim())
const isNo = (answer: string): boolean => /^(?:no?)?$/i.test(answer.trim())

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
  streams: Streams = terminal,
): Promise<Answer> {
  requirePerson(question, screen)
  const prompts = await import("@clack/prompts")
  // A terminal that goes away answers nothing, and must not leave the question waiting.
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  streams.input.once("end", leave).once("close", leave)
  const answer = await put(prompts, { message: safeLine(question.message), signal: gone.signal, ...streams })
  streams.input.off("end", leave).off("close", leave)
  if (typeof answer === "symbol") throw new Unanswered()
  return answer
}
