// `executor approvals approve`: lets a call happen, and runs its execution on.
import { executorCommand } from "../../../../io/executor-command.ts"
import { Option } from "commander"
import type { Command } from "commander"
import { answerApproval } from "../../approvals/answer.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { collect } from "../../option-parse.ts"
import { parseCondition } from "../../policy-condition.ts"
import { UsageError } from "../../usage-error.ts"

type ApproveOptions = { readonly remember?: "execution" | "always"; readonly when?: string[]; readonly content?: string }

export function configure(command: Command): void {
  command
    .description("Approve a call and print the result of its execution.")
    .argument(
      "<id>",
      `The id, as shown by ${executorCommand} approvals list, or the id of an execution with one open approval. A unique prefix is enough.`,
    )
    .addOption(
      new Option("--remember <how-long>", "Stop asking for this tool, for the rest of this execution or always.").choices([
        "execution",
        "always",
      ]),
    )
    .option(
      "--when <condition>",
      "With --remember always: limit the rule by an argument, e.g. 'quantity lte 10'. Repeat for more conditions; all must hold.",
      collect,
    )
    .option("--content <json>", "The answers to a form: JSON, @file, or - for stdin.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} approvals approve apr_123\n  $ ${executorCommand} approvals approve apr_123 --remember always --when 'quantity lte 10'\n`,
    )
  actWithExecutor<[string], ApproveOptions>(command, async ([id], { remember, when, content }, context) => {
    if (when !== undefined && remember !== "always") throw new UsageError("--when limits a rule: use it with --remember always")
    const conditions = when === undefined ? {} : { when: when.map(parseCondition) }
    return answerApproval(id, { action: "accept", ...omitUndefined({ remember }), ...conditions }, content, context)
  })
}
