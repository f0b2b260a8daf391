// `executor resume`: answers what a paused execution waits for, and runs it on.
import { executorCommand } from "../../../io/executor-command.ts"
import { Option } from "commander"
import type { Command } from "commander"
import { answerActions } from "../../../core/execution.ts"
import type { AnswerAction, ExecutionView, Interaction } from "../../../core/execution.ts"
import { isCallCode } from "../../client/call-code.ts"
import { actWithExecutor } from "../command-action.ts"
import type { ExecutorDesk } from "../command-action.ts"
import type { ExitCode } from "../exit-code.ts"
import { askForm } from "../form-ask.ts"
import { readJson } from "../input-read.ts"
import { withProgress } from "../progress.ts"
import { askChoice } from "../prompt.ts"
import { interactionText, printReply } from "../reply-print.ts"

type ResumeOptions = { readonly executionId: string; readonly action?: AnswerAction; readonly content?: string }

export function configure(command: Command): void {
  command
    .description(
      "Answer what a paused execution waits for, run it on, and print what it comes to. Without --action it asks, on a terminal.",
    )
    .requiredOption("--execution-id <id>", "Which execution.")
    .addOption(
      new Option("--action <action>", "The answer: to let it happen, to refuse it, or to drop the question.").choices(answerActions),
    )
    .option("--content <json>", "The answers to a form: JSON, @file, or - for stdin.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} resume --execution-id exe_123\n  $ ${executorCommand} resume --execution-id exe_123 --action accept\n`,
    )
  actWithExecutor<[], ResumeOptions>(command, (_args, options, desk) => resume(options, desk))
}

async function resume(options: ResumeOptions, desk: ExecutorDesk): Promise<ExitCode> {
  const { executionId } = options
  // Whoever says their answer beforehand means what they were shown, so that nothing is shown to them now.
  const shown = options.action === undefined ? interactionsOf(await desk.api.executions.get(executionId)) : null
  const action = options.action ?? (await askAction(shown ?? [], desk))
  const content = options.content === undefined ? undefined : await readJson(options.content, "--content")
  const waiting = shown ?? (await desk.api.approvals.list({ executionId })).items
  const asked = content === undefined && action === "accept" ? await askForm(waiting, desk.screen) : content
  const named = shown === null || shown.length === 0 ? {} : { approvalIds: shown.map((one) => one.approvalId) }
  const reply = await withProgress("Running on", desk.screen, () =>
    desk.api.resume(executionId, { action, ...named, ...(asked === undefined ? {} : { content: asked }) }),
  )
  const isCall = reply.status !== "paused" && isCallCode((await desk.api.executions.get(executionId)).code)
  return printReply(reply, { of: isCall ? "call" : "code", answered: action }, desk)
}

const interactionsOf = ({ structured }: ExecutionView): readonly Interaction[] =>
  structured.status === "waiting_for_interaction" ? structured.interactions : []

function askAction(interactions: readonly Interaction[], { screen }: ExecutorDesk): Promise<AnswerAction> {
  if (screen.canPrompt) for (const interaction of interactions) screen.note(interactionText(interaction))
  return askChoice<AnswerAction>(
    { message: "What is your answer?", flag: `--action ${answerActions.join(", ")}` },
    [
      { value: "accept", label: "Accept", hint: "it happens" },
      { value: "decline", label: "Decline", hint: "the code is told no" },
      { value: "cancel", label: "Cancel", hint: "the question is dropped" },
    ],
    screen,
  )
}
