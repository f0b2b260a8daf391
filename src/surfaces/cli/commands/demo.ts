// `executor demo`: its options, read before the server is loaded.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import { parsePort } from "../option-parse.ts"

type Options = { readonly yes?: boolean; readonly keep?: boolean; readonly api?: boolean; readonly port: number }

export function configure(command: Command): void {
  command
    .description(
      "Show what Executor does, in a minute: connects a small API, runs code that reads, code that waits for your approval, and a rule that blocks. It needs no account and no network, and touches nothing of yours.",
    )
    .option("-y, --yes", "Approve by itself, without asking you.")
    .option("--keep", "Keep its data directory.")
    .option("--api", "Only start the small API, to try commands on, until Ctrl-C.")
    .option("--port <number>", "Where that API listens; 0 picks a free port (default 4790).", parsePort)
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} demo\n  $ ${executorCommand} demo --yes\n  $ ${executorCommand} demo --api\n`,
    )
    .action(async () => {
      const options = command.opts<Partial<Options>>()
      if (options.api === true) return (await import("../demo/demo-api.ts")).serveShop(options.port ?? 4790)
      const { demo } = await import("../demo/demo.ts")
      await demo({ yes: options.yes === true, keeps: options.keep === true })
    })
}
