// Sends the calls of an execution, and knows which of them are still waited for when its code has ended.
//
// The order of events. Calls leave in the order in which the code asked for them, as many at a time as are allowed.
// `store` and `load` of one key go one after the other, so that a value is what the code last stored whether it
// waited or not. Code may end before a call it asked for has left: that call is made all the same, since a call that
// was written is meant, and the execution ends with its answer. A call that is under way by then is not waited
// for, or a race against a timer would last as long as its loser. Code that throws calls no more tools. A `store` or
// `load` is always waited for: it is short, and what comes after it depends on it.
import type { GuestContext } from "./end.ts"
import type { AskedCall, GuestRun } from "./run.ts"
import { callKinds, toPool } from "../protocol.ts"

const toolKind = callKinds.indexOf("tool")

/** Registers a call that the code asks for. */
export function addCall(run: GuestRun, call: AskedCall, isReplaying: boolean): void {
  if (isReplaying) run.asked.set(call.key, call)
  else run.queued.push(call)
  if (call.kind !== toolKind) run.openValues.add(call.seq)
  if (run.codeEnd !== "none") leaveBehind(run, call)
}

/** Between two recorded events the recorded run sent what it could; so much of what is asked by now was sent by it. */
export function noteSentBefore(run: GuestRun, callsInFlightMax: number): void {
  run.sentBefore = Math.min(run.callsAsked, run.answersReplayed + callsInFlightMax)
}

export function sendCalls(run: GuestRun, context: GuestContext): void {
  for (const call of run.asked.values()) run.queued.push(call)
  run.asked.clear()
  while (run.queued.length > 0 && run.inFlight.size < context.options.callsInFlightMax) {
    const call = run.queued.shift()
    if (!call) break
    if (run.codeEnd !== "none" && !run.leftBehind.has(call.seq)) continue
    if (call.kind !== toolKind && !takeValue(run, call)) continue
    run.queuedArgsBytes -= call.argsJson.length
    run.inFlight.add(call.seq)
    run.keys.set(call.seq, call.key)
    context.post(toPool.call, run.no, call.seq, call.key, call.kind, call.path, call.argsJson, call.line)
  }
}

/** A call has its answer: whoever waited for it is next. */
export function callAnswered(run: GuestRun, seq: number): void {
  run.leftBehind.delete(seq)
  run.openValues.delete(seq)
  if (run.valuesInFlight.size === 0) return
  for (const [path, holder] of run.valuesInFlight) {
    if (holder !== seq) continue
    run.valuesInFlight.delete(path)
    const next = run.held.findIndex((call) => call.path === path)
    if (next >= 0) run.queued.unshift(...run.held.splice(next, 1))
  }
}

/** Whether this `store` or `load` may go now; otherwise it is held. */
function takeValue(run: GuestRun, call: AskedCall): boolean {
  if (run.valuesInFlight.has(call.path)) {
    run.held.push(call)
    return false
  }
  run.valuesInFlight.set(call.path, call.seq)
  return true
}

/** Whether calls are still waited for now that the code's promise has settled. */
export function waitsForCalls(run: GuestRun, end: "returned" | "threw"): boolean {
  if (run.codeEnd === "none") {
    run.codeEnd = end
    for (const seq of run.openValues) run.leftBehind.add(seq)
    // In a replay, calls that the recorded run had sent are not among them.
    for (const call of run.asked.values()) if (call.seq >= run.sentBefore) leaveBehind(run, call)
    for (const call of run.queued) leaveBehind(run, call)
  }
  return run.leftBehind.size > 0
}

function leaveBehind(run: GuestRun, call: AskedCall): void {
  if (call.kind === toolKind) run.callsLeftBehind.push(call)
  if (run.codeEnd === "returned" || call.kind !== toolKind) run.leftBehind.add(call.seq)
}
