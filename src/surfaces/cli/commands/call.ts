// `executor call`: calls one tool, or helps to find out how.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import { withoutRoot } from "../../../core/address.ts"
import { ExecutorError } from "../../../core/errors.ts"
import type { ExecutorApi } from "../../../core/executor-api.ts"
import type { ToolSchemaView } from "../../../core/tool.ts"
import { convertArgs } from "../arguments/convert.ts"
import { callCode } from "../../../core/call/code.ts"
import { splitCallWords, strayValue } from "../arguments/words.ts"
import type { CallWords } from "../arguments/words.ts"
import { askUntilDone } from "../approvals/ask.ts"
import { actWithExecutor } from "../command-action.ts"
import type { ExecutorCommandContext } from "../command-action.ts"
import { exitCodes } from "../exit-code.ts"
import type { ExitCode } from "../exit-code.ts"
import { omitUndefined } from "../omit-undefined.ts"
import { readJsonObject } from "../prompt/input-read.ts"
import { collect, parseDuration } from "../option-parse.ts"
import { longTimeout } from "../server/long-timeout.ts"
import { withProgress } from "../print/progress.ts"
import { printReply } from "../print/reply.ts"
import { runInterruptible } from "../run-interruptible.ts"
import { browse } from "../tools/browse-print.ts"
import { UsageError } from "../usage-error.ts"

type CallOptions = {
  readonly arg?: readonly string[]
  readonly file?: string
  readonly output?: string
  readonly timeout?: number
  readonly yes?: boolean
  readonly config?: string
  readonly help?: boolean
}

export function configure(command: Command): void {
  command
    .usage("<path> [json] [options]")
    .description(
      "Call one tool and print the data it returns. A call that needs approval asks you on a terminal; otherwise it waits for a human and exits with code 3.",
    )
    .argument("[words...]", "The tool's path, dotted or as separate words, then its arguments: JSON, `key=value`, `-` for stdin, or @file.")
    // Commander's own would not take a prefix.
    .helpOption(false)
    .option("-h, --help", "Show help for this command or, given a path, the tools below it or the tool's input and output.")
    .option(
      "-a, --arg <key=value>",
      "An argument, converted to the type in the tool's schema. `key=@file` reads the value from a file. Repeat for more arguments, or to build a list.",
      collect,
    )
    .option("-f, --file <path>", "Read the arguments from a JSON file.")
    .option("-o, --output <path>", "Write the data to a file. If the tool returns a file, it is written unchanged.")
    .option("--timeout <time>", "Stop after this time, e.g. 30s or 2m; a number alone means seconds.", parseDuration)
    .option("-y, --yes", "Approve the call immediately (humans only).")
    .option("--config <file>", "Plugins to load if no server is running (EXECUTOR_CONFIG).")
    .addHelpText("after", examples)
  actWithExecutorUnlessHelp(command)
}

const examples = `
Examples:
  $ ${executorCommand} call github.org.main.repos.get '{"owner":"octocat","repo":"hello-world"}'
  $ ${executorCommand} call github org main repos get --arg owner=octocat --arg repo=hello-world
  $ ${executorCommand} call github.repos.get owner=octocat repo=hello-world
  $ echo '{"title":"Bug"}' | ${executorCommand} call github.issues.create -
  $ ${executorCommand} call github.issues.create @issue.json
  $ ${executorCommand} call shop.images.upload image=@photo.png
  $ ${executorCommand} call --help github.org.main            # list the tools below a path
  $ ${executorCommand} call --help github.org.main.repos.get  # show a tool's input and output
`

/** The help of the command itself needs nothing to be opened. */
function actWithExecutorUnlessHelp(command: Command): void {
  command.hook("preAction", () => {
    if (command.args.length > 0) return
    if (command.opts<CallOptions>().help === true) command.help()
    command.help({ error: true })
  })
  actWithExecutor<[string[]], CallOptions>(command, call, ({ timeout, config }) => ({
    ...longTimeout(timeout),
    ...omitUndefined({ config }),
  }))
}

async function call([words]: [string[]], options: CallOptions, context: ExecutorCommandContext): Promise<ExitCode> {
  const asked = splitCallWords(words)
  if (asked.path === "")
    throw new UsageError(`Give the path of a tool, such as github.org.main.repos.get. To find one, run ${executorCommand} tools search`)
  if (options.help === true) {
    await browse(asked.path, context)
    return exitCodes.done
  }
  await refuseIntegration(asked.path, context)
  await refuseStray(asked, context)
  const code = callCode(asked.path, await readArgs(asked, options, context))
  const reply = await withProgress(`Calling ${asked.path}`, context.screen, () =>
    orTooLarge(runInterruptible(code, omitUndefined({ timeoutMs: options.timeout, autoApprove: options.yes }), context)),
  )
  const { isLeft, reply: last } = await askUntilDone(reply, context)
  return printReply(
    last,
    { of: "call", answered: "decline", isRequester: true, isLeft, ...omitUndefined({ output: options.output }) },
    context,
  )
}

/** Nobody here wrote the code that a call is run as. */
async function orTooLarge<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ExecutorError) || error.code !== "payload_too_large") throw error
    throw new ExecutorError(error.code, `The arguments are too large for one call (${error.message})`, error.details)
  }
}

/** No path of a tool is one word. */
async function refuseIntegration(path: string, { api }: ExecutorCommandContext): Promise<void> {
  if (path.includes(".")) return
  const isKnown = await api.integrations.get(path).then(Boolean, () => false)
  if (isKnown) throw new UsageError(`'${path}' is an integration. To list its tools, run ${executorCommand} call --help ${path}`)
}

/** `orders.get tea` is read as one path; where its beginning is a tool, the rest was meant for it. */
async function refuseStray({ path, segments }: CallWords, { api }: ExecutorCommandContext): Promise<void> {
  const [first = "", stray] = segments
  if (stray === undefined || !first.includes(".") || (await schemaOf(path, api)) !== null) return
  if ((await schemaOf(withoutRoot(first), api)) !== null) throw strayValue(stray)
}

/** Null where the call itself must say why: only what is called is in the history and the audit. */
async function schemaOf(path: string, api: ExecutorApi): Promise<ToolSchemaView | null> {
  try {
    return await api.tools.schema(path)
  } catch (error) {
    if (error instanceof ExecutorError && (error.code === "tool_blocked" || error.code === "tool_ambiguous")) return null
    throw error
  }
}

/** What is given by name wins over what the JSON says. */
async function readArgs(asked: CallWords, options: CallOptions, { api }: ExecutorCommandContext): Promise<Record<string, unknown>> {
  if (asked.input !== null && options.file !== undefined) throw new UsageError("Pass the arguments only once: as JSON, or with --file")
  const input = options.file === undefined ? asked.input : `@${options.file}`
  const args = input === null ? {} : await readJsonObject(input, "The arguments")
  const pairs = [...asked.pairs, ...(options.arg ?? [])]
  if (pairs.length === 0) return args
  return { ...args, ...convertArgs(pairs, await schemaOf(asked.path, api)) }
}
