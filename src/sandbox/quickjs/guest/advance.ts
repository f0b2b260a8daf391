// Moves an execution inside a worker: starts it, delivers what settles, replays what was recorded, and says what is left.
//
// The order of events. One event at a time enters the guest, and all jobs it causes run before the next one: an answer
// that came alone and one that came in a batch are then the same to the code. While recorded events are left they come
// first, and nothing the code asks leaves the worker; a recorded answer that nobody asked for ends the run before
// any call is made. After that calls go out, and when nothing in the guest can run, the run waits, pauses or ends.
import { compileCode } from "../code/compile.ts"
import { callAnswered, noteSentBefore, sendCalls, waitsForCalls } from "./calls.ts"
import type { End, GuestContext } from "./end.ts"
import { endReturned, endRun, endStopped, endThrown, finishCall, isOutOfMemory, takeFailure } from "./end.ts"
import { describeError } from "./error-read.ts"
import { memoryMessage } from "./entry.ts"
import type { GuestRun } from "./run.ts"
import { isReplaying, recordedAt, stopRun } from "./run.ts"
import { modes, replayFields, tickForm, toPool } from "../protocol.ts"
import type { Vm } from "../vm/vm.ts"

const fulfilled = 1
const rejected = 2
const jobsPerCheck = 256
const shapeNumbers = { body: 0, expression: 1, module: 2 } as const

export function startRun(run: GuestRun, context: GuestContext): void {
  withGuest(run, context, (vm) => {
    const compilation = compileCode(run.code, vm, (exception) => describeError(exception, vm, context))
    if (!compilation.ok) {
      const { error } = compilation
      if (isOutOfMemory(error.name, error.message)) return stopRun(run, "memory_limit", memoryMessage)
      return endRun(run, { status: "syntax", first: error.name, second: error.message, ...position(error) }, context)
    }
    if ((run.mode & modes.onlyParsed) !== 0) return endRun(run, { status: "nothing", first: "", second: "" }, context)
    run.compiled = compilation.code
    const shape = vm.exports.qjs_new_number(shapeNumbers[compilation.code.shape])
    const mode = vm.exports.qjs_new_number(run.mode)
    const input = run.inputJson === "" ? [] : [vm.parseJson(run.inputJson)]
    run.promise = vm.call(context.template.entries.start, compilation.code.pointer, shape, mode, ...input)
    drain(run, vm, context)
  })
}

export function deliverAnswer(run: GuestRun, seq: number, form: number, json: string, atMs: number, context: GuestContext): void {
  run.inFlight.delete(seq)
  run.keys.delete(seq)
  run.pending.delete(seq)
  callAnswered(run, seq)
  withGuest(run, context, (vm) => settle(run, seq, form, json, atMs, vm, context))
}

export function deliverTick(run: GuestRun, atMs: number, context: GuestContext): void {
  run.wakeSentMs = -1
  withGuest(run, context, (vm) => tick(run, atMs, vm, context))
}

/** The call waits for a human: its place is free for others. */
export function deliverPending(run: GuestRun, seq: number, context: GuestContext): void {
  run.inFlight.delete(seq)
  run.pending.add(seq)
  whenIdle(run, context)
}

function withGuest(run: GuestRun, context: GuestContext, work: (vm: Vm) => void): void {
  const { vm } = context.instances.instanceOf(run)
  const { isBroken } = context.entry.enter(run, () => {
    work(vm)
    while (context.runs.has(run.no) && run.stop === null && !endedByItself(run, vm, context) && isReplaying(run))
      replayNext(run, vm, context)
  })
  if (run.stop) endStopped(run, context)
  if (!context.runs.has(run.no)) context.instances.release(run, isBroken ? "broken" : "sound")
  else whenIdle(run, context)
}

function replayNext(run: GuestRun, vm: Vm, context: GuestContext): void {
  const event = recordedAt(run, run.replayAt)
  run.replayAt += replayFields
  noteSentBefore(run, context.options.callsInFlightMax)
  if (event.form === tickForm) return tick(run, event.atMs, vm, context)
  const call = run.asked.get(event.key)
  if (!call) return stopRun(run, "replay_diverged", "The code made different calls from those in the journal.")
  run.asked.delete(event.key)
  run.queuedArgsBytes -= call.argsJson.length
  run.answersReplayed += 1
  callAnswered(run, call.seq)
  return settle(run, call.seq, event.form, event.json, event.atMs, vm, context)
}

function settle(run: GuestRun, seq: number, form: number, json: string, atMs: number, vm: Vm, context: GuestContext): void {
  run.clockMs = Math.max(run.clockMs, atMs)
  const value = vm.parseJson(json)
  if (vm.isException(value)) return settleUnreadable(run, seq, vm, context)
  finishCall(vm.call(context.template.entries.settle, vm.exports.qjs_new_number(seq * 4 + form), value), run, vm, context)
  return drain(run, vm, context)
}

