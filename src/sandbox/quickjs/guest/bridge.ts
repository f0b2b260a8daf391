// The host functions of the prelude, answered inside the worker. The arguments are a guest's: none is trusted.
import { hash } from "node:crypto"
import { isWiderThan } from "../../../core/json/shape.ts"
import { explainMissing } from "../code/envelope.ts"
import { addCall } from "./calls.ts"
import type { AskedCall, GuestRun } from "./run.ts"
import { isReplaying, stopRun } from "./run.ts"
import { answerLocale } from "./locale.ts"
import { memoryMessage } from "./entry.ts"
import { wellFormedJson } from "./json-well-formed.ts"
import type { Bridge } from "../prelude/kit.ts"
import { bridgeNames, callRefusals, decodeFailures } from "../prelude/kit.ts"
import { callKinds, logLevels, toPool } from "../protocol.ts"
import type { Field } from "../protocol.ts"
import type { Vm } from "../vm/vm.ts"
import { VmStop } from "../vm/vm.ts"
import type { WorkerOptions } from "../worker-options.ts"
import { emittedMax, queuedArgsBytesMax } from "../worker-options.ts"

/** Far more than any tool or key may have; the host refuses it for what it is. */
const pathCharsMax = 1024
const emitsDroppedLevel = -2

type Answer = (run: GuestRun, args: readonly number[], vm: Vm) => number

export type GuestBridge = (index: number, args: readonly number[], vm: Vm) => number

const textAt = (vm: Vm, args: readonly number[], index: number): string => {
  const arg = args[index]
  return arg !== undefined && vm.exports.qjs_is_string(arg) !== 0 ? (vm.readText(arg) ?? "") : ""
}
const numberAt = (vm: Vm, args: readonly number[], index: number): number => {
  const arg = args[index]
  return arg !== undefined && vm.exports.qjs_is_number(arg) !== 0 ? vm.exports.qjs_get_float64(arg) : -1
}
const nothing = (vm: Vm): number => vm.exports.qjs_get_undefined()

export function createGuestBridge(options: WorkerOptions, current: () => GuestRun | null, post: (...fields: Field[]) => void): GuestBridge {
  const answers: Record<keyof Bridge, Answer> = {
    call(run, args, vm) {
      const path = textAt(vm, args, 1).slice(0, pathCharsMax)
      return vm.exports.qjs_new_number(ask(run, numberAt(vm, args, 0), path, textAt(vm, args, 2), numberAt(vm, args, 3), options))
    },
    log(run, args, vm) {
      const level = numberAt(vm, args, 0)
      if (logLevels[level] === undefined) {
        const dropped = Math.max(0, Number.parseInt(textAt(vm, args, 1), 10) || 0)
        if (level === emitsDroppedLevel) run.emitsDropped += dropped
        else run.logsDropped += dropped
        return nothing(vm)
      }
      const room = options.prelude.logBytesMax - run.logBytes
      if (run.logLines >= options.prelude.logLinesMax || room <= 0) {
        run.logsDropped += 1
      } else {
        const text = cutToBytes(textAt(vm, args, 1), room)
        run.logLines += 1
        run.logBytes += Buffer.byteLength(text)
        post(toPool.log, run.no, level, text)
      }
      return nothing(vm)
    },
    emit(run, args, vm) {
      const json = wellFormedJson(textAt(vm, args, 0))
      const bytes = Buffer.byteLength(json)
      if (bytes > emitRoom(run, options)) {
        run.emitsDropped += 1
      } else {
        run.emitted += 1
        run.emittedBytes += bytes
        post(toPool.emit, run.no, json)
      }
      return vm.exports.qjs_new_number(emitRoom(run, options))
    },
    timers(run, args, vm) {
      run.timersDueMs = numberAt(vm, args, 0)
      run.timeouts = numberAt(vm, args, 1)
      return nothing(vm)
    },
    random: (run, args, vm) => vm.newBytes(run.random.take(Math.min(65_536, Math.max(0, numberAt(vm, args, 0))))),
    url: (_run, args, vm) => answerUrl(vm, textAt(vm, args, 0), textAt(vm, args, 1), textAt(vm, args, 2)),
    locale: (_run, args, vm) =>
      vm.newText(answerLocale(textAt(vm, args, 0), textAt(vm, args, 1), textAt(vm, args, 2), textAt(vm, args, 3))),
    digest(_run, args, vm) {
      const algorithm = digestAlgorithms[textAt(vm, args, 0).toUpperCase()]
      if (algorithm === undefined) return nothing(vm)
      return vm.newBytes(hash(algorithm, vm.readBytes(args[1] ?? 0), "buffer"))
    },
    encode: (_run, args, vm) => vm.newBytes(Buffer.from(textAt(vm, args, 0))),
    decode: (_run, args, vm) => answerDecode(vm, textAt(vm, args, 0), textAt(vm, args, 1), args[2] ?? 0),
    missing: (run, args, vm) => vm.newText(explainMissing(run, textAt(vm, args, 0), textAt(vm, args, 1), textAt(vm, args, 2))),
  }
  return (index, args, vm) => {
    const run = current()
    const name = bridgeNames[index]
    if (run === null || name === undefined) return nothing(vm)
    const answer = answers[name](run, args, vm)
    // The guest could catch an error, and an interrupt waits for the next poll; nothing catches this.
    if (run.stop !== null) throw new VmStop()
    return answer
  }
}

