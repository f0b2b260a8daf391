// `executor web`: prints a sign-in link, and opens it where there is a desktop.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import { actWithExecutor } from "../command-action.ts"
import { showWeb } from "../server/web.ts"

export function configure(command: Command): void {
  command
    .description("Sign in with a browser: prints a single-use link and, on a desktop, opens it.")
    .option("--no-open", "Only print the link.")
    .addHelpText("after", `\nExamples:\n  $ ${executorCommand} web\n  $ ${executorCommand} web --no-open\n`)
  actWithExecutor<[], { readonly open: boolean }>(command, (_args, { open }, context) => showWeb(context, { opens: open }))
}
