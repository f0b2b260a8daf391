// `executor approvals cancel`: drops a question without an answer, and runs its execution on.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import { answerApproval } from "../approval-answer.ts"
import { actWithExecutor } from "../command-action.ts"

export function configure(command: Command): void {
  command
    .description("Drop a question without saying yes or no. Its code is told, goes on, and what it comes to is printed.")
    .argument("<id>", `Which one, as ${executorCommand} approvals list shows it.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} approvals cancel apr_123\n`)
  actWithExecutor<[string], object>(command, ([id], _options, desk) => answerApproval(id, { action: "cancel" }, undefined, desk))
}
