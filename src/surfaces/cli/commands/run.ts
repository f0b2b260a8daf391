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
import { withWorkspace } from "../workspace/attach.ts"
import { awaitElsewhere } from "../workspace/await-elsewhere.ts"

type RunOptions = {
  readonly debug?: boolean
  readonly config?: string
  readonly yes?: boolean
  readonly timeout?: number
  readonly results?: ResultsMode
  readonly output?: string
  readonly workspace?: string
}

export function configure(command: Command): void {
  command
    .description(
      "Run JavaScript or TypeScript against `tools` and print its return value. Logs and emitted values go to stderr. Calls that need approval ask you on a terminal; otherwise they wait for a human and the command exits with code 3.",
    )
    .argument("<file>", "The code; `-` reads stdin.")
    .option("-y, --yes", "Approve its calls without asking (humans only; calls that a policy blocks stay blocked).")
    .option("--debug", "Run the working copies of registry tools, drafts included (needs the right registry.write).")
    .option(
      "--workspace <folder>",
      "Give it the tools local.read_file, write_file, search, apply_patch and shell, which this command runs in the folder.",
    )
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
      const request = omitUndefined({
        timeoutMs: options.timeout,
        results: options.results,
        autoApprove: options.yes,
        mode: options.debug === true ? ("debug" as const) : undefined,
      })
      const { reply, isLeft } = await withWorkspace(options.workspace, context, async (workspace) => {
        const first = await withProgress("Running", context.screen, () =>
          runInterruptible(code, { ...request, ...omitUndefined({ workspace }) }, context),
        )
        const asked = await askUntilDone(first, context)
        return workspace === undefined || asked.isLeft ? asked : { ...asked, reply: await awaitElsewhere(asked.reply, context) }
      })
      return printReply(reply, { of: "code", isLeft, ...omitUndefined({ output: options.output }) }, context)
    },
    ({ timeout, config }) => ({ ...longTimeout(timeout), ...omitUndefined({ config }) }),
  )
}

const examples = `
Examples:
  $ ${executorCommand} run report.ts
  $ ${executorCommand} run --yes --timeout 5m import.ts
  $ ${executorCommand} run --workspace . tidy-up.ts
  $ echo 'return (await tools.search({ query: "issues" })).items.map((one) => one.path)' | ${executorCommand} run -
`
