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
    .description("Approve a call and print the result of its execution.")
    .argument("<id>", `The id, as shown by ${executorCommand} approvals list.`)
    .addOption(
      new Option("--remember <how-long>", "Stop asking for this tool, for the rest of this execution or always.").choices([
        "execution",
        "always",
      ]),
    )
    .option("--content <json>", "The answers to a form: JSON, @file, or - for stdin.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} approvals approve apr_123\n  $ ${executorCommand} approvals approve apr_123 --remember always\n`,
    )
  actWithExecutor<[string], ApproveOptions>(command, ([id], { remember, content }, desk) =>
    answerApproval(id, { action: "accept", ...given({ remember }) }, content, desk),
  )
}