/** Registers a call. It is sent once no recorded answer stands before it and a place is free. */
function ask(run: GuestRun, kind: number, path: string, argsJson: string, line: number, options: WorkerOptions): number {
  const callKind = callKinds[kind]
  if (callKind === undefined || run.callsAsked >= options.prelude.callsMax) return callRefusals.callsMax
  if (argsJson.length > options.prelude.argsBytesMax || Buffer.byteLength(argsJson) > options.prelude.argsBytesMax)
    return callRefusals.argsBytesMax
  // Here, because the server's thread would have to read them before it could refuse them; what is stored it never reads.
  const shapeMax = { objectKeys: options.prelude.argsObjectKeysMax, values: options.prelude.argsValuesMax }
  if (callKind === "tool" && isWiderThan(argsJson, shapeMax)) return callRefusals.argsShapeMax
  const seq = run.callsAsked++
  const call: AskedCall = { seq, key: run.counter.keyOf(callKind, path, argsJson), kind, path, argsJson, line }
  addCall(run, call, isReplaying(run))
  run.queuedArgsBytes += argsJson.length
  if (run.queuedArgsBytes > queuedArgsBytesMax) stopRun(run, "memory_limit", memoryMessage)
  return seq
}

const emitRoom = (run: GuestRun, options: WorkerOptions): number =>
  run.emitted < emittedMax(options) ? options.emittedBytesMax - run.emittedBytes : 0

const digestAlgorithms: Record<string, string> = { "SHA-1": "sha1", "SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512" }

function cutToBytes(text: string, bytesMax: number): string {
  return Buffer.byteLength(text) <= bytesMax ? text : Buffer.from(text).subarray(0, bytesMax).toString("utf8")
}

const urlParts = ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"] as const
type WritableUrlPart = Exclude<(typeof urlParts)[number], "origin">
const isWritable = (property: string): property is WritableUrlPart =>
  property !== "origin" && (urlParts as readonly string[]).includes(property)

function answerUrl(vm: Vm, property: string, href: string, value: string): number {
  try {
    const url = new URL(href, property === "resolve" ? value : undefined)
    if (isWritable(property)) url[property] = value
    return vm.newText(JSON.stringify(Object.fromEntries(urlParts.map((part) => [part, url[part]]))))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return vm.newText("")
  }
}

function answerDecode(vm: Vm, label: string, flags: string, bytes: number): number {
  try {
    const decoder = new TextDecoder(label, { fatal: flags.includes("f"), ignoreBOM: flags.includes("b") })
    return vm.newText(decoder.decode(vm.readBytes(bytes)))
  } catch (error) {
    if (error instanceof RangeError) return vm.exports.qjs_new_number(decodeFailures.label)
    if (error instanceof TypeError) return vm.exports.qjs_new_number(decodeFailures.bytes)
    throw error
  }
}
