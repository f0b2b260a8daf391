// `executor serve`: its options, read before the server is loaded.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import type { ServeOptions } from "../server/serve.ts"

export function configure(command: Command): void {
  command
    .option("--port <number>", "Port to listen on (EXECUTOR_PORT, default 4788; 0 picks a free one).")
    .option("--host <address>", "Address to listen on (EXECUTOR_HOST, default 127.0.0.1).")
    .option("--tls-cert <file>", "PEM certificate with its chain, to serve https (EXECUTOR_TLS_CERT).")
    .option("--tls-key <file>", "PEM private key of that certificate (EXECUTOR_TLS_KEY).")
    .option("--database <url>", "postgres:// URL instead of the embedded store (EXECUTOR_DATABASE_URL).")
    .option("--config <file>", "Plugins to load (EXECUTOR_CONFIG, default executor.config.ts in the data directory).")
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${executorCommand} serve\n  $ ${executorCommand} serve --port 4788 --database postgres://localhost/executor\n`,
    )
    .action(async (options: ServeOptions) => {
      const { serve } = await import("../server/serve.ts")
      await serve(options)
    })
}
