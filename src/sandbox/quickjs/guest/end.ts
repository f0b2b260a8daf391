// How a run ends inside a worker: with a value, an error, a stop, and what the pool is told of it.
import { framePosition, importPosition } from "../code/compile.ts"
import { readShapes } from "../code/data-shape.ts"
import { takeDestructured } from "../code/envelope.ts"
import { explainFailure, isOfNothing } from "../code/failure.ts"
import { returnsValue } from "../code/return.ts"
import type { GuestEntryPoint } from "./entry.ts"
import { memoryMessage } from "./entry.ts"
import { describeError } from "./error-read.ts"
import type { GuestInstances } from "./instances.ts"
import type { GuestMemory } from "./memory.ts"
import type { MemoryRelease } from "./memory-release.ts"
import { postForgottenReturn, postNotices } from "./notices.ts"
import { wellFormedJson } from "./json-well-formed.ts"
import type { GuestRun } from "./run.ts"
import { stopRun } from "./run.ts"
import type { EndStatus, Field } from "../protocol.ts"
import { endStatuses, modes, toPool } from "../protocol.ts"
import type { Template } from "../vm/template.ts"
import { importMessage } from "../vm/instance.ts"
import type { Vm } from "../vm/vm.ts"
import type { WorkerOptions } from "../worker-options.ts"

export type GuestContext = {
  readonly options: WorkerOptions
  readonly template: Template
  readonly instances: GuestInstances
  readonly memory: GuestMemory
  readonly entry: GuestEntryPoint
  readonly memoryRelease: MemoryRelease
  readonly runs: Map<number, GuestRun>
  post(...fields: Field[]): void
}

export type End = {
  readonly status: EndStatus
  readonly first: string
  readonly second: string
  /** Of a ToolError: JSON of what failed. */
  readonly third?: string
  readonly line?: number
  readonly column?: number
}

/** Ends a run from outside the guest. */
export function endRun(run: GuestRun, end: End, context: GuestContext): void {
  if (!context.runs.delete(run.no)) return
  context.post(
    toPool.end,
    run.no,
    endStatuses.indexOf(end.status),
    end.first,
    end.second,
    end.third ?? "",
    end.line ?? 0,
    end.column ?? 0,
    context.entry.cpuMsOf(run),
    run.logsDropped,
  )
}

export function endReturned(run: GuestRun, result: number, vm: Vm, context: GuestContext): void {
  const rendered = vm.call(context.template.entries.finish, result)
  if (vm.isException(rendered)) return finishCall(rendered, run, vm, context)
  const text = vm.readText(rendered) ?? ""
  if (run.stop !== null) return undefined
  if (text === "u" && run.missingReads.destructured !== "" && returnsValue(run.code)) return endMissing(run, vm, context)
  if (text.startsWith("x"))
    return stopRun(run, "output_limit", `A result is limited to ${context.options.prelude.resultCharsMax} characters; return a summary.`)
  postNotices(run, vm, context)
  if (run.stop !== null) return undefined
  if (text === "u") postForgottenReturn(run, context)
  if (text === "u") return endRun(run, { status: "nothing", first: "", second: "" }, context)
  context.memoryRelease.left(text.length)
  return endRun(run, { status: "returned", first: wellFormedJson(text.slice(1)), second: "" }, context)
}

/** What the code was to return is what an envelope does not have. */
function endMissing(run: GuestRun, vm: Vm, context: GuestContext): void {
  const message = `The code returned undefined. ${takeDestructured(run)}`
  postNotices(run, vm, context)
  if (run.stop === null) endRun(run, { status: "thrown", first: "TypeError", second: message }, context)
}

export function endThrown(run: GuestRun, error: number, vm: Vm, context: GuestContext): void {
  const [name, message, stack, tool, told, shapes] = describeError(error, vm, context)
  if (run.stop !== null) return undefined
  if (isOutOfMemory(name, message)) return stopRun(run, "memory_limit", memoryMessage)
  if (name === "InternalError" && message === "string too long") return stopRun(run, "memory_limit", stringMessage)
  const hint = told === "" && isOfNothing(message) ? takeDestructured(run) : told
  const failed = run.compiled
    ? explainFailure(message, stack, run.code, run.compiled, { hint, shapes: readShapes(shapes), isRaw: (run.mode & modes.raw) !== 0 })
    : { message, at: framePosition(stack) }
  const at = failed.at ?? (message === importMessage ? importPosition(run.code) : null)
  postNotices(run, vm, context)
  if (run.stop !== null) return undefined
  return endRun(run, { status: "thrown", first: name, second: failed.message, third: tool, ...at }, context)
}

export function endStopped(run: GuestRun, context: GuestContext): void {
  const { reason, message } = run.stop ?? { reason: "dropped", message: "" }
  switch (reason) {
    case "dropped":
      context.runs.delete(run.no)
      return undefined
    case "moved":
      return endRun(run, { status: "moved", first: "", second: "" }, context)
    case "crashed":
      return endRun(run, { status: "crashed", first: message, second: "" }, context)
    case "stack":
      return endRun(run, { status: "thrown", first: "RangeError", second: message }, context)
    case "timeout":
    case "cpu_limit":
    case "memory_limit":
    case "output_limit":
    case "cancelled":
    case "replay_diverged":
      return endRun(run, { status: "stopped", first: reason, second: message }, context)
  }
}

export function finishCall(result: number, run: GuestRun, vm: Vm, context: GuestContext): void {
  const isException = vm.isException(result)
  vm.exports.qjs_free_value(result)
  if (isException) takeFailure(run, vm, context)
}

/** The machinery itself failed, not the code: that is an interrupt, or memory that ran out. */
export function takeFailure(run: GuestRun, vm: Vm, context: GuestContext): void {
  const exception = vm.takeException()
  if (run.stop !== null) return vm.exports.qjs_free_value(exception)
  const [name, message] = describeError(exception, vm, context)
  if (isOutOfMemory(name, message)) stopRun(run, "memory_limit", memoryMessage)
}

/** Some parts of the engine add where they were. */
export const isOutOfMemory = (name: string, message: string): boolean => name === "InternalError" && message.startsWith("out of memory")

const stringMessage = "The code made a text that is too long: one may have 1,073,741,823 characters."
