// `executor approvals decline`: refuses a call, and runs its execution on without it.
import type { Command } from "commander"
import { answerApproval } from "../approval-answer.ts"
import { actWithExecutor } from "../command-action.ts"
import { exitCodes } from "../exit-code.ts"

export function configure(command: Command): void {
  command
    .description("Refuse a call. Its code is told, goes on, and what it comes to is printed.")
    .argument("<id>", "Which one, as npx executor approvals list shows it.")
    .addHelpText("after", "\nExample:\n  $ npx executor approvals decline apr_123\n")
  actWithExecutor<[string], object>(command, async ([id], _options, desk) => {
    const exit = await answerApproval(id, { action: "decline" }, undefined, desk)
    // That it was declined is what was asked for.
    return exit === exitCodes.denied ? exitCodes.done : exit
  })
}
