// `executor registry test`: runs the working copy of a tool, published or not.
import type { Command } from "commander"
import { isRecord } from "../../../../core/json/record.ts"
import type { RegistryToolView } from "../../../../core/registry/tool.ts"
import type { Definitions } from "../../../../core/json/schema.ts"
import { callCode } from "../../../../core/call/code.ts"
import { executorCommand } from "../../../../io/executor-command.ts"
import { askUntilDone } from "../../approvals/ask.ts"
import { convertArgs } from "../../arguments/convert.ts"
import { splitCallWords, strayValue } from "../../arguments/words.ts"
import { omitUndefined } from "../../omit-undefined.ts"
import { collect, parseDuration } from "../../option-parse.ts"
import { withProgress } from "../../print/progress.ts"
import { printReply } from "../../print/reply.ts"
import { readJsonObject } from "../../prompt/input-read.ts"
import { actOnTool, toolArgument } from "../../registry/act.ts"
import { registryPath } from "../../registry/text.ts"
import { runInterruptible } from "../../run-interruptible.ts"
import { longTimeout } from "../../server/long-timeout.ts"

type TestOptions = { readonly arg?: readonly string[]; readonly output?: string; readonly timeout?: number; readonly yes?: boolean }

export function configure(command: Command): void {
  toolArgument(command)
    .usage("<tool> [json] [options]")
    .description(
      "Run the working copy of a tool, published or not, and print the data it returns. It passes the same checks as every call: one that needs approval asks you on a terminal; otherwise it waits for a human and exits with code 3.",
    )
    .argument("[words...]", "Its arguments: JSON, `key=value`, `-` for stdin, or @file.")
    .option("-a, --arg <key=value>", "An argument, converted to the type in the tool's schema. Repeat for more.", collect)
    .option("-o, --output <path>", "Write the data to a file.")
    .option("--timeout <time>", "Stop after this time, e.g. 30s or 2m; a number alone means seconds.", parseDuration)
    .option("-y, --yes", "Approve the call immediately.")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} registry test show_order id=2\n  $ ${executorCommand} registry test show_order '{"id":"2"}'\n`,
    )
  actOnTool<[string[]], TestOptions>(
    command,
    async (tool, [words], options, context) => {
      const code = callCode(registryPath(tool.slug), await readArgs(tool, words, options))
      const reply = await withProgress(`Testing ${registryPath(tool.slug)}`, context.screen, () =>
        runInterruptible(code, { mode: "debug", ...omitUndefined({ timeoutMs: options.timeout, autoApprove: options.yes }) }, context),
      )
      const { isLeft, reply: last } = await askUntilDone(reply, context)
      return printReply(last, { of: "call", answered: "decline", isLeft, ...omitUndefined({ output: options.output }) }, context)
    },
    ({ timeout }) => longTimeout(timeout),
  )
}

/** As `call` takes them, by the schema of the working copy. */
async function readArgs(
  { schema }: RegistryToolView,
  words: readonly string[],
  { arg = [] }: TestOptions,
): Promise<Record<string, unknown>> {
  const { segments, input, pairs } = splitCallWords(words)
  if (segments[0] !== undefined) throw strayValue(segments[0])
  const args = input === null ? {} : await readJsonObject(input, "The arguments")
  const { $defs } = schema.input
  const definitions = isRecord($defs) ? ($defs as Definitions) : {} // checked as schemas when the tool was written
  return { ...args, ...convertArgs([...pairs, ...arg], { inputSchema: schema.input, schemaDefinitions: definitions }) }
}
