// `executor approvals approve`: lets a call happen, and runs its execution on.
import { executorCommand } from "../../../io/executor-command.ts"
import { Option } from "commander"
import type { Command } from "commander"
import { answerApproval } from "../approval-answer.ts"
import { actWithExecutor } from "../command-action.ts"
import { given } from "../given.ts"

type ApproveOptions = { readonly remember?: "execution" | "always"; readonly content?: string }

export function configure(command: Command): void {
  command
    .description("Let a call happen, and print what its execution comes to.")
    .argument("<id>", `Which one, as ${executorCommand} approvals list shows it.`)
    .addOption(
      new Option("--remember <how-long>", "Do not ask again for this tool: in this execution, or always.").choices(["execution", "always"]),
    )
    .option("--content <json>", "Answers to a form: JSON, @file, or - for stdin.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} approvals approve apr_123\n  $ ${executorCommand} approvals approve apr_123 --remember always\n`,
    )
  actWithExecutor<[string], ApproveOptions>(command, ([id], { remember, content }, desk) =>
    answerApproval(id, { action: "accept", ...given({ remember }) }, content, desk),
  )
}
