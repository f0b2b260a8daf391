// Waits while humans answer an execution's questions somewhere else, because its workspace would be gone with this command.
import { setTimeout as sleep } from "node:timers/promises"
import type { ExecutionReply } from "../../../core/execution.ts"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import { safeLine } from "../../../core/text/safe.ts"
import type { ExecutorCommandContext } from "../command-action.ts"
import { orInterrupted } from "../interrupt.ts"
import { interactionText } from "../print/reply.ts"

/** Where there is no page to answer on, it is answered with what waits. */
export async function awaitElsewhere(reply: ExecutionReply, { api, screen }: ExecutorCommandContext): Promise<ExecutionReply> {
  let now = reply
  while (now.structured.status === "waiting_for_interaction" && now.structured.approvalUrl !== null) {
    const { interactions, approvalUrl } = now.structured
    for (const one of interactions) screen.note(interactionText(one))
    screen.note(`Waiting for an answer at ${safeLine(approvalUrl)} (this command answers the calls of the workspace, so leave it running)`)
    now = await orInterrupted(
      () => `Execution ${reply.executionId} still waits, but has no workspace any more`,
      screen,
      () => untilMoved(now, api),
    )
  }
  return now
}

const lookEveryMs = 500

/** Until it has ended, or waits for something else. It is looked at, because the answer may be given on any node. */
async function untilMoved(before: ExecutionReply, api: ExecutorApi): Promise<ExecutionReply> {
  for (;;) {
    await sleep(lookEveryMs)
    const now = await api.executions.get(before.executionId)
    if (now.structured.status === "running") return untilSettled(before.executionId, api)
    // Between the last answer and the moment when it goes on, it waits for nothing.
    if (questionsOf(now) !== "" && questionsOf(now) !== questionsOf(before)) return now
  }
}

async function untilSettled(executionId: string, api: ExecutorApi): Promise<ExecutionReply> {
  for await (const event of api.executions.events(executionId)) if (event.type === "pause" || event.type === "end") return event.reply
  return api.executions.get(executionId)
}

const questionsOf = ({ structured }: ExecutionReply): string =>
  structured.status === "waiting_for_interaction" ? structured.interactions.map(({ approvalId }) => approvalId).join() : structured.status
