// `executor agents run`: runs an agent, shows what it does, asks for approvals on a terminal, and prints its answer.
import type { Command } from "commander"
import type { AgentOnce } from "../../../../core/agents/agent.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { modelOf } from "../../agents/agent-options.ts"
import { followRun, printRun } from "../../agents/run-follow.ts"
import { actWithExecutor } from "../../command-action.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { parseList } from "../../option-parse.ts"
import { readStdin } from "../../prompt/input-read.ts"
import { inCommands } from "../../registry/act.ts"
import { longTimeout } from "../../server/long-timeout.ts"
import { UsageError } from "../../usage-error.ts"
import { withWorkspace } from "../../workspace/attach.ts"
import { awaitElsewhere } from "../../workspace/await-elsewhere.ts"

type RunOptions = {
  readonly input?: string
  readonly debug?: boolean
  readonly model?: string
  readonly instructions?: string
  readonly tools?: string[]
  readonly workspace?: string
}

/** As long as a run may take. */
const runMsMax = 3_600_000

export function configure(command: Command): void {
  command
    .description(
      "Run an agent and print its answer. What it says and calls on the way is shown as it happens; Ctrl-C cancels the run. Calls that need approval ask you on a terminal; otherwise they wait for a human and the command exits with code 3. With --json every event is a line, and the last one has the reply.",
    )
    .argument("[agent]", `The slug or id, as shown by ${executorCommand} agents list; none with --model.`)
    .argument("[text...]", "What it is to do; `-` reads stdin.")
    .option("--input <json>", "What it is to work on, as JSON.")
    .option("--debug", "Run the working copy, drafts included (needs the right registry.write).")
    .option(
      "--workspace <folder>",
      "Give it the tools local.read_file, write_file, search, apply_patch and shell, which this command runs in the folder.",
    )
    .option("--model <provider/name>", "Run without a stored agent, on this model (needs the right registry.write).")
    .option("--instructions <text>", "With --model: what it is to do; by default what you ask.")
    .option("--tools <patterns>", "With --model: its tools, separated by commas; by default all that you may use.", parseList)
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} agents run support "Where is order 42?"\n  $ ${executorCommand} agents run totals --input '{"order": 42}'\n  $ ${executorCommand} agents run --model openai/gpt-5 --tools 'shop.orders.*' "Where is order 42?"\n`,
    )
  actWithExecutor<[string | undefined, string[]], RunOptions>(
    command,
    async ([word, more], options, context) => {
      const { api } = context
      const once = onceOf(options)
      const ref = once === null ? word : undefined
      const text = once === null ? (more.length === 0 ? undefined : more.join(" ")) : onlyWord(word, more)
      if (once === null && ref === undefined) throw new UsageError("Name an agent, or a model with --model <provider/name>")
      const request = omitUndefined({
        wait: false,
        text: text === "-" ? await readStdin() : text,
        input: options.input === undefined ? undefined : parse(options.input),
        mode: options.debug === true ? ("debug" as const) : undefined,
      })
      return withWorkspace(options.workspace, context, async (workspace) => {
        const given = { ...request, ...omitUndefined({ workspace }) }
        const run = await followRun(
          () => inCommands(() => (once === null ? api.agents.run(ref ?? "", given) : api.agents.runOnce({ ...given, agent: once }))),
          context,
        )
        // Its tools are here, so the command stays until the run needs them no more.
        const reply = workspace === undefined || run.isLeft ? run.reply : await awaitElsewhere(run.reply, context)
        if (context.printsJson && reply !== run.reply) run.printer.show({ type: "end", reply })
        return printRun({ ...run, reply }, context)
      })
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

function onceOf({ model, instructions, tools, debug }: RunOptions): AgentOnce | null {
  if (model === undefined && (instructions !== undefined || tools !== undefined))
    throw new UsageError("--instructions and --tools belong to --model; a stored agent has its own")
  if (model !== undefined && debug === true) throw new UsageError("--debug runs a stored agent; leave it out, or leave out --model")
  return model === undefined ? null : { model: modelOf(model), ...omitUndefined({ instructions }), tools: tools ?? ["**"] }
}

/** The only word beside `--model` is what is asked. */
function onlyWord(text: string | undefined, more: readonly string[]): string | undefined {
  if (more.length > 0) throw new UsageError("With --model no agent is named; put what you ask in quotes")
  return text
}
