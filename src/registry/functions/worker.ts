// The thread of synchronous functions: imports their module, and runs one after the other.
import { parentPort, workerData } from "node:worker_threads"
import { definedHere, markFunctionThread } from "./define.ts"
import { answerOf } from "./result-json.ts"
import type { FunctionAnswer, FunctionJob, FunctionThreadData } from "./thread-message.ts"

const { resolverUrl } = workerData as FunctionThreadData // given by `createFunctions`
const here = definedHere()
/** By URL: null once a module is imported, otherwise why it is not. */
const imports = new Map<string, Promise<string | null>>()

markFunctionThread()
parentPort?.on("message", (job: FunctionJob) => void perform(job).then((answer) => parentPort?.postMessage(answer, [])))

async function perform(job: FunctionJob): Promise<FunctionAnswer> {
  const key = `${job.moduleUrl}#${job.name}`
  const problem = here.functions.has(key) ? null : await load(job.moduleUrl, key)
  const found = here.functions.get(key)
  if (found === undefined)
    return { ok: false, reason: "not_loaded", message: problem ?? "its module does not define it when a thread imports it" }
  return answerOf(() => found.run(job.args as never), job.resultBytesMax) // a function says itself which arguments it takes
}

/** A program that goes on after it has defined its functions, perhaps for ever, is not waited for. */
function load(moduleUrl: string, key: string): Promise<string | null> {
  const { promise: defined, resolve } = Promise.withResolvers<null>()
  const listener = (): void => void (here.functions.has(key) && resolve(null))
  here.listeners.add(listener)
  const imported = imports.get(moduleUrl) ?? importModule(moduleUrl)
  imports.set(moduleUrl, imported)
  return Promise.race([defined, imported]).finally(() => here.listeners.delete(listener))
}

async function importModule(moduleUrl: string): Promise<string | null> {
  try {
    if (resolverUrl !== null) {
      const { resolveOwnPackage } = (await import(resolverUrl)) as { resolveOwnPackage(url: string): unknown } // `preset/plugin-resolve.ts`
      resolveOwnPackage(moduleUrl)
    }
    await import(moduleUrl)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
