// `executor run`: runs code against `tools`, from a file or stdin.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import { Option } from "commander"
import type { ResultsMode } from "../../../core/execution.ts"
import { askUntilDone } from "../approvals/ask.ts"
import { actWithExecutor } from "../command-action.ts"
import { omitUndefined } from "../omit-undefined.ts"
import { readStdin, readTextFile } from "../prompt/input-read.ts"
import { parseDuration } from "../option-parse.ts"
import { longTimeout } from "../server/long-timeout.ts"
import { withProgress } from "../print/progress.ts"
import { printReply } from "../print/reply.ts"
import { runInterruptible } from "../run-interruptible.ts"

type RunOptions = {
  readonly debug?: boolean
  readonly config?: string
  readonly yes?: boolean
  readonly timeout?: number
  readonly results?: ResultsMode
  readonly output?: string
}

export function configure(command: Command): void {
  command
    .description(
      "Run JavaScript or TypeScript against `tools` and print its return value. Logs and emitted values go to stderr. Calls that need approval ask you on a terminal; otherwise they wait for a human and the command exits with code 3.",
    )
    .argument("<file>", "The code; `-` reads stdin.")
    .option("-y, --yes", "Approve its calls without asking (humans only; calls that a policy blocks stay blocked).")
    .option("--debug", "Run the working copies of registry tools, drafts included (needs the right registry.write).")
    .option("--timeout <time>", "Stop after this time, e.g. 30s or 2m; a number alone means seconds.", parseDuration)
    .addOption(
      new Option("--results <form>", "What a call returns: an envelope, or the data itself, throwing on errors.").choices([
        "envelope",
        "raw",
      ]),
    )
    .option("-o, --output <path>", "Write the result to a file.")
    .option("--config <file>", "Plugins to load if no server is running (EXECUTOR_CONFIG).")
    .addHelpText("after", examples)
  actWithExecutor<[string], RunOptions>(
    command,
    async ([file], options, context) => {
      const code = file === "-" ? await readStdin() : readTextFile(file, "The code")
      const reply = await withProgress("Running", context.screen, () =>
        runInterruptible(
          code,
          omitUndefined({
            timeoutMs: options.timeout,
            results: options.results,
            autoApprove: options.yes,
            mode: options.debug === true ? ("debug" as const) : undefined,
          }),
          context,
        ),
      )
      const asked = await askUntilDone(reply, context)
      return printReply(asked.reply, { of: "code", isLeft: asked.isLeft, ...omitUndefined({ output: options.output }) }, context)
    },
    ({ timeout, config }) => ({ ...longTimeout(timeout), ...omitUndefined({ config }) }),
  )
}

const examples = `
Examples:
  $ ${executorCommand} run report.ts
  $ ${executorCommand} run --yes --timeout 5m import.ts
  $ echo 'return (await tools.search({ query: "issues" })).items.map((one) => one.path)' | ${executorCommand} run -
`
