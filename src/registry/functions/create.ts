// The registry of functions of one process: synchronous ones run in threads, asynchronous ones here with a deadline.
import { ExecutorError } from "../../core/errors.ts"
import type { Limits } from "../../core/limits.ts"
import { fail, succeed } from "../../core/result.ts"
import type { ToolFailure, ToolResult } from "../../core/result.ts"
import { nearestNames } from "../../arguments/arguments.ts"
import { createThreadPool } from "../../io/thread-pool.ts"
import type { ThreadPool } from "../../io/thread-pool.ts"
import { threadFile } from "../../io/thread.ts"
import type { DefinedFunction, DefinedFunctions } from "./define.ts"
import type { FunctionRegistry, FunctionRun } from "./functions.ts"
import { answerOf } from "./result-json.ts"
import type { FunctionAnswer, FunctionJob, FunctionThreadData } from "./thread-message.ts"

const memoryMbMax = 512
const nearestMax = 3

export type FunctionParts = {
  readonly limits: Pick<Limits, "responseBytesMax">
  /** Where threads find the resolver that lets a config file import this package. */
  readonly resolverUrl: string | null
}

export type Functions = FunctionRegistry & { close(): Promise<void> }

export function createFunctions(sets: readonly DefinedFunctions[], { limits, resolverUrl }: FunctionParts): Functions {
  const byName = new Map<string, DefinedFunction>()
  for (const one of sets.flatMap((set) => set.functions)) {
    if (byName.has(one.name)) throw new ExecutorError("invalid_request", `Two functions are called '${one.name}'; rename one of them`)
    byName.set(one.name, one)
  }
  const names = [...byName.keys()].toSorted()
  const data: FunctionThreadData = { resolverUrl }
  let pool: ThreadPool<FunctionJob, FunctionAnswer> | null = null
  const threads = (): ThreadPool<FunctionJob, FunctionAnswer> =>
    // It is the operator's own code, which may need their environment as it does here.
    (pool ??= createThreadPool({ name: "functions", file: threadFile("worker", import.meta.url), memoryMbMax, data, env: process.env }))
  const nearest = (name: string): readonly string[] => nearestNames(name, names, nearestMax)
  return {
    find: (name) => byName.get(name) ?? null,
    names: () => names,
    nearest,
    async call(name, args, run) {
      const found = byName.get(name)
      if (found === undefined) return unknownFunction(name, nearest(name), names.length)
      const resultBytesMax = limits.responseBytesMax
      if (found.runsIn === "process") return awaitFunction(found, args, run, resultBytesMax)
      const job = { moduleUrl: found.moduleUrl, name, args, resultBytesMax }
      const outcome = await threads().run({ ...run, job })
      switch (outcome.status) {
        case "done":
          return resultOf(name, outcome.answer, resultBytesMax)
        case "late":
          return late(name, run)
        case "cancelled":
          return cancelled
        case "crashed":
          return fail("upstream_error", `The function '${name}' could not finish: ${outcome.message}`)
      }
    },
    close: () => pool?.close() ?? Promise.resolve(),
  }
}

/** It cannot be stopped, but nobody waits for it longer than the deadline. */
async function awaitFunction(
  found: DefinedFunction,
  args: Record<string, unknown>,
  run: FunctionRun,
  bytesMax: number,
): Promise<ToolResult> {
  const { promise: ended, resolve } = Promise.withResolvers<ToolFailure>()
  const onAbort = (): void => resolve(cancelled)
  const timer = setTimeout(() => resolve(late(found.name, run)), run.timeoutMs)
  run.signal.addEventListener("abort", onAbort, { once: true })
  if (run.signal.aborted) onAbort()
  // A copy, as a thread would get: what the function does to it is nobody else's.
  const own = structuredClone(args) as never // a function says itself which arguments it takes
  try {
    return await Promise.race([ended, answerOf(() => found.run(own), bytesMax).then((answer) => resultOf(found.name, answer, bytesMax))])
  } finally {
    clearTimeout(timer)
    run.signal.removeEventListener("abort", onAbort)
  }
}

function resultOf(name: string, answer: FunctionAnswer, bytesMax: number): ToolResult {
  if (answer.ok) return succeed(JSON.parse(answer.json) as unknown)
  switch (answer.reason) {
    case "threw":
      return fail("upstream_error", answer.message || `The function '${name}' failed without saying why`)
    case "no_json":
      return fail("upstream_error", `The function '${name}' returned what cannot be written as JSON: ${answer.message}`)
    case "too_large":
      return fail("response_too_large", `The result of the function '${name}' is larger than ${bytesMax} bytes`)
    case "not_loaded":
      return fail("upstream_error", `The function '${name}' could not be loaded in a thread: ${answer.message}`)
  }
}

const cancelled = fail("timeout", "The call was cancelled", { retryable: false })

const late = (name: string, { timeoutMs }: FunctionRun): ToolFailure =>
  fail("timeout", `The function '${name}' did not return within ${timeoutMs} ms`)

export function unknownFunction(name: string, nearest: readonly string[], count: number): ToolFailure {
  const hint =
    nearest.length > 0
      ? ` Did you mean ${nearest.map((one) => `'${one}'`).join(", ")}?`
      : count === 0
        ? " No functions are registered: an operator defines them with defineFunctions in executor.config.ts."
        : ""
  return fail("not_found", `There is no function '${name.slice(0, 80)}'.${hint}`, { details: { suggestions: nearest } })
}
