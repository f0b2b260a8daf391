// What every command does around its own work: opens what it talks to, prints for people or machines, and closes it again.
import type { Command } from "commander"
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { ExitCode } from "./exit-code.ts"
import { openExecutor } from "./server/open-executor.ts"
import type { OpenOptions, Place } from "./server/open-executor.ts"
import { openScreen } from "./print/screen.ts"
import type { Screen } from "./print/screen.ts"
import { safeJson } from "../../core/text/safe.ts"

export type CommonOptions = { readonly json?: boolean }

/** What a command works with. */
export type CommandContext = {
  readonly screen: Screen
  readonly printsJson: boolean
  /** For machines the value, as the API answered; for people what `text` makes of it. */
  print(value: unknown, text: () => string): void
}

export type ExecutorCommandContext = CommandContext & { readonly api: ExecutorApi; readonly place: Place }

// A command's arguments and options have the types that its own `configure` declares.
type Work<Args, Options, Tools> = (args: Args, options: Options & CommonOptions, context: Tools) => Promise<ExitCode | void>

/** Adds `--json`, and the work that is done with the product. */
export function actWithExecutor<Args extends readonly unknown[], Options extends object>(
  command: Command,
  work: Work<Args, Options, ExecutorCommandContext>,
  openOptions: (options: Options) => OpenOptions = () => ({}),
): void {
  act<Args, Options>(command, async (args, options, context) => {
    const { api, place, close } = await openExecutor(process.env, openOptions(options))
    try {
      return await work(args, options, { ...context, api, place })
    } finally {
      await close()
    }
  })
}

/** Adds `--json`, and work that needs no product. */
export function act<Args extends readonly unknown[], Options extends object>(
  command: Command,
  work: Work<Args, Options, CommandContext>,
): void {
  command.option("--json", "Print JSON.").action(async () => {
    const options = command.opts<Options & CommonOptions>()
    const screen = openScreen()
    const printsJson = options.json === true
    const print = (value: unknown, text: () => string): void => screen.data(printsJson ? safeJson(value, 2) : text())
    process.exitCode = (await work(command.processedArgs as unknown as Args, options, { screen, printsJson, print })) ?? process.exitCode
  })
}
