// `executor mcp`: its options, read before the protocol is loaded.
import { executorCommand } from "../../../io/executor-command.ts"
import type { Command } from "commander"
import { Option } from "commander"
import { elicitationModes } from "../../../core/token.ts"
import type { McpOptions } from "../server/mcp.ts"

export function configure(command: Command): void {
  command
    .description(
      "Serve MCP over stdin and stdout, for clients that start their servers as programs. Acts as an agent through the running server; if no server is running, starts one in the same process.",
    )
    .addOption(new Option("--elicitation-mode <mode>", "How approvals reach you (default browser).").choices([...elicitationModes]))
    .addOption(new Option("--results <form>", "What calls return in code: an envelope, or raw data.").choices(["envelope", "raw"]))
    .addOption(new Option("--discovery <form>", "Also offer search_tools and read_tool.").choices(["code", "tools"]))
    .option("--config <file>", "Plugins to load if no server is running (EXECUTOR_CONFIG).")
    .addHelpText("after", examples)
    .action(async () => {
      const { serveMcp } = await import("../server/mcp.ts")
      await serveMcp(command.opts<McpOptions>())
    })
}

// Clients start it in any directory, so a clone is named by its whole path.
const examples = `
Examples:
  $ claude mcp add executor -- "$PWD/executor" mcp
  $ ${executorCommand} mcp --elicitation-mode native
`
