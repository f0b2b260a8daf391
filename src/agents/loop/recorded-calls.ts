// The calls of an agent's answers as a journal has them: what the model asked for, and what became of it.
import type { AgentToolOutput } from "../../core/execution.ts"
import { canonicalJson } from "../../core/json/canonical.ts"
import { isRecord } from "../../core/json/record.ts"
import { safeLine } from "../../core/text/safe.ts"
import type { ModelPart } from "../../models/model.ts"
import type { CallRow } from "../../store/execution-store.ts"
import type { ModelCall } from "./calls.ts"
import { readAnswer, textOf } from "./answers.ts"
import type { StepRecord } from "./step.ts"

export type RecordedCall = {
  readonly key: string
  readonly call: ModelCall
  /** As the model was told of the tool: its address, or the name that it made up. */
  readonly address: string
  /** The question whose answer asked for it. */
  readonly step: CallRow
  /** Nothing follows from it yet. */
  readonly isOfLastStep: boolean
  /** Undefined where it was not begun. */
  readonly row: CallRow | undefined
}

const nameCharsMax = 80

/** A model makes up any name, also one that no database keeps. */
export const shownName = (name: string): string => safeLine(name).slice(0, nameCharsMax)

export const callKey = (step: number, place: number): string => `c${step}:${place}`

const stepPattern = /^(.*\/)?m(\d+)$/

/** In the order in which they were asked for, of all runs that share the journal. */
export function recordedCalls(rows: Iterable<CallRow>): RecordedCall[] {
  const byKey = new Map([...rows].map((row) => [row.key, row]))
  return [...byKey.values()].flatMap((step) => {
    const [, prefix = "", number] = stepPattern.exec(step.key) ?? []
    if (number === undefined || step.answerJson === null || step.answerForm === "reject") return []
    const { parts, names } = JSON.parse(step.answerJson) as StepRecord // written by `step.ts`
    const isOfLastStep = !byKey.has(`${prefix}m${Number(number) + 1}`)
    return parts
      .filter((part): part is ModelCall => part.type === "call")
      .map((call, place): RecordedCall => {
        const key = `${prefix}${callKey(Number(number), place)}`
        const address = names !== null && Object.hasOwn(names, call.name) ? `tools.${names[call.name]}` : shownName(call.name)
        return { key, call, address, step, isOfLastStep, row: byKey.get(key) }
      })
  })
}

/** The text of a model's answer. `json`: as its step was journaled; one that failed said nothing. */
export function textSaid(json: string): string {
  const { parts = [] } = JSON.parse(json) as Partial<StepRecord> // written by `step.ts`
  return textOfParts(parts)
}

export const textOfParts = (parts: readonly ModelPart[]): string => parts.map((part) => (part.type === "text" ? part.text : "")).join("")

/** Of the run with this prefix of keys. `unanswered`: what is said of those without an answer. */
export const recordedOutputs = (rows: Iterable<CallRow>, prefix: string, unanswered: string): AgentToolOutput[] =>
  recordedCalls(rows)
    .filter(({ step }) => step.key.startsWith(prefix) && !step.key.includes("/", prefix.length))
    .map(({ call, row, address }) => {
      const written = row === undefined ? null : writtenOf(call, row.argsJson)
      const about = { tool: row?.address || address, callId: call.id, ...(written === null ? {} : { written }) }
      if (row?.answerForm == null || row.answerJson === null) return { ...about, ok: false, output: unanswered }
      const result = readAnswer(row.answerForm, row.answerJson)
      return { ...about, ok: result.ok, output: shownOutput(result.ok ? result.data : result.error) }
    })

const outputCharsMax = 4000

export function shownOutput(value: unknown, text: string = textOf(value)): unknown {
  const json = JSON.stringify(value) ?? "null"
  return json.length <= outputCharsMax ? value : text.slice(0, outputCharsMax).toWellFormed()
}

/** Of what a model wrote and is kept beside what was read. */
export const writtenCharsMax = 2000

/** What the model wrote where it was read as something else; null where it was read as it stands. */
export function writtenOf({ name, input }: Pick<ModelCall, "name" | "input">, argsJson: string): string | null {
  if (argsJson === "") return null
  const args = parse(argsJson)
  // What no tool could take is kept as it was written.
  if (isRecord(args) && typeof args["written"] === "string" && input.startsWith(args["written"])) return null
  const written = parse(input)
  const meant = name === "call_tool" && isRecord(written) ? (written["arguments"] ?? {}) : written
  const isSame = [written, meant].some((value) => value !== undefined && canonicalJson(value) === canonicalJson(args))
  return isSame ? null : input.slice(0, writtenCharsMax)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