/** An answer that is no JSON, or too large for what is left of the memory, concerns its own call only. */
function settleUnreadable(run: GuestRun, seq: number, vm: Vm, context: GuestContext): void {
  const [name, message] = describeError(vm.takeException(), vm, context)
  if (isOutOfMemory(name, message)) return stopRun(run, "memory_limit", memoryMessage)
  const failure = vm.parseJson('{"code":"internal","message":"The answer could not be read."}')
  finishCall(vm.call(context.template.entries.settle, vm.exports.qjs_new_number(seq * 4 + 2), failure), run, vm, context)
  return drain(run, vm, context)
}

function tick(run: GuestRun, atMs: number, vm: Vm, context: GuestContext): void {
  run.clockMs = Math.max(run.clockMs, atMs)
  for (;;) {
    const fired = vm.call(context.template.entries.fireTimer)
    if (vm.isException(fired)) return failUncaught(run, fired, vm, context)
    const didFire = vm.exports.qjs_get_float64(fired) === 1
    vm.exports.qjs_free_value(fired)
    drain(run, vm, context)
    if (!didFire || run.stop !== null) return
  }
}

/** An error that leaves a timer has no promise to go to; like anywhere else, it ends the program. */
function failUncaught(run: GuestRun, result: number, vm: Vm, context: GuestContext): void {
  vm.exports.qjs_free_value(result)
  endThrown(run, vm.takeException(), vm, context)
}

function drain(run: GuestRun, vm: Vm, context: GuestContext): void {
  const { exports } = vm
  for (let jobs = 1; run.stop === null && exports.qjs_is_job_pending() !== 0; jobs++) {
    if (exports.qjs_execute_pending_job() < 0) takeFailure(run, vm, context)
    if (jobs % jobsPerCheck === 0 && context.entry.shouldInterrupt()) return
  }
}

/** Whether the promise of the code has settled and nothing else is waited for; then the run is over. */
function endedByItself(run: GuestRun, vm: Vm, context: GuestContext): boolean {
  if (!context.runs.has(run.no)) return true
  const state = vm.exports.qjs_promise_state(run.promise)
  if (state !== fulfilled && state !== rejected) return false
  if (waitsForCalls(run, state === fulfilled ? "returned" : "threw")) return false
  if (hasUnaskedAnswer(run)) {
    stopRun(run, "replay_diverged", "The code ended without making calls that are in the journal.")
    return true
  }
  const result = vm.exports.qjs_promise_result(run.promise)
  if (state === rejected) endThrown(run, result, vm, context)
  else endReturned(run, result, vm, context)
  return true
}

/** Answers that came after the code had ended are fine; answers to what was never asked are not. */
function hasUnaskedAnswer(run: GuestRun): boolean {
  for (let index = run.replayAt; index < run.replay.length; index += replayFields) {
    const event = recordedAt(run, index)
    if (event.form !== tickForm && !run.asked.has(event.key)) return true
  }
  return false
}

/** Nothing in the guest can run: send what it asked for, and see what can move it. */
function whenIdle(run: GuestRun, context: GuestContext): void {
  sendCalls(run, context)
  if (run.timersDueMs !== run.wakeSentMs) {
    run.wakeSentMs = run.timersDueMs
    context.post(toPool.wake, run.no, run.timersDueMs)
  }
  if (canMove(run)) return undefined
  if (run.pending.size > 0)
    return endAndRelease(
      run,
      { status: "waiting", first: Array.from(run.pending, (seq) => run.keys.get(seq) ?? "").join("\n"), second: "" },
      context,
    )
  if (run.timersDueMs >= 0) return undefined
  return endAndRelease(run, { status: "thrown", first: "Error", second: neverSettles }, context)
}

/** Whether anything but a human can move it. When the code has ended, only the calls it left behind count. */
function canMove(run: GuestRun): boolean {
  if (run.codeEnd === "none") return run.inFlight.size > 0 || run.timeouts > 0
  for (const seq of run.leftBehind) if (!run.pending.has(seq)) return true
  return false
}

const neverSettles = "The code waits for a promise that nothing can settle: no call is in progress and no timer is pending."

function endAndRelease(run: GuestRun, end: End, context: GuestContext): void {
  endRun(run, end, context)
  context.instances.release(run, "sound")
}

const position = (error: { readonly line?: number; readonly column?: number }): { line?: number; column?: number } => ({
  ...(error.line === undefined ? {} : { line: error.line }),
  ...(error.column === undefined ? {} : { column: error.column }),
})
