// The command line: one file per command, loaded when it is called.
import { Command } from "commander"
import { ExecutorError } from "../../core/errors.ts"
import { UsageError } from "./usage-error.ts"
import { productVersion } from "../../preset/version.ts"

const exitFailed = 1
const exitUsage = 2

export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command("executor")
    .description("The tool plane for AI agents: every API as a typed, searchable, governed function in one catalog.")
    .version(productVersion)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : exitUsage))
  program
    .command("serve", { isDefault: false })
    .description("Start the server: HTTP API and status page.")
    .option("--port <number>", "port to listen on (EXECUTOR_PORT, default 4788; 0 picks a free one)")
    .option("--host <address>", "address to listen on (EXECUTOR_HOST, default 127.0.0.1)")
    .option("--database <url>", "postgres:// URL instead of the embedded store (EXECUTOR_DATABASE_URL)")
    .addHelpText("after", "\nExample:\n  $ npx executor serve --port 4788\n")
    .action(async (options: { port?: string; host?: string; database?: string }) => {
      const { serve } = await import("./serve.ts")
      await serve(options)
    })
  try {
    await program.parseAsync(argv, { from: "user" })
  } catch (error) {
    process.stderr.write(`executor: ${error instanceof ExecutorError || error instanceof UsageError ? error.message : describe(error)}\n`)
    process.exitCode = error instanceof UsageError ? exitUsage : exitFailed
  }
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))
