// Follows a run of an agent at the command line: shows its events, asks for approvals in place, and cancels it on Ctrl-C.
import { setTimeout as sleep } from "node:timers/promises"
import type { AgentRunReply } from "../../../core/agents/agent.ts"
import type { ExecutionEvent, ExecutionReply } from "../../../core/execution.ts"
import { ExecutorError } from "../../../core/errors.ts"
import { safeJson } from "../../../core/text/safe.ts"
import { executorCommand } from "../../../io/executor-command.ts"
import { askUntilDone } from "../approvals/ask.ts"
import type { ExecutorCommandContext } from "../command-action.ts"
import type { ExitCode } from "../exit-code.ts"
import { printReply } from "../print/reply.ts"
import { stopOnInterrupt } from "../run-interruptible.ts"
import { createRunPrinter, usageText } from "./run-print.ts"
import type { RunPrinter } from "./run-print.ts"

/** How long after an answer a run may still look as if it waited for it. */
const resumeLookMs = 30

/** How long a command waits for a server to be back, and how often it looks. */
const serverAwayMsMax = 300_000
const serverLookMs = 250

export type FollowedRun = { readonly reply: ExecutionReply; readonly isLeft: boolean; readonly printer: RunPrinter }

/** `start`: begins the run and does not wait for it. */
export async function followRun(start: () => Promise<AgentRunReply>, context: ExecutorCommandContext): Promise<FollowedRun> {
  const { api, screen, printsJson } = context
  const printer = printsJson ? jsonPrinter(context) : createRunPrinter(screen)
  const starting = Promise.withResolvers<string>()
  // A run that begins after Ctrl-C is cancelled as well.
  const cancel = async (): Promise<void> => void (await api.executions.cancel(await starting.promise))
  const stoppable = { what: "run", byHand: `Stop it with ${executorCommand} executions cancel <id>`, stop: cancel }
  const follow = (begin: () => Promise<string>): Promise<ExecutionReply> =>
    stopOnInterrupt(stoppable, screen, async () => {
      const runId = await begin()
      const reply = await lastReply(runId, printer, context)
      await catchUp()
      return reply
    })
  const catchUp = async (): Promise<void> => {
    if (!printsJson) printer.catchUp((await api.executions.get(await starting.promise)).calls)
    printer.rest()
  }
  const first = await follow(async () => {
    const { runId } = await start()
    starting.resolve(runId)
    return runId
  })
  const asked = await askUntilDone(first, context, async (work) => {
    const answering = work()
    const settled = answering.then(
      () => true,
      () => true,
    )
    // What waits looks the same until the answer has arrived.
    do await follow(() => starting.promise)
    while (!(await Promise.race([settled, sleep(resumeLookMs, false)])))
    // A short run may have ended between two looks.
    await settled.then(catchUp)
    return answering
  })
  return { ...asked, printer }
}

/** A run outlives its server: where that goes away, it is followed again on the one that goes on with it. */
async function lastReply(runId: string, printer: RunPrinter, context: ExecutorCommandContext): Promise<ExecutionReply> {
  let lostAtMs: number | null = null
  for (;;) {
    try {
      return await nextReply(runId, printer, context, () => (lostAtMs = null))
    } catch (error) {
      if (!(error instanceof ExecutorError) || error.code !== "upstream_unreachable") throw error
      if (lostAtMs === null) {
        lostAtMs = performance.now()
        printer.again()
        context.screen.note("The server is gone. The run is kept and goes on with the next server; waiting for it")
      }
      if (performance.now() - lostAtMs > serverAwayMsMax)
        throw new ExecutorError(error.code, `${error.message}. See what became of the run with ${executorCommand} executions show ${runId}`)
      await sleep(serverLookMs)
    }
  }
}

/** Without an end in its events, a run is asked how it stands. */
async function nextReply(
  runId: string,
  printer: RunPrinter,
  { api }: ExecutorCommandContext,
  onEvent: () => void,
): Promise<ExecutionReply> {
  for await (const event of api.executions.events(runId)) {
    onEvent()
    printer.show(event)
    if (event.type === "end" || event.type === "pause") return event.reply
  }
  return api.executions.get(runId)
}

export async function printRun({ reply, isLeft, printer }: FollowedRun, context: ExecutorCommandContext): Promise<ExitCode> {
  const usage = usageText(reply)
  const isPrinted = context.printsJson || (reply.structured.status === "completed" && printer.hasShown(reply.structured.result))
  const screen = isPrinted ? { ...context.screen, data: () => {} } : context.screen
  const code = await printReply(reply, { of: "code", isLeft }, { ...context, screen })
  if (usage !== null && !context.printsJson) context.screen.note(context.screen.err.dim(usage))
  return code
}

/** One event a line; the last has the reply, as the API gives it for a run that is waited for. */
const jsonPrinter = ({ screen }: ExecutorCommandContext): RunPrinter => ({
  show: (event) => screen.data(safeJson(withOutput(event))),
  catchUp: () => {},
  hasShown: () => true,
  rest: () => {},
  again: () => {},
})

function withOutput(event: ExecutionEvent): unknown {
  if (event.type !== "end" && event.type !== "pause") return event
  const { reply } = event
  const output = reply.structured.status === "completed" ? reply.structured.result : null
  return { ...event, reply: { ...reply, runId: reply.executionId, output } }
}
