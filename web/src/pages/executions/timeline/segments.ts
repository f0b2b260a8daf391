// What a call did when: the pieces of its bar, and the words for its state.
import type { CallDetail } from "toolplane/client"
import type { Tone } from "../../../ui/badge.tsx"

export const segmentKinds = ["ours", "upstream", "wait", "replayed"] as const
export type SegmentKind = (typeof segmentKinds)[number]
/** Times in milliseconds since 1970. */
export type Segment = { readonly kind: SegmentKind; readonly from: number; readonly to: number }

export const segmentNames: Record<SegmentKind, string> = {
  ours: "Executor",
  upstream: "Upstream",
  wait: "Waiting for a human",
  replayed: "Answered from the journal",
}

/** Tools that Executor answers itself. */
const isOurs = ({ path, address }: CallDetail): boolean =>
  /^(?:tools\.)?executor\./.test(address) || /^(?:search|discover|describe\.tool|catalog\.\w+|executor\..+)$/.test(path)

/** `end`: of what has not ended. */
export function segmentsOf(call: CallDetail, end: number): readonly Segment[] {
  const { startedAt, endedAt, wait, status, replayed } = call
  const waited: Segment[] =
    wait === undefined ? [] : [{ kind: "wait", from: Date.parse(wait.from), to: wait.to === null ? end : Date.parse(wait.to) }]
  if (startedAt === null || status === "waiting") return waited
  const from = Math.max(Date.parse(startedAt), waited[0]?.to ?? 0)
  const to = endedAt === null ? end : Date.parse(endedAt)
  return [...waited, { kind: replayed === true ? "replayed" : isOurs(call) ? "ours" : "upstream", from, to: Math.max(from, to) }]
}

export function stateOf({ status, error, approval }: CallDetail, isEnded: boolean): readonly [Tone, string] {
  if (error !== undefined) return ["danger", approval?.answer === "decline" ? "Declined" : `Failed: ${error.code}`]
  if (status === "done") return ["ok", "Done"]
  if (isEnded) return ["neutral", "Not finished"]
  return status === "waiting" ? ["waiting", "Waiting for a human"] : ["info", "Running"]
}

/** The same call with the same arguments before this one. */
export function repeatOf({ key }: CallDetail): number {
  const [, count] = /^[\w-]{20,}:(\d+)$/.exec(key.slice(key.lastIndexOf("/") + 1)) ?? []
  return Number(count ?? 0)
}

export type ModelStep = {
  readonly number: number
  readonly model: string
  readonly words: string
  readonly reasoning: string
  /** The tools that it called, by their paths. */
  readonly calls: readonly string[]
  /** Null while it is being asked. */
  readonly usage: StepUsage | null
}

type StepUsage = { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd?: number }

/** `names`: the paths of tools, by what the model calls them. A long answer is cut to a text. */
type StepAnswer = { readonly parts?: unknown; readonly names?: Readonly<Record<string, string>> | null; readonly usage?: StepUsage }

type Part = { readonly type?: unknown; readonly text?: unknown; readonly name?: unknown }

/** A step of an agent: its model was asked, and answered with words, calls or both. */
export function stepOf({ path, args, answer }: CallDetail): ModelStep | null {
  if (!path.startsWith("model/")) return null
  const { step } = (args ?? {}) as { readonly step?: unknown } // written by the agent's loop
  const { parts, names, usage } = (answer ?? {}) as StepAnswer // as well
  const all = Array.isArray(parts) ? (parts as readonly Part[]) : []
  const textOf = (type: string, field: "text" | "name"): string[] =>
    all.flatMap((part) => (part.type === type && typeof part[field] === "string" ? [part[field]] : []))
  return {
    number: typeof step === "number" ? step : 0,
    model: path.slice("model/".length),
    words: textOf("text", "text").join("\n"),
    reasoning: textOf("reasoning", "text").join("\n"),
    calls: textOf("call", "name").map((name) => names?.[name] ?? name),
    usage: usage ?? null,
  }
}
