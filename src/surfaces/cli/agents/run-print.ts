// Shows the events of an agent's run to a person: its words as they arrive, and one line for each call.
import { withoutRoot } from "../../../core/address.ts"
import type { CallView, ExecutionEvent, ExecutionReply } from "../../../core/execution.ts"
import { isRecord } from "../../../core/json/record.ts"
import { safeLine, safeText } from "../../../core/text/safe.ts"
import { counted } from "../print/count.ts"
import type { Screen } from "../print/screen.ts"
import { fitText } from "../print/width.ts"
import { costText } from "./model-price.ts"

export type RunPrinter = {
  show(event: ExecutionEvent): void
  /** All calls of the run so far: those that ended before anybody followed it are told late. */
  catchUp(calls: readonly CallView[]): void
  /** Whether the answer stands on the terminal already. */
  hasShown(output: unknown): boolean
  /** Ends a line of words, so that something else can be written. */
  rest(): void
  /** The answer that was being shown is told anew. */
  again(): void
}

const modelPrefix = "model/"
const argsWidthMax = 100
const wipe = "\r\u001b[K"

/** Words go to a terminal's stdout piece by piece; elsewhere stdout gets the answer alone, and words on the way go to stderr. */
export function createRunPrinter(screen: Screen): RunPrinter {
  const streams = screen.columns !== null
  const shown = new Map<string, number>()
  let words = ""
  let held = ""
  let isMidLine = false
  let isStepOver = false
  let hasStatus = false

  const wipeStatus = (): void => {
    if (hasStatus) process.stderr.write(wipe)
    hasStatus = false
  }
  const rest = (): void => {
    wipeStatus()
    if (isMidLine) process.stdout.write("\n")
    isMidLine = false
  }
  const say = (text: string): void => {
    if (isStepOver) {
      rest()
      words = ""
    }
    isStepOver = false
    words += text
    if (!streams) return
    wipeStatus()
    // Half a character, or half a line break, is written with its other half.
    const [, ready = "", left = ""] = /^([\s\S]*?)([\r\ud800-\udbff]?)$/.exec(held + text) ?? []
    held = left
    process.stdout.write(safeText(ready))
    isMidLine = ready === "" ? isMidLine : !ready.endsWith("\n")
  }
  /** What was said before a call is no answer. */
  const sayBeside = (): void => {
    if (!streams && words.trim() !== "") screen.note(safeText(words.trim()))
    words = ""
  }
  const tell = (call: CallView): void => {
    rest()
    sayBeside()
    const key = keyOf(call)
    shown.set(key, (shown.get(key) ?? 0) + 1)
    screen.note(callLine(call, screen))
  }
  const showCall = (call: CallView): void => {
    if (call.address.startsWith(modelPrefix)) {
      isStepOver ||= call.status === "done" && call.depth === undefined
      return
    }
    if (call.status === "done") return tell(call)
    if (call.status !== "started" || !screen.isErrTerminal) return
    rest()
    process.stderr.write(`… ${callText(call)}`)
    hasStatus = true
  }
  return {
    rest,
    again() {
      rest()
      words = ""
      held = ""
    },
    show(event) {
      // What other agents say to it is no answer of its own; `--json` has all of it.
      if (event.type === "text" && event.path === undefined) say(event.text)
      else if (event.type === "call") showCall(event.call)
      else if (event.type === "progress" && event.message !== undefined) {
        rest()
        screen.note(safeLine(`  ${withoutRoot(event.address)}: ${event.message}`))
      }
    },
    catchUp(calls) {
      const counts = new Map<string, number>()
      for (const call of calls) {
        if (call.address.startsWith(modelPrefix) || call.status !== "done") continue
        const count = (counts.get(keyOf(call)) ?? 0) + 1
        counts.set(keyOf(call), count)
        if (count > (shown.get(keyOf(call)) ?? 0)) tell(call)
      }
    },
    hasShown: (output) => streams && words !== "" && isSame(words, output),
  }
}

const keyOf = ({ address, args, depth }: CallView): string => JSON.stringify([address, args, depth])

const callText = ({ address, args, depth = 0 }: CallView): string =>
  `${"  ".repeat(depth)}${withoutRoot(safeLine(address))} ${fitText(safeLine(argsText(args)), argsWidthMax)}`

/** What a model wrote and no tool took is kept as it was written. */
const argsText = (args: unknown): string =>
  isRecord(args) && typeof args["written"] === "string" && Object.keys(args).length === 1 ? args["written"] : (JSON.stringify(args) ?? "")

function callLine(call: CallView, { err }: Screen): string {
  const { error, ms } = call
  const end = error === undefined ? (ms === null ? "" : `${Math.round(ms)} ms`) : safeLine(`${error.code}: ${error.message}`)
  return `${error === undefined ? err.green("✓") : err.red("✗")} ${callText(call)} ${err.dim(end)}`.trimEnd()
}

function isSame(words: string, output: unknown): boolean {
  if (typeof output === "string") return words.trim() === output.trim()
  try {
    return JSON.stringify(JSON.parse(words)) === JSON.stringify(output)
  } catch {
    return false
  }
}

/** Null where a run has not ended. */
export function usageText({ executionId, structured }: ExecutionReply): string | null {
  if (structured.status === "waiting_for_interaction" || structured.usage === undefined) return null
  const { steps, calls, inputTokens, outputTokens, cachedInputTokens, costUsd } = structured.usage
  const cached = cachedInputTokens === undefined ? "" : ` (${cachedInputTokens} cached)`
  const cost = costUsd === undefined ? "" : `, ${costText(costUsd)}`
  return `${safeLine(executionId)}: ${counted(steps, "step")}, ${counted(calls, "call")}, ${inputTokens} tokens in${cached}, ${outputTokens} out${cost}`
}
