// `executor resume`: answers what a paused execution waits for, and runs it on.
import { executorCommand } from "../../../io/executor-command.ts"
import { Option } from "commander"
import type { Command } from "commander"
import { answerActions } from "../../../core/execution.ts"
import type { AnswerAction, ExecutionReply } from "../../../core/execution.ts"
import { safeLine } from "../../../core/text/safe.ts"
import { answerApproval, answeredText, formOf } from "../approvals/answer.ts"
import { askUntilDone } from "../approvals/ask.ts"
import { actWithExecutor } from "../command-action.ts"
import type { ExecutorCommandContext } from "../command-action.ts"
import type { ExitCode } from "../exit-code.ts"
import { askForm } from "../prompt/form-ask.ts"
import { readJson } from "../prompt/input-read.ts"
import { withProgress } from "../print/progress.ts"
import { resolveId } from "../id-resolve.ts"
import { askYesNo } from "../prompt/prompt.ts"
import { interactionText, printReply } from "../print/reply.ts"
import type { Screen } from "../print/screen.ts"
import { UsageError } from "../usage-error.ts"
import { withWorkspace } from "../workspace/attach.ts"
import { awaitElsewhere } from "../workspace/await-elsewhere.ts"

type ResumeOptions = {
  readonly executionId?: string
  readonly action?: AnswerAction
  readonly content?: string
  readonly workspace?: string
}

export function configure(command: Command): void {
  command
    .description(
      "Answer the open approvals of a paused execution, resume it, and print its result. Without --action, it asks about each one on a terminal.",
    )
    .argument("[id]", "The id of the execution or of one approval. A unique prefix is enough.")
    .option("--execution-id <id>", "The same as <id>.")
    .addOption(new Option("--action <action>", "Your answer: accept, decline, or cancel without deciding.").choices(answerActions))
    .option("--content <json>", "The answers to a form: JSON, @file, or - for stdin.")
    .option("--workspace <folder>", "Answer the calls of its local tools in this folder: the command that was started with it is gone.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} resume exe_123\n  $ ${executorCommand} resume exe_123 --action accept\n  $ ${executorCommand} resume exe_123 --workspace .\n`,
    )
  actWithExecutor<[string | undefined], ResumeOptions>(command, async ([word], options, context) => {
    const given = word ?? options.executionId
    if (given === undefined)
      throw new UsageError(
        `An id is missing: ${executorCommand} resume <id>. To list open approvals, run ${executorCommand} approvals list`,
      )
    const id = await resolveId(given, ["exe", "apr"], context.api)
    if (options.workspace === undefined) return answerOrAsk(id, options, context)
    const executionId = id.startsWith("apr_") ? (await context.api.approvals.get(id)).executionId : id
    if (executionId === null) throw new UsageError("--workspace belongs to an execution; this approval is of a single call")
    return withWorkspace(options.workspace, context, () => answerOrAsk(id, options, context), executionId)
  })
}

function answerOrAsk(id: string, { action, content, workspace }: ResumeOptions, context: ExecutorCommandContext): Promise<ExitCode> {
  if (action === undefined) return ask(id, workspace, context)
  if (id.startsWith("apr_")) return answerApproval(id, { action }, content, context)
  return answer(id, { action, given: content, workspace }, context)
}

/** Its tools are here, so the command stays until the execution needs them no more. */
const settled = (reply: ExecutionReply, workspace: string | undefined, context: ExecutorCommandContext): Promise<ExecutionReply> =>
  workspace === undefined ? Promise.resolve(reply) : awaitElsewhere(reply, context)

/** Whoever says their answer beforehand means what they were shown, so that nothing is shown to them now. */
async function answer(
  executionId: string,
  {
    action,
    given,
    workspace,
  }: { readonly action: AnswerAction; readonly given: string | undefined; readonly workspace: string | undefined },
  context: ExecutorCommandContext,
): Promise<ExitCode> {
  const { api, screen } = context
  const waiting = (await api.approvals.list({ executionId })).items
  const content = given === undefined ? undefined : await readJson(given, "--content")
  const asked = content === undefined && action === "accept" ? await askForm(waiting, screen) : content
  const reply = await withProgress("Resuming the execution", screen, () =>
    api.resume(executionId, { action, ...(asked === undefined ? {} : { content: asked }) }),
  )
  if (waiting.length === 0) noteNothingWaited(reply, screen)
  const isAnswered = (id: string): boolean =>
    reply.structured.status !== "waiting_for_interaction" || !reply.structured.interactions.some((one) => one.approvalId === id)
  for (const one of waiting) if (isAnswered(one.approvalId)) screen.note(answeredText(one, action))
  const last = await settled(reply, workspace, context)
  return printReply(last, { of: await formOf(last, api), answered: action }, context)
}

async function ask(id: string, workspace: string | undefined, context: ExecutorCommandContext): Promise<ExitCode> {
  const { api, screen } = context
  if (!screen.canPrompt || context.printsJson) throw new UsageError(`This is not a terminal, so pass --action ${answerActions.join(", ")}`)
  const executionId = id.startsWith("apr_") ? (await api.approvals.get(id)).executionId : id
  if (executionId === null) return askAlone(id, context)
  const execution = await api.executions.get(executionId)
  noteNothingWaited(execution, screen)
  const { reply, isLeft } = await askUntilDone(execution, context)
  const last = isLeft ? reply : await settled(reply, workspace, context)
  return printReply(last, { of: await formOf(last, api), answered: "decline", isLeft }, context)
}

/** Its result of before is shown, which must not pass for what the answer led to. */
function noteNothingWaited({ executionId, status }: ExecutionReply, screen: Screen): void {
  if (status !== "paused") screen.note(`Nothing was answered: ${safeLine(executionId)} is ${status} already`)
}

/** A call outside an execution. */
async function askAlone(id: string, context: ExecutorCommandContext): Promise<ExitCode> {
  context.screen.note(interactionText(await context.api.approvals.get(id)))
  const isAccepted = await askYesNo({ message: "Approve?", flag: "--action" }, context.screen)
  return answerApproval(id, { action: isAccepted ? "accept" : "decline" }, undefined, context)
}
