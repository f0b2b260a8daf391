// What the commands of the registry share: a tool as their first word, and errors in the words of the command line.
import type { Command } from "commander"
import { ExecutorError } from "../../../core/errors.ts"
import type { RegistryToolView } from "../../../core/registry/tool.ts"
import { executorCommand } from "../../../io/executor-command.ts"
import { commandsFor } from "./command-words.ts"
import { actWithExecutor } from "../command-action.ts"
import type { CommonOptions, ExecutorCommandContext } from "../command-action.ts"
import type { ExitCode } from "../exit-code.ts"
import type { OpenOptions } from "../server/open-executor.ts"
import { findRegistryTool } from "./find.ts"

export const toolArgument = (command: Command): Command =>
  command.argument("<tool>", `The tool's slug or id, as shown by ${executorCommand} registry list.`)

type ToolWork<Rest, Options> = (
  tool: RegistryToolView,
  rest: Rest,
  options: Options & CommonOptions,
  context: ExecutorCommandContext,
) => Promise<ExitCode | void>

/** For a command whose first word is a tool; the words behind it follow. */
export function actOnTool<Rest extends readonly unknown[], Options extends object>(
  command: Command,
  work: ToolWork<Rest, Options>,
  openOptions?: (options: Options) => OpenOptions,
): void {
  actWithExecutor<[string, ...Rest], Options>(
    command,
    async ([word, ...rest], options, context) => {
      const tool = await findRegistryTool(word, context.api)
      return inCommands(() => work(tool, rest as unknown as Rest, options, context), tool) // what stands behind the first word
    },
    openOptions,
  )
}

/** The API says what to do next in its own routes; here it is said in commands. */
export async function inCommands<T>(work: () => Promise<T>, tool?: RegistryToolView): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    const message = `${commandsFor(error.message)}${resendHint(error.details)}`
    throw new ExecutorError(error.code, tool === undefined ? message : message.replaceAll(tool.id, tool.slug), error.details)
  }
}

function resendHint(details: unknown): string {
  const { resend } = (typeof details === "object" && details !== null ? details : {}) as { resend?: unknown } // read as unknown below
  const places = Array.isArray(resend) ? resend.filter((one) => typeof one === "string") : []
  const flags = places.flatMap((place) =>
    place.startsWith("headers.") ? [`--header ${place.slice(8)}`] : place === "api_key" ? ["--api-key"] : [],
  )
  return flags.length === 0 ? "" : `. You are asked for it with ${flags.join(" ")}`
}
