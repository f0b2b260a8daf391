// `executor demo`: its options, read before the server is loaded.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import { parsePort } from "../option-parse.ts"

type Options = { readonly yes?: boolean; readonly keep?: boolean; readonly api?: boolean; readonly port: number }

export function configure(command: Command): void {
  command
    .description(
      "See what Executor does in one minute: connect a small API, run code that reads, run code that waits for your approval, and block a call with a rule. The demo needs no account and no network, and does not touch your data.",
    )
    .option("-y, --yes", "Approve automatically, without asking you.")
    .option("--keep", "Keep the demo's data directory.")
    .option("--api", "Only start the small API, to try commands against, until you press Ctrl-C.")
    .option("--port <number>", "The port of that API; 0 picks a free port (default 4790).", parsePort)
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} demo\n  $ ${executorCommand} demo --yes\n  $ ${executorCommand} demo --api\n`,
    )
    .action(async () => {
      const options = command.opts<Partial<Options>>()
      if (options.api === true) return (await import("../demo/api.ts")).serveShop(options.port ?? 4790)
      const { demo } = await import("../demo/demo.ts")
      await demo({ yes: options.yes === true, keeps: options.keep === true })
    })
}
