// `executor approvals decline`: refuses a call, and runs its execution on without it.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import { answerApproval } from "../approval-answer.ts"
import { actWithExecutor } from "../command-action.ts"

export function configure(command: Command): void {
  command
    .description("Refuse a call. Its code is told, goes on, and what it comes to is printed.")
    .argument("<id>", `Which one, as ${executorCommand} approvals list shows it.`)
    .addHelpText("after", `\nExample:\n  $ ${executorCommand} approvals decline apr_123\n`)
  actWithExecutor<[string], object>(command, ([id], _options, desk) => answerApproval(id, { action: "decline" }, undefined, desk))
}
