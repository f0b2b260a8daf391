// `executor agents run`: runs an agent, asks for approvals on a terminal, and prints its answer.
import type { Command } from "commander"
import { executorCommand } from "../../../../io/executor-command.ts"
import { askUntilDone } from "../../approvals/ask.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { withProgress } from "../../print/progress.ts"
import { printReply } from "../../print/reply.ts"
import { readStdin } from "../../prompt/input-read.ts"
import { longTimeout } from "../../server/long-timeout.ts"
import { UsageError } from "../../usage-error.ts"
import { withWorkspace } from "../../workspace/attach.ts"
import { awaitElsewhere } from "../../workspace/await-elsewhere.ts"

type RunOptions = { readonly input?: string; readonly debug?: boolean; readonly workspace?: string }

/** As long as a run may take. */
const runMsMax = 3_600_000

export function configure(command: Command): void {
  command
    .description(
      "Run an agent and print its answer. Calls that need approval ask you on a terminal; otherwise they wait for a human and the command exits with code 3.",
    )
    .argument("<agent>", `The slug or id, as shown by ${executorCommand} agents list.`)
    .argument("[text]", "What it is to do; `-` reads stdin.")
    .option("--input <json>", "What it is to work on, as JSON.")
    .option("--debug", "Run the working copy, drafts included (needs the right registry.write).")
    .option(
      "--workspace <folder>",
      "Give it the tools local.read_file, write_file, search, apply_patch and shell, which this command runs in the folder.",
    )
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} agents run support "Where is order 42?"\n  $ ${executorCommand} agents run totals --input '{"order": 42}'\n`,
    )
  actWithExecutor<[string, string | undefined], RunOptions>(
    command,
    async ([ref, text], options, context) => {
      const request = omitUndefined({
        text: text === "-" ? await readStdin() : text,
        input: options.input === undefined ? undefined : parse(options.input),
        mode: options.debug === true ? ("debug" as const) : undefined,
      })
      const { reply, isLeft } = await withWorkspace(options.workspace, context, async (workspace) => {
        const first = await withProgress("Running", context.screen, () =>
          context.api.agents.run(ref, { ...request, ...omitUndefined({ workspace }) }),
        )
        const asked = await askUntilDone(first, context)
        return workspace === undefined || asked.isLeft ? asked : { ...asked, reply: await awaitElsewhere(asked.reply, context) }
      })
      return printReply(reply, { of: "code", isLeft }, context)
    },
    () => longTimeout(runMsMax),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new UsageError(`--input is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
