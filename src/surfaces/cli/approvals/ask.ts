// Asks a person at the terminal about each question of an execution, and lets it go on, until it ends.
import { ExecutorError } from "../../../core/errors.ts"
import type { ExecutionReply, Interaction } from "../../../core/execution.ts"
import { codeLines } from "./code.ts"
import { answeredText } from "./answer.ts"
import type { ExecutorCommandContext } from "../command-action.ts"
import { askForm } from "../prompt/form-ask.ts"
import { isAgentToken } from "../server/open-executor.ts"
import { withProgress } from "../print/progress.ts"
import { askYesNo, Unanswered } from "../prompt/prompt.ts"
import { interactionText } from "../print/reply.ts"
import { safeLine } from "../../../core/text/safe.ts"

const flag = "--action accept or --action decline"

/**
 * Where nobody can be asked or may answer, or somebody leaves a question, it is answered with what still waits.
 * `resuming`: what is shown while the execution goes on.
 */
export async function askUntilDone(
  reply: ExecutionReply,
  context: ExecutorCommandContext,
  resuming: Resuming = (work) => withProgress("Resuming the execution", context.screen, work),
): Promise<Asked> {
  let now = reply
  if (!context.screen.canPrompt || context.printsJson || isAgentToken(process.env["EXECUTOR_TOKEN"])) return { reply, isLeft: false }
  try {
    while (now.structured.status === "waiting_for_interaction") {
      const next = await askAll(now.executionId, now.structured.interactions, resuming, context)
      if (next === null) break
      now = next
    }
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    return { reply: now, isLeft: true }
  }
  return { reply: now, isLeft: false }
}

type Resuming = (work: () => Promise<ExecutionReply>) => Promise<ExecutionReply>

type Asked = {
  readonly reply: ExecutionReply
  /** Somebody has read the questions, and left them open. */
  readonly isLeft: boolean
}

type Answer = { readonly ids: string[]; readonly action: "accept" | "decline"; readonly content?: unknown }

/**
 * Everything is asked before anything is sent. What is approved goes first, so that a refusal does not end the code before it.
 * Null where nothing is for this person to answer.
 */
async function askAll(
  executionId: string,
  interactions: readonly Interaction[],
  resuming: Resuming,
  context: ExecutorCommandContext,
): Promise<ExecutionReply | null> {
  const accepted: Answer = { ids: [], action: "accept" }
  const declined: Answer = { ids: [], action: "decline" }
  const forms: Answer[] = []
  const { code, program } = await context.api.executions.get(executionId)
  for (const one of interactions) {
    // Alone, it has all of its arguments, and the reason by the rules of today.
    const whole = await context.api.approvals.get(one.approvalId)
    if (whole.status === "pending" && !whole.mayAnswer) continue
    context.screen.note([interactionText(whole), ...(program === "agent" ? [] : codeLines(code, one))].join("\n"))
    if (!(await askYesNo({ message: questions[one.kind], flag }, context.screen))) declined.ids.push(one.approvalId)
    else if (one.kind !== "form") accepted.ids.push(one.approvalId)
    else forms.push({ ids: [one.approvalId], action: "accept", content: await askForm([one], context.screen) })
  }
  const answers = [accepted, ...forms, declined].filter(({ ids }) => ids.length > 0)
  if (answers.length === 0) return null
  // Said before what follows from it.
  for (const { ids, action } of answers)
    for (const one of interactions) if (ids.includes(one.approvalId)) context.screen.note(answeredText(one, action))
  return resuming(() => sendAll(executionId, answers, context))
}

const questions: Record<Interaction["kind"], string> = { approval: "Approve?", form: "Answer it?", url: "Have you done that?" }

async function sendAll(executionId: string, answers: readonly Answer[], { api, screen }: ExecutorCommandContext): Promise<ExecutionReply> {
  let reply: ExecutionReply | null = null
  for (const { ids, action, content } of answers) {
    try {
      reply = await api.resume(executionId, { action, approvalIds: ids, ...(content === undefined ? {} : { content }) })
    } catch (error) {
      // Somebody else was faster, or the code did not wait for it: how it stands is shown next.
      if (!(error instanceof ExecutorError) || error.code !== "already_answered") throw error
      screen.note(safeLine(error.message))
      reply = await api.executions.get(executionId)
    }
  }
  return reply ?? api.executions.get(executionId)
}
