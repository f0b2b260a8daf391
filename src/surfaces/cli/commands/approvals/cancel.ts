// `executor approvals cancel`: drops a question without an answer, and runs its execution on.
import { executorCommand } from "../../../../io/executor-command.ts"
import type { Command } from "commander"
import { answerApproval } from "../../approvals/answer.ts"
import { actWithExecutor } from "../../command-action.ts"

export function configure(command: Command): void {
  command
    .description("Cancel an approval without deciding. The code is told and continues, and its result is printed.")
    .argument(
      "<id>",
      `The id, as shown by ${executorCommand} approvals list, or the id of an execution with one open approval. A unique prefix is enough.`,
    )
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} approvals cancel apr_123\n`)
  actWithExecutor<[string], object>(command, ([id], _options, context) => answerApproval(id, { action: "cancel" }, undefined, context))
}
