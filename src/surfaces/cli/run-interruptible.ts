// Runs code so that Ctrl-C stops the execution, here or on the server, and not only the wait for it.
import { executorCommand } from "../../io/executor-command.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { ExecutionReply, ExecutionRequest } from "../../core/execution.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { ExecutorCommandContext } from "./command-action.ts"
import { reasonOf } from "./doctor/check.ts"
import { interruptedExitCode } from "./exit-code.ts"
import { durationText } from "./option-parse.ts"
import type { Screen } from "./print/screen.ts"
import { safeLine } from "../../core/text/safe.ts"
import { UsageError } from "./usage-error.ts"

/** npx passes on the signal that the terminal has sent already; a person who means it twice takes longer. */
const echoMs = 500

export async function runInterruptible(
  code: string,
  options: Omit<ExecutionRequest, "code">,
  context: ExecutorCommandContext,
): Promise<ExecutionReply> {
  const { api, place, screen } = context
  const abort = new AbortController()
  const isHere = place.kind === "process"
  const stop = async (): Promise<void> => (isHere ? abort.abort() : stopOnServer(code, api))
  try {
    return await stopOnInterrupt({ what: "execution", byHand, stop }, screen, () =>
      api.run(code, isHere ? { ...options, signal: abort.signal } : options),
    )
  } catch (error) {
    throw aboutTimeout(error)
  }
}

export type Stoppable = {
  readonly what: string
  /** How to stop it where that fails. */
  readonly byHand: string
  stop(): Promise<void>
}

/** The first Ctrl-C stops the work and waits for its end, the second leaves. */
export async function stopOnInterrupt<T>({ what, byHand: hint, stop }: Stoppable, screen: Screen, work: () => Promise<T>): Promise<T> {
  let askedAtMs: number | null = null
  const interrupt = (): void => {
    if (askedAtMs !== null) {
      if (Date.now() - askedAtMs > echoMs) process.exit(interruptedExitCode)
      return
    }
    askedAtMs = Date.now()
    screen.note(`${screen.isErrTerminal ? "\r\u001b[K" : ""}Stopping the ${what}; press Ctrl-C again to leave without waiting`)
    stop().catch((error: unknown) => {
      screen.note(`Could not stop the ${what}: ${safeLine(reasonOf(error))}. ${hint}`)
      process.exit(interruptedExitCode)
    })
  }
  process.on("SIGINT", interrupt)
  try {
    return await work()
  } finally {
    process.off("SIGINT", interrupt)
  }
}

/** The API speaks of its own field, in milliseconds. */
function aboutTimeout(error: unknown): unknown {
  const bound = error instanceof ExecutorError ? /\btimeoutMs\b.* (\d+)$/.exec(error.message)?.[1] : undefined
  if (bound === undefined) return error
  const range = bound === "1" ? "at least 1ms" : `at most ${durationText(Number(bound))}`
  return new UsageError(`--timeout must be ${range}, e.g. 90s or 2m; a number alone means seconds`)
}

const byHand = `Find it with ${executorCommand} executions list --status running, and stop it with ${executorCommand} executions cancel <id>`

/** A server goes on when its client leaves, and tells the execution's id with its end: it is found by its code, if only one has it. */
async function stopOnServer(code: string, api: ExecutorApi): Promise<void> {
  const { items } = await api.executions.list({ status: "running" })
  const views = await Promise.all(items.map(({ executionId }) => api.executions.get(executionId)))
  const [found, ...more] = views.filter((one) => one.code === code && one.status === "running")
  if (found === undefined) throw new Error("It is not among the running executions")
  if (more.length > 0) throw new Error("Several executions are running the same code")
  await api.executions.cancel(found.executionId)
}
