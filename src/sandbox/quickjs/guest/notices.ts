// The sandbox's own notices at the end of an execution: calls that were not awaited, rejections that were not handled.
import type { GuestContext } from "./end.ts"
import { describeError } from "./error-read.ts"
import type { AskedCall, GuestRun } from "./run.ts"
import { explainFailure } from "../code/failure.ts"
import { forgottenReturn } from "../code/return.ts"
import { toPool } from "../protocol.ts"
import type { Vm } from "../vm/vm.ts"
import type { WorkerOptions } from "../worker-options.ts"
import { emittedMax } from "../worker-options.ts"

/** How many are watched at a time: each holds its promise. */
const rejectionsMax = 20
/** More of them say nothing new. */
const rejectionsShownMax = 5
const rejectionCharsMax = 1000

export function postNotices(run: GuestRun, vm: Vm, context: GuestContext): void {
  const notices = [...callNotices(run), ...emitNotices(run, context.options), ...guestNotices(vm, context), ...run.missingReads.notices]
  for (const text of notices) context.post(toPool.notice, run.no, text)
  if (run.rejections.size > 0) postRejections(run, vm, context)
}

/** Code that has shown something by other means may well have meant to return nothing. */
export function postForgottenReturn(run: GuestRun, context: GuestContext): void {
  if (run.emitted > 0 || run.logLines > 0 || run.compiled?.shape !== "body") return
  const text = forgottenReturn(run.code)
  if (text !== null) context.post(toPool.notice, run.no, text)
}

function callNotices(run: GuestRun): string[] {
  const isMade = run.codeEnd === "returned"
  return [
    countCalls(run.callsLeftBehind.length, (calls, they) =>
      isMade
        ? `${calls} not awaited: ${they} made after the code had returned. \`await\` every call.`
        : `${calls} not made, because the code failed first: ${callsText(run.callsLeftBehind)}`,
    ),
    isMade && run.timeouts > 0
      ? `${run.timeouts === 1 ? "1 timer" : `${run.timeouts} timers`} had not fired when the code returned; await what it does.`
      : "",
  ].filter((text) => text !== "")
}

const callsToldMax = 5
const argsCharsMax = 100

function callsText(calls: readonly AskedCall[]): string {
  const named = calls.slice(0, callsToldMax).map(({ path, argsJson }) => {
    const args = argsJson.length > argsCharsMax ? `${argsJson.slice(0, argsCharsMax)}…` : argsJson
    return `${path}(${args === "{}" ? "" : args})`
  })
  return `${named.join(", ")}${calls.length > callsToldMax ? ` and ${calls.length - callsToldMax} more` : ""}`
}

function emitNotices({ emitsDropped }: GuestRun, options: WorkerOptions): string[] {
  if (emitsDropped === 0) return []
  const limit = `emit() is limited to ${options.emittedBytesMax} bytes and ${emittedMax(options)} values per execution.`
  return [`${emitsDropped === 1 ? "1 emitted value was" : `${emitsDropped} emitted values were`} dropped: ${limit}`]
}

const noticesMax = 10
const noticeCharsMax = 2000

/** What the prelude has to say. Its tools may have been patched by the guest, so that nothing is taken on trust. */
function guestNotices(vm: Vm, context: GuestContext): string[] {
  const notices = vm.call(context.template.entries.notices)
  const isThrown = vm.isException(notices)
  const text = isThrown ? "" : (vm.readText(notices) ?? "")
  if (isThrown) vm.exports.qjs_free_value(vm.takeException())
  vm.exports.qjs_free_value(notices)
  if (text === "") return []
  return text.split("\n", noticesMax).map((line) => line.slice(0, noticeCharsMax).toWellFormed())
}

const countCalls = (count: number, text: (calls: string, they: string) => string): string =>
  count === 0 ? "" : count === 1 ? text("1 call was", "it was") : text(`${count} calls were`, "they were")

/** The engine tells when a promise is rejected without a handler, and when it gets one after all. The boxes are ours. */
export function noteRejection(run: GuestRun | null, promise: number, reason: number, isHandled: boolean, vm: Vm): void {
  const { exports } = vm
  const address = exports.qjs_get_value_ptr(promise)
  const known = run?.rejections.get(address)
  if (run && !isHandled && !known && run.rejections.size < rejectionsMax) {
    run.rejections.set(address, { promise, reason })
    return
  }
  for (const box of [promise, reason, ...(isHandled && known ? [known.promise, known.reason] : [])]) exports.qjs_free_value(box)
  if (isHandled) run?.rejections.delete(address)
}

function postRejections(run: GuestRun, vm: Vm, context: GuestContext): void {
  // The promise of the code itself is no rejection that was forgotten: it is how the execution ends.
  const own = vm.exports.qjs_get_value_ptr(run.promise)
  let left = rejectionsShownMax
  for (const [address, { promise, reason }] of run.rejections) {
    vm.exports.qjs_free_value(promise)
    if (address === own || left === 0) {
      vm.exports.qjs_free_value(reason)
      continue
    }
    left -= 1
    const [name, message, stack] = describeError(reason, vm, context)
    if (run.stop !== null) return
    const failed = run.compiled ? explainFailure(message, stack, run.code, run.compiled) : { message, at: null }
    const where = failed.at ? ` (line ${failed.at.line})` : ""
    context.post(toPool.notice, run.no, `Unhandled rejection: ${name}: ${failed.message.slice(0, rejectionCharsMax)}${where}`)
  }
  run.rejections.clear()
}
